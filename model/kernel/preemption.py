"""Preemption: a job with a higher priority preempts an allocation of another job to get its place."""

from nomadspec.model.kernel.ids import AllocNumber, JobId, WorkerId
from nomadspec.model.kernel.scheduler import Reading, contract
from nomadspec.model.kernel.state import Kernel
from nomadspec.model.kernel.statuses import Stage
from nomadspec.model.kernel.worker import propose
from nomadspec.model.language.domain import NONE, Map, opt
from nomadspec.model.language.logic import Value, all_of, exists, implies
from nomadspec.model.language.rule import rule, weak


@rule(
    "PLAN-03",
    "PLAN-44",
    "PLAN-92",
    fair=weak("worker"),
    worker=Kernel.workers,
    job=Kernel.jobs,
    to=Map(Kernel.placements, opt(Kernel.nodes)),
    other=Kernel.jobs,
    alloc=Kernel.allocs,
)
def plan_preemption(
    s: Kernel, t: Kernel, worker: WorkerId, job: JobId, to: Value, other: JobId, alloc: AllocNumber
) -> None:
    """The scheduler preempts what has a lower priority, on a node that its plan then fills."""
    t.require(s.preempting > 0, other != job, s.stage[worker] == Stage.PLANNING, s.job[worker] == job)
    t.require(s.priority[other] < s.priority[job], s.seen[worker].occupies[other, alloc] != NONE)

    def leaves(k: JobId, i: AllocNumber) -> Value:
        return all_of(k == other, i == alloc)

    reading = Reading(s, worker, job, to, leaves)
    for k in s.jobs:
        for i in s.allocs:
            node = s.seen[worker].occupies[k, i]
            fills = exists(all_of(node == n, reading.is_filled(n)) for n in s.nodes)
            t.require(implies(leaves(k, i), fills))
    propose(s, t, worker, to, reading, contract(s, t, reading, worker, to))
    t.plan[worker].preempted_job = other
    t.plan[worker].preempted_alloc = alloc
