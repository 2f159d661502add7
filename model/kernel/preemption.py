"""Preemption: a job with a higher priority preempts allocations of another job to get their places."""

from nomadspec.model.kernel.ids import AllocNumber, JobId, PlacedAt, WorkerId
from nomadspec.model.kernel.scheduler import Reading, contract
from nomadspec.model.kernel.state import Kernel
from nomadspec.model.kernel.statuses import Stage
from nomadspec.model.kernel.worker import propose
from nomadspec.model.language.domain import NONE, Map, opt
from nomadspec.model.language.logic import Flag, all_of, any_of, count, exists, implies
from nomadspec.model.language.rule import rule, weak


@rule(
    "PLAN-03",
    "PLAN-44",
    "PLAN-92",
    part_of=Kernel.preempting,
    fair=weak("worker"),
    worker=Kernel.workers,
    job=Kernel.jobs,
    to=Map(Kernel.placements, opt(Kernel.nodes)),
    other=Kernel.jobs,
    alloc=opt(Kernel.allocs),
)
def plan_preemption(
    s: Kernel,
    t: Kernel,
    worker: WorkerId,
    job: JobId,
    to: PlacedAt,
    other: JobId,
    alloc: AllocNumber,
) -> None:
    """The scheduler preempts what has a lower priority, on a node that its plan then fills."""
    t.require(other != job, s.stage[worker] == Stage.PLANNING, s.job[worker] == job)
    t.require(s.priority[other] < s.priority[job])
    occupied = s.seen[worker].occupies
    # without an allocation it is all that runs of the other job, if that is more than one
    is_several = count(occupied[other, i] != NONE for i in s.allocs) > 1
    t.require(any_of(alloc != NONE, all_of(s.several_preempted > 0, is_several)))

    def leaves(i: AllocNumber) -> Flag:
        return any_of(i == alloc, all_of(alloc == NONE, occupied[other, i] != NONE))

    reading = Reading(s, worker, job, to, lambda j, i: all_of(j == other, leaves(i)))
    for i in s.allocs:
        fills = exists(all_of(occupied[other, i] == n, reading.is_filled(n)) for n in s.nodes)
        t.require(implies(leaves(i), fills))
    propose(s, t, worker, to, reading, contract(s, t, reading, worker, to))
    for i in s.allocs:
        t.when(leaves(i)).plan[worker].preempted[i] = other
