"""What must be true of the attempts of a delivery: what each lists and leaves, and who may still make one."""

from nomadspec.model.domain import NONE
from nomadspec.model.kernel.broker import is_system
from nomadspec.model.kernel.preemption import plan_preemption
from nomadspec.model.kernel.state import Cause, Kernel, Stage
from nomadspec.model.kernel.worker import block, give_up, plan, refresh, reject, submit, write_outcome
from nomadspec.model.logic import Value, all_of, any_of, for_all, iff, implies, not_
from nomadspec.model.property import By, always, step


@step("PLAN-92", "PLAN-02", why="a plan that can be written in two ways is two plans to who compares them")
def plans_list_their_placements_first(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that a new plan lists its placements one after the other, with no gap before or between them."""
    if not by.is_(plan, plan_preemption):
        return True
    places = n.plan_to[by["worker"]]
    return for_all(
        implies(all_of(before < k, places[k] != NONE), places[before] != NONE)
        for k in s.slots
        for before in s.slots
    )


@step("EVAL-12", "EVAL-37", "WORKER-10", why="another worker may have the same evaluation by now")
def who_comes_too_late_gives_up(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that whoever finds that its token is no longer valid gives its delivery back."""
    if not by.is_(block, submit, reject, write_outcome, give_up):
        return True
    worker = by["worker"]
    return any_of(s.holds[worker], n.stage[worker] == Stage.FAILING)


@step("EVAL-13", "EVAL-15", "PLAN-94", why="a job that waits twice for the same is woken twice")
def attempts_know_what_the_delivery_has_blocked(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that another attempt makes no second blocked evaluation, unless a system job waits for nodes."""
    if not by.is_(refresh):
        return True
    worker, job = by["worker"], by["job"]
    return iff(n.made_blocked[worker], all_of(s.made_blocked[worker], not_(is_system(s, job))))


@always("EVAL-13", "EVAL-15", why="who waits for a node must be woken by it, and any other by all nodes")
def only_system_jobs_wait_for_a_node(s: Kernel) -> Value:
    """Say that an evaluation is for a node exactly if it was made for what a system job lacks there."""
    return for_all(
        iff(s.at[j, e] != NONE, all_of(s.cause[j, e] == Cause.UNPLACED, is_system(s, j)))
        for j in s.jobs
        for e in s.eval_numbers
    )
