"""What must be true of allocations that are preempted."""

from nomadspec.invariants.kernel.applier import is_preempted, is_stopped_by_own, is_stopped_now
from nomadspec.model.kernel.ids import AllocNumber, JobId, WorkerId
from nomadspec.model.kernel.plan_queue import is_queued
from nomadspec.model.kernel.state import Kernel
from nomadspec.model.language.domain import NONE
from nomadspec.model.language.logic import Flag, all_of, exists, implies, not_
from nomadspec.model.language.property import sometimes, step


@sometimes(
    "PLAN-44",
    "PLAN-62",
    why="evictions matter only where a plan preempts something",
    scopes=("preemption", "choice-of-preempted"),
)
def a_plan_preempts_an_alloc(s: Kernel) -> Flag:
    """A queued plan takes the place of another job's allocation."""
    return exists(all_of(is_queued(s, w), s.plan[w].preempted_alloc != NONE) for w in s.workers)


@sometimes(
    "PLAN-44",
    "PLAN-62",
    why="one evaluation for a job that loses several allocations matters only where a plan takes several",
    scopes=("two-preempted", "two-preempted-entry"),
    w=Kernel.workers,
    j=Kernel.jobs,
    i=Kernel.allocs,
)
def a_plan_preempts_two_allocs(s: Kernel, w: WorkerId, j: JobId, i: AllocNumber) -> Flag:
    """A queued plan takes the place of two allocations of another job."""
    return all_of(is_queued(s, w), s.plan[w].preempted[j, i])


@step("PLAN-44", "PLAN-62", why="a job that loses an allocation must be evaluated, and once", j=Kernel.jobs)
def preempted_job_gets_one_eval(s: Kernel, n: Kernel, j: JobId) -> Flag:
    """A job that loses an allocation to another job gets one evaluation with that."""
    is_hit = exists(
        all_of(is_stopped_now(s, n, j, i), is_preempted(s, j, i), not_(is_stopped_by_own(s, j, i)))
        for i in s.allocs
    )
    return implies(is_hit, n.made[j] == s.made[j] + 1)
