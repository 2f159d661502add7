"""What must be true of the tracker of blocked evaluations."""

from nomadspec.invariants.kernel.evaluations import is_cut_short
from nomadspec.model.domain import Id
from nomadspec.model.kernel.blocked import concerns, is_arriving, is_retried_soon, is_tracked, track
from nomadspec.model.kernel.broker import has_ended
from nomadspec.model.kernel.state import Kernel, Place, Record, Tracking
from nomadspec.model.logic import Value, all_of, any_of, exists, for_all, implies, not_
from nomadspec.model.property import By, always, eventually, sometimes, step


@always("BLOCKED-20", "BLOCKED-21", why="two blocked evaluations of a job would both run for one event")
def one_evaluation_of_a_job_is_tracked(s: Kernel) -> Value:
    """Say that the tracker holds at most one evaluation of a job."""
    return for_all(
        not_(all_of(o < e, is_tracked(s, j, o), is_tracked(s, j, e)))
        for j in s.jobs
        for e in s.eval_numbers
        for o in s.eval_numbers
    )


@always("BLOCKED-10", "BLOCKED-45", "EVAL-04", why="the tracker must not wait on behalf of what has ended")
def tracked_evaluations_are_blocked(s: Kernel) -> Value:
    """Say that the record of a tracked evaluation is blocked, or was deleted."""
    return for_all(
        implies(is_tracked(s, j, e), not_(has_ended(s, j, e))) for j in s.jobs for e in s.eval_numbers
    )


@always("BLOCKED-41", "WORKER-32", why="an evaluation in two places can be run and be waited for at once")
def tracked_evaluations_are_not_queued(s: Kernel) -> Value:
    """Say that the broker has a tracked evaluation only while the worker that blocked it again acks."""
    return for_all(
        implies(is_tracked(s, j, e), any_of(s.place[j, e] == Place.OUT, s.place[j, e] == Place.UNACKED))
        for j in s.jobs
        for e in s.eval_numbers
    )


@always("BLOCKED-22", "LEADER-30", why="an evaluation that is waited for must not be canceled as a duplicate")
def duplicates_are_not_tracked(s: Kernel) -> Value:
    """Say that the tracker does not hold what it has put on its list to cancel."""
    return for_all(
        not_(all_of(s.duplicate[j, e], is_tracked(s, j, e))) for j in s.jobs for e in s.eval_numbers
    )


@step(
    "BLOCKED-20",
    "EVAL-12",
    "WORKER-30",
    why="the evaluation with the newest view knows best what it waits for",
)
def newest_blocked_evaluation_is_kept(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that of two blocked evaluations of a job, the one that was planned last goes on."""
    if not by.is_(track):
        return True
    job, number = by["job"], by["number"]
    in_broker = n.place[job, number] != Place.OUT
    goes_on = any_of(is_tracked(n, job, number), in_broker)
    return implies(is_arriving(s, job, number), goes_on)


@step("BLOCKED-10", "BLOCKED-30", why="an unblock between a plan and its blocked evaluation must not be lost")
def missed_unblocks_are_made_up_for(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that an evaluation which missed an unblock goes to the broker and is not tracked."""
    if not by.is_(track):
        return True
    job, number = by["job"], by["number"]
    is_queued = all_of(n.place[job, number] != Place.OUT, not_(is_tracked(n, job, number)))
    return implies(s.missed[job, number], is_queued)


@step("FSM-03", "BLOCKED-40", why="a node that comes back is what blocked evaluations wait for")
def new_capacity_wakes_the_blocked(s: Kernel, n: Kernel) -> Value:
    """Say that a node that becomes ready or eligible leaves nothing tracked that could use it."""

    def is_opened(m: Id) -> Value:
        is_open = all_of(n.node_up[m], n.eligible[m])
        return all_of(is_open, not_(all_of(s.node_up[m], s.eligible[m])))

    def is_woken(j: Id, e: Id, m: Id) -> Value:
        return implies(all_of(is_opened(m), concerns(s, j, m)), not_(is_tracked(n, j, e)))

    return for_all(is_woken(j, e, m) for j in s.jobs for e in s.eval_numbers for m in s.nodes)


@step("BLOCKED-40", "EVAL-20", why="waking what cannot use the capacity costs a run for nothing")
def infeasible_capacity_wakes_nobody(s: Kernel, n: Kernel) -> Value:
    """Say that a node on which a job is infeasible wakes none of the job's evaluations."""

    def is_opened(m: Id) -> Value:
        return all_of(n.node_up[m], not_(s.node_up[m]))

    def is_left_alone(j: Id, e: Id) -> Value:
        return implies(s.tracking[j, e] == Tracking.CAPTURED, is_tracked(n, j, e))

    return for_all(
        implies(all_of(is_opened(m), not_(concerns(s, j, m))), is_left_alone(j, e))
        for j in s.jobs
        for e in s.eval_numbers
        for m in s.nodes
    )


@eventually(
    "BLOCKED-44",
    "LEADER-50",
    why="plans that fail for want of luck must be tried again without an outside event",
    given=is_retried_soon,
    job=Kernel.jobs,
    number=Kernel.eval_numbers,
)
def failed_plans_are_retried(s: Kernel, job: Id, number: Id) -> Value:
    """Say that an evaluation made because plans failed does not stay in the tracker."""
    return any_of(is_cut_short(s), not_(is_tracked(s, job, number)))


@eventually(
    "LEADER-30",
    "EVAL-45",
    why="a duplicate that is still called blocked looks like a job that waits twice",
    given=lambda s, job, number: s.duplicate[job, number],
    job=Kernel.jobs,
    number=Kernel.eval_numbers,
)
def duplicates_are_canceled(s: Kernel, job: Id, number: Id) -> Value:
    """Say that a duplicate ends, or is with the tracker of a new leader."""
    is_gone = s.record[job, number] == Record.ABSENT
    return any_of(is_cut_short(s), has_ended(s, job, number), is_arriving(s, job, number), is_gone)


@sometimes("BLOCKED-10", why="wake-ups matter only where something waits", scopes=("duplicates", "strikes"))
def an_evaluation_is_tracked(s: Kernel) -> Value:
    """Say that the tracker holds an evaluation."""
    return exists(is_tracked(s, j, e) for j in s.jobs for e in s.eval_numbers)


@sometimes(
    "BLOCKED-20",
    why="duplicates matter only where a job has two blocked evaluations",
    scopes=("duplicates", "pause"),
)
def a_job_has_a_duplicate(s: Kernel) -> Value:
    """Say that a blocked evaluation has lost to another one of its job."""
    return exists(
        all_of(s.duplicate[j, e], is_tracked(s, j, o))
        for j in s.jobs
        for e in s.eval_numbers
        for o in s.eval_numbers
    )


@sometimes(
    "BLOCKED-30",
    why="the check for missed unblocks matters only where one was missed",
    scopes=("urgency", "partial"),
)
def an_unblock_is_missed(s: Kernel) -> Value:
    """Say that an unblock came between the plan and the tracker."""
    return exists(all_of(is_arriving(s, j, e), s.missed[j, e]) for j in s.jobs for e in s.eval_numbers)


@sometimes(
    "BLOCKED-40",
    "EVAL-20",
    why="who is woken by feasible nodes alone matters only where another node has room",
    scopes=("barred",),
)
def a_job_waits_beside_a_node_that_it_is_barred_from(s: Kernel) -> Value:
    """Say that the tracker holds an evaluation of a job while a node is ready on which it is infeasible."""
    return exists(
        all_of(is_tracked(s, j, e), s.node_up[m], s.barred[j, m] == 1)
        for j in s.jobs
        for e in s.eval_numbers
        for m in s.nodes
    )
