"""What must be true of allocations that are preempted."""

from nomadspec.invariants.kernel.applier import (
    is_preempted,
    is_stopped_by_own,
    is_stopped_now,
    list_plans,
)
from nomadspec.model.kernel.ids import AllocNumber, JobId, WorkerId
from nomadspec.model.kernel.plan_queue import is_queued
from nomadspec.model.kernel.state import Kernel
from nomadspec.model.kernel.statuses import WITH_APPLIER, Stage
from nomadspec.model.language.logic import Flag, all_of, count, exists, for_all, implies, not_, one_of
from nomadspec.model.language.property import always, lemma, sometimes, step


@sometimes(
    "PLAN-44",
    "PLAN-62",
    why="evictions matter only where a plan preempts something",
    scopes=("preemption", "choice-of-preempted"),
)
def a_plan_preempts_an_alloc(s: Kernel, w: WorkerId, j: JobId, i: AllocNumber) -> Flag:
    """A queued plan takes the place of another job's allocation."""
    return all_of(is_queued(s, w), s.plan[w].preempted[j, i])


@sometimes(
    "PLAN-44",
    "PLAN-62",
    why="one evaluation for a job that loses several allocations matters only where a plan takes several",
    scopes=("two-preempted", "two-preempted-entry"),
)
def a_plan_preempts_two_allocs(s: Kernel, w: WorkerId, j: JobId) -> Flag:
    """A queued plan takes the place of two allocations of another job."""
    return all_of(is_queued(s, w), count(s.plan[w].preempted[j, i] for i in s.allocs) > 1)


@step("PLAN-44", "PLAN-62", why="a job that loses an allocation must be evaluated, and once")
def preempted_job_gets_one_eval(s: Kernel, n: Kernel, j: JobId) -> Flag:
    """A job that loses an allocation to another job gets one evaluation with that."""
    is_hit = exists(
        all_of(is_stopped_now(s, n, j, i), is_preempted(s, j, i), not_(is_stopped_by_own(s, j, i)))
        for i in s.allocs
    )
    return implies(is_hit, n.made[j] == s.made[j] + 1)


@always("PREEMPT-06", why="an allocation makes way only for one of a higher priority")
def preempted_allocs_have_lower_priority(s: Kernel, j: JobId, i: AllocNumber) -> Flag:
    """What a plan or an entry preempts is of another job, which is of a lower priority."""
    return for_all(
        implies(plan.preempted[j, i], s.priority[j] < s.priority[job]) for plan, job in list_plans(s)
    )


# lemmas


@lemma("PLAN-03", "PREEMPT-06", why="a job that preempts its own counts room twice")
def preempted_allocs_are_of_other_jobs(s: Kernel, w: WorkerId, j: JobId, i: AllocNumber) -> Flag:
    """Only a plan that has been made preempts something, and nothing of its own job."""
    is_made = one_of(s.stage[w], Stage.PLANNED, *WITH_APPLIER, Stage.FAILING)
    return implies(s.plan[w].preempted[j, i], all_of(is_made, j != s.job[w]))
