"""Lemmas about the plan queue."""

from nomadspec.model.kernel.ids import WorkerId
from nomadspec.model.kernel.plan_queue import has_higher_priority, is_queued, is_with_applier
from nomadspec.model.kernel.state import Kernel
from nomadspec.model.kernel.statuses import Stage
from nomadspec.model.language.logic import Flag, all_of, any_of, for_all, iff, implies, not_
from nomadspec.model.language.property import always


@always("PLAN-21", "PLAN-22", why="a plan that nobody has is never answered", lemma=True)
def queued_plans_are_submitted(s: Kernel) -> Flag:
    """The queue holds the plans of the workers that have submitted one, and no others."""
    return for_all(iff(is_queued(s, w), s.stage[w] == Stage.SUBMITTED) for w in s.workers)


@always("PLAN-20", why="a priority says in which line a plan waits", lemma=True, w=Kernel.workers)
def plans_queue_by_priority(s: Kernel, w: WorkerId) -> Flag:
    """The line for plans of a higher priority holds those, and the other line the rest."""
    return all_of(
        implies(s.higher_priority_plans.has(w), has_higher_priority(s, w)),
        implies(s.plans.has(w), not_(has_higher_priority(s, w))),
    )


@always("PLAN-13", "BROKER-31", why="two workers with one evaluation would plan the same twice", lemma=True)
def plans_with_the_applier_are_of_valid_deliveries(s: Kernel) -> Flag:
    """A worker that waits for the applier has a valid token, unless the broker was paused meanwhile."""
    return for_all(implies(is_with_applier(s, w), any_of(s.holds[w], s.paused)) for w in s.workers)
