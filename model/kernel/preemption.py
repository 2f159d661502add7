"""Preemption: a job with a higher priority preempts allocations of another job to get their places."""

from collections.abc import Callable

from nomadspec.model.kernel.ids import AllocNumber, JobId, PlacedAt, WorkerId
from nomadspec.model.kernel.scheduler import Reading, contract
from nomadspec.model.kernel.state import Kernel
from nomadspec.model.kernel.statuses import Stage
from nomadspec.model.kernel.worker import propose
from nomadspec.model.language.domain import NONE, Map, opt
from nomadspec.model.language.logic import Flag, all_of, count, exists, implies
from nomadspec.model.language.rule import rule, weak


@rule(
    "PLAN-03",
    "PREEMPT-06",
    "PLAN-92",
    part_of=Kernel.preempting,
    fair=weak("worker"),
    to=Map(Kernel.placements, opt(Kernel.nodes)),
)
def plan_preemption(
    s: Kernel, t: Kernel, worker: WorkerId, job: JobId, to: PlacedAt, other: JobId, alloc: AllocNumber
) -> None:
    """The scheduler preempts what has a lower priority, on a node that its plan then fills."""
    propose_preemption(s, t, worker, job, to, other, lambda i: i == alloc)
    t.plan[worker].preempted[other, alloc] = True


@rule(
    "PLAN-03",
    "PREEMPT-06",
    "PLAN-92",
    part_of=(Kernel.preempting, Kernel.several_preempted),
    fair=weak("worker"),
    to=Map(Kernel.placements, opt(Kernel.nodes)),
)
def plan_preemptions(s: Kernel, t: Kernel, worker: WorkerId, job: JobId, to: PlacedAt, other: JobId) -> None:
    """The scheduler preempts all that runs of another job, on nodes that its plan then fills."""

    def runs(i: AllocNumber) -> Flag:
        is_there: Flag = s.seen[worker].occupies[other, i] != NONE
        return is_there

    is_several = count(runs(i) for i in s.allocs) > 1
    t.require(is_several)
    propose_preemption(s, t, worker, job, to, other, runs)
    for i in s.allocs:
        t.plan[worker].preempted[other, i] = runs(i)


def propose_preemption(
    s: Kernel,
    t: Kernel,
    worker: WorkerId,
    job: JobId,
    to: PlacedAt,
    other: JobId,
    leaves: Callable[[AllocNumber], Flag],
) -> None:
    """Propose a plan that fills the nodes from which some allocations of another job leave."""
    t.require(other != job, s.stage[worker] == Stage.PLANNING, s.job[worker] == job)
    t.require(s.priority[other] < s.priority[job])
    reading = Reading(s, worker, job, to, lambda k, i: all_of(k == other, leaves(i)))
    for i in s.allocs:
        node = s.seen[worker].occupies[other, i]
        fills = exists(all_of(node == n, reading.is_filled(n)) for n in s.nodes)
        t.require(implies(leaves(i), fills))
    propose(s, t, worker, job, to, reading, contract(s, t, reading, worker, to))
