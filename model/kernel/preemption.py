"""Preemption: a job with a higher priority drives out an allocation of another job to get its place."""

from nomadspec.model.domain import NONE, Id, Map, opt
from nomadspec.model.kernel.scheduler import contract
from nomadspec.model.kernel.state import Kernel, Stage
from nomadspec.model.kernel.worker import propose
from nomadspec.model.logic import Value, all_of
from nomadspec.model.rule import rule, weak


@rule(
    "PLAN-03",
    "PLAN-44",
    "PLAN-92",
    fair=weak("worker"),
    worker=Kernel.workers,
    job=Kernel.jobs,
    to=Map(Kernel.slots, opt(Kernel.nodes)),
    other=Kernel.jobs,
    alloc=Kernel.allocs,
)
def plan_preemption(s: Kernel, t: Kernel, worker: Id, job: Id, to: Value, other: Id, alloc: Id) -> None:
    """The scheduler finds a place only by driving out an allocation of a job with a lower priority."""
    t.require(s.preempting > 0, other != job, s.stage[worker] == Stage.PLANNING, s.job[worker] == job)
    t.require(s.urgent[other] < s.urgent[job], s.seen_occupies[worker, other, alloc] != NONE)

    def leaves(k: Id, i: Id) -> Value:
        return all_of(k == other, i == alloc)

    stops, is_short = contract(s, t, worker, job, to, leaves)
    propose(s, t, worker, to, stops, is_short)
    t.plan_foe[worker] = other
    t.plan_victim[worker] = alloc
