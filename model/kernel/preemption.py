"""Preemption: a job with a higher priority drives out an allocation of another job to get its place."""

from nomadspec.model.domain import NONE, Id, Map, opt
from nomadspec.model.kernel.scheduler import Reading, contract
from nomadspec.model.kernel.state import Kernel, Stage
from nomadspec.model.kernel.worker import propose
from nomadspec.model.logic import Value, all_of, exists, implies
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
    """The scheduler drives out what has a lower priority, on a node that its plan then fills."""
    t.require(s.preempting > 0, other != job, s.stage[worker] == Stage.PLANNING, s.job[worker] == job)
    t.require(s.urgent[other] < s.urgent[job], s.seen_occupies[worker, other, alloc] != NONE)

    def leaves(k: Id, i: Id) -> Value:
        return all_of(k == other, i == alloc)

    reading = Reading(s, worker, job, to, leaves)
    for k in s.jobs:
        for i in s.allocs:
            node = s.seen_occupies[worker, k, i]
            fills = exists(all_of(node == n, reading.is_filled(n)) for n in s.nodes)
            t.require(implies(leaves(k, i), fills))
    propose(s, t, worker, to, reading, contract(s, t, reading, worker, to))
    t.plan_foe[worker] = other
    t.plan_victim[worker] = alloc
