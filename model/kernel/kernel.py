"""The kernel as a model: its rules, its scopes, and how its worlds begin."""

from nomadspec.model.kernel import (
    applier,
    blocked,
    broker,
    clients,
    collection,
    deployments,
    disconnects,
    jobs,
    leader,
    nodes,
    pipeline,
    preemption,
    stale_servers,
    worker,
)
from nomadspec.model.kernel.ids import JobId, NodeId
from nomadspec.model.kernel.scopes import SCOPES
from nomadspec.model.kernel.state import Kernel
from nomadspec.model.kernel.statuses import EvalRecord, InBroker, JobPhase, Kind, Stage
from nomadspec.model.language.domain import FLAG, Map, upto
from nomadspec.model.language.logic import Flag, Value, all_of, any_of, count, exists, for_all, implies, ite
from nomadspec.model.language.model import Model
from nomadspec.model.language.rule import rule, rules_in
from nomadspec.model.language.typed import MapOf


@rule(
    "EVAL-10",
    "JOB-07",
    "BLOCKED-40",
    priority=Map(Kernel.jobs, upto(Kernel.priorities)),
    kind=Map(Kernel.jobs, upto(Kernel.kinds, Kind)),
    escaped=Map(Kernel.jobs, FLAG, on=Kernel.escapes),
    infeasible=Map(Kernel.nodes, FLAG, on=Kernel.infeasibilities),
)
def register_jobs(
    s: Kernel,
    t: Kernel,
    priority: MapOf[JobId, int],
    kind: MapOf[JobId, Kind],
    escaped: MapOf[JobId, bool],
    infeasible: MapOf[NodeId, bool],
) -> None:
    """Every job has just been registered, and its evaluation is ready; all are infeasible on the same nodes.

    A core job is the leader's own, and not in the store.
    """
    has_placements = count(True for _ in s.placements) >= count(True for _ in s.nodes)
    t.require(for_all(implies(kind[job] >= Kind.SYSTEM, has_placements) for job in s.jobs))
    first: Value = 0
    for job in s.jobs:
        is_own = kind[job] == Kind.CORE
        t.job_phase[job] = ite(is_own, JobPhase.ABSENT, JobPhase.WANTED)
        t.eval_record[job, first] = ite(is_own, EvalRecord.ABSENT, EvalRecord.PENDING)
        t.in_broker[job, first] = InBroker.READY
        t.made[job] = 1
        t.priority[job] = priority[job]
        t.eval_priority[job, first] = priority[job]
        t.kind[job] = kind[job]
        t.escaped[job] = escaped[job]
        for node in s.nodes:
            t.infeasible[job, node] = infeasible[node]


def is_out_of_records(s: Kernel) -> Flag:
    """True while the scope has no number left for an evaluation of some job, or for what a plan places."""
    return exists(
        any_of(s.made[job] >= s.evals, s.alloc_made[job] + s.count > s.allocations) for job in s.jobs
    )


def is_at_rest(s: Kernel) -> Flag:
    """True while broker and workers have nothing to do, or the scope is too small to go on."""
    nothing_queued = for_all(
        s.in_broker[job, number] == InBroker.OUT for job in s.jobs for number in s.eval_numbers
    )
    nobody_works = for_all(s.stage[worker] == Stage.IDLE for worker in s.workers)
    return any_of(all_of(nothing_queued, nobody_works), is_out_of_records(s))


ACTORS = (
    broker,
    blocked,
    worker,
    stale_servers,
    preemption,
    applier,
    pipeline,
    leader,
    nodes,
    disconnects,
    jobs,
    clients,
    deployments,
    collection,
)

KERNEL = Model(
    name="kernel",
    about="evaluations, workers, plans and their applier: the protocol of scheduling",
    world=Kernel,
    rules=tuple(rule for actor in ACTORS for rule in rules_in(actor)),
    starts=(register_jobs,),
    is_at_rest=is_at_rest,
    scopes=SCOPES,
)
