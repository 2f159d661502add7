"""Lemmas about preempted allocations."""

from nomadspec.invariants.kernel.applier import list_plans
from nomadspec.model.kernel.ids import WorkerId
from nomadspec.model.kernel.state import Kernel
from nomadspec.model.kernel.statuses import WITH_APPLIER, Stage
from nomadspec.model.language.domain import NONE
from nomadspec.model.language.logic import Flag, all_of, for_all, iff, implies, one_of
from nomadspec.model.language.property import always


@always(
    "PLAN-03", "PLAN-44", why="a job that preempts its own counts room twice", lemma=True, w=Kernel.workers
)
def preempted_allocs_are_of_other_jobs(s: Kernel, w: WorkerId) -> Flag:
    """Only a plan that has been made preempts something, and nothing of its own job."""
    is_made = one_of(s.stage[w], Stage.PLANNED, *WITH_APPLIER, Stage.FAILING)
    return implies(s.plan[w].preempted_alloc != NONE, all_of(is_made, s.plan[w].preempted_job != s.job[w]))


@always("PLAN-44", why="an allocation makes way only for one of a higher priority", lemma=True)
def preempted_allocs_have_lower_priority(s: Kernel) -> Flag:
    """What a plan or an entry preempts is of another job, which is of a lower priority."""
    return for_all(
        implies(plan.preempted_alloc != NONE, s.priority[plan.preempted_job] < s.priority[job])
        for plan, job in list_plans(s)
    )


@always("PLAN-03", "PLAN-44", "PLAN-60", why="a preempted allocation is named by its job, too", lemma=True)
def preempted_alloc_has_its_job(s: Kernel) -> Flag:
    """A plan or an entry that preempts something says which allocation, and of which job."""
    return for_all(iff(plan.preempted_job == NONE, plan.preempted_alloc == NONE) for plan, _ in list_plans(s))
