"""What must be true of the plan queue."""

from nomadspec.model.kernel.ids import WorkerId
from nomadspec.model.kernel.plan_queue import has_higher_priority, is_queued, is_with_applier
from nomadspec.model.kernel.state import Kernel
from nomadspec.model.kernel.statuses import Stage
from nomadspec.model.language.logic import Flag, all_of, any_of, count, for_all, iff, implies, not_, one_of
from nomadspec.model.language.property import lemma, sometimes, step


@sometimes(
    "PLAN-20", why="order matters only where more than one plan waits", scopes=("plan-rejections", "pipeline")
)
def plans_queue_up(s: Kernel) -> Flag:
    """Two plans wait in the queue."""
    return count(is_queued(s, w) for w in s.workers) > 1


@sometimes("PLAN-20", why="priorities matter only where plans of different ones wait", scopes=("preemption",))
def a_higher_priority_plan_overtakes(s: Kernel) -> Flag:
    """Plans of both priorities wait in the queue."""
    return all_of(not_(s.plans.is_empty()), not_(s.higher_priority_plans.is_empty()))


@step("PLAN-20", "PLAN-30", why="a priority says whose plan comes first where there is not enough for all")
def higher_priority_plan_is_applied_first(s: Kernel, n: Kernel, w: WorkerId, o: WorkerId) -> Flag:
    """The applier takes up a plan only if it has none in hand and none of a higher priority waits."""
    is_over = one_of(n.stage[w], Stage.JUDGED, Stage.DECIDED, Stage.REJECTED, Stage.EXHAUSTED)
    is_taken = all_of(s.stage[w] == Stage.SUBMITTED, is_over)
    mine, other = s.eval_priority[s.job[w], s.number[w]], s.eval_priority[s.job[o], s.number[o]]
    is_passed_over = all_of(is_queued(n, o), mine == 0, other > 0)
    return implies(is_taken, not_(any_of(s.stage[o] == Stage.JUDGED, is_passed_over)))


# lemmas


@lemma("PLAN-21", "PLAN-22", why="a plan that nobody has is never answered")
def queued_plans_are_submitted(s: Kernel) -> Flag:
    """The queue holds the plans of the workers that have submitted one, and no others."""
    return for_all(iff(is_queued(s, w), s.stage[w] == Stage.SUBMITTED) for w in s.workers)


@lemma("PLAN-20", why="a priority says in which line a plan waits")
def plans_queue_by_priority(s: Kernel, w: WorkerId) -> Flag:
    """The line for plans of a higher priority holds those, and the other line the rest."""
    return all_of(
        implies(s.higher_priority_plans.has(w), has_higher_priority(s, w)),
        implies(s.plans.has(w), not_(has_higher_priority(s, w))),
    )


@lemma("PLAN-13", "PLAN-14", "BROKER-31", why="two workers with one evaluation would plan the same twice")
def plans_with_the_applier_are_of_valid_deliveries(s: Kernel) -> Flag:
    """A worker that waits for the applier has a valid token, unless the broker was paused meanwhile."""
    return for_all(implies(is_with_applier(s, w), any_of(s.holds[w], s.paused)) for w in s.workers)
