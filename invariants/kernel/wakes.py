"""What the tracker must do with what it is given, and with what it hears of new capacity."""

from typing import Final

from nomadspec.invariants.kernel.movers import WAKERS
from nomadspec.model.domain import Id
from nomadspec.model.kernel.blocked import (
    is_arriving,
    is_tracked,
    retry_failed_plans,
    track,
)
from nomadspec.model.kernel.broker import holds_delivery, is_on
from nomadspec.model.kernel.clients import report_end
from nomadspec.model.kernel.leader import gain_leader, resume
from nomadspec.model.kernel.nodes import hear_node
from nomadspec.model.kernel.state import Cause, Kernel, Kind, Place, Record, Stage, Tracking
from nomadspec.model.kernel.worker import block, block_at, give_up, write_outcome
from nomadspec.model.logic import Value, all_of, any_of, for_all, iff, implies, not_, one_of
from nomadspec.model.property import By, step
from nomadspec.model.quirks import LEFT_CAPTURED

_GIVERS: Final = (block, block_at, give_up, write_outcome)
_WAKERS_OF_A_NODE: Final = tuple(rule for rule in WAKERS if rule.name != report_end.name)


def is_unblocked(s: Kernel, by: By, job: Id) -> Value:
    """Say that a step frees capacity that matters to a job."""
    if not by.is_(*WAKERS):
        return False
    if by.is_(report_end):
        return True
    is_ready = s.boots == 0 if by.is_(hear_node) else True
    is_of_use = any_of(s.escaped[job] == 1, s.barred[job, by["node"]] == 0)
    return all_of(is_ready, is_of_use)


@step(
    "BLOCKED-30",
    "BLOCKED-40",
    "ALLOC-14",
    "NODEST-14",
    why="who has planned without the room must look again",
)
def unblocks_are_noted_by_who_planned_before(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that new room is noted by workers with a snapshot, servers behind, and what is to be tracked."""

    def is_worker_told(w: Id, j: Id) -> Value:
        has_planned = not_(one_of(s.stage[w], Stage.IDLE, Stage.TAKEN, Stage.ACKING, Stage.FAILING))
        return implies(all_of(has_planned, s.job[w] == j), n.unseen[w])

    def is_tracker_told(j: Id, e: Id) -> Value:
        return implies(all_of(is_on(s), is_arriving(s, j, e), is_arriving(n, j, e)), n.missed[j, e])

    return for_all(
        implies(
            is_unblocked(s, by, j),
            all_of(
                for_all(is_worker_told(w, j) for w in s.workers),
                for_all(n.old_unseen[f, j] for f in s.followers),
                for_all(is_tracker_told(j, e) for e in s.eval_numbers),
            ),
        )
        for j in s.jobs
    )


@step("BLOCKED-30", "BLOCKED-40", why="who looks again for nothing takes a turn from those who wait")
def only_unblocks_are_noted(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that nobody notes an unblock of a job where nothing came free for it."""
    if by.is_(gain_leader, resume, *_GIVERS):
        return True
    of_servers = for_all(
        implies(n.old_unseen[f, j], any_of(s.old_unseen[f, j], is_unblocked(s, by, j)))
        for f in s.followers
        for j in s.jobs
    )
    of_tracker = for_all(
        implies(n.missed[j, e], any_of(s.missed[j, e], is_unblocked(s, by, j)))
        for j in s.jobs
        for e in s.eval_numbers
    )
    return all_of(of_servers, of_tracker)


@step("BLOCKED-40", "BLOCKED-41", "BROKER-03", why="what waits for room is to be run when there is some")
def the_unblocked_are_offered(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that what is tracked of a job goes to the broker when room for it comes free."""

    def is_requeued(w: Id, j: Id, e: Id) -> Value:
        is_acking = all_of(holds_delivery(s, w, j, e), s.stage[w] == Stage.ACKING)
        return implies(is_acking, n.requeued[w])

    def is_offered(j: Id, e: Id) -> Value:
        is_queued = any_of(s.place[j, e] != Place.OUT, one_of(n.place[j, e], Place.READY, Place.BEHIND))
        is_held = for_all(is_requeued(w, j, e) for w in s.workers)
        return all_of(not_(is_tracked(n, j, e)), is_queued, is_held)

    return for_all(
        implies(all_of(is_unblocked(s, by, j), is_on(s), is_tracked(s, j, e)), is_offered(j, e))
        for j in s.jobs
        for e in s.eval_numbers
    )


@step("BLOCKED-41", "EVAL-15", why="what stays under its node after it was woken is woken time and again")
def what_its_node_wakes_is_under_it_no_more(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that a system evaluation is kept under its node until that node has room, and no longer."""
    if not by.is_(*_WAKERS_OF_A_NODE):
        return True
    node = by["node"]

    def is_woken(j: Id, e: Id) -> Value:
        return all_of(is_unblocked(s, by, j), is_on(s), s.by_node[j, e], s.at[j, e] == node)

    return for_all(implies(is_woken(j, e), not_(n.by_node[j, e])) for j in s.jobs for e in s.eval_numbers)


@step("BLOCKED-02", "BLOCKED-10", "WORKER-30", why="the tracker judges by what it was given, in order")
def the_tracker_is_given_what_is_blocked(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that a worker gives the tracker its evaluation with what it has missed, after earlier ones."""
    if not by.is_(*_GIVERS):
        return True
    worker, job = by["worker"], by["job"]

    def is_given(e: Id) -> Value:
        return all_of(is_arriving(n, job, e), not_(is_arriving(s, job, e)))

    def is_in_turn(e: Id) -> Value:
        return for_all(
            implies(all_of(e != o, is_arriving(s, job, o)), n.arriving[job, e] > 1) for o in s.eval_numbers
        )

    return for_all(
        implies(is_given(e), all_of(is_in_turn(e), iff(n.missed[job, e], s.unseen[worker])))
        for e in s.eval_numbers
    )


@step("BLOCKED-10", "BLOCKED-20", "EVAL-20", why="where an evaluation is tracked decides what wakes it")
def evaluations_are_tracked_as_their_job_is(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that the tracker keeps an evaluation by its classes or as escaped, and a system one by its node."""
    if not by.is_(track):
        return True
    job, number = by["job"], by["number"]
    kept = n.tracking[job, number]
    is_kept = any_of(
        all_of(s.escaped[job] != 1, kept == Tracking.CAPTURED),
        all_of(s.escaped[job] == 1, kept == Tracking.ESCAPED),
    )
    is_by_node = iff(n.by_node[job, number], s.kind[job] == Kind.SYSTEM)
    is_looked_at = all_of(not_(is_arriving(n, job, number)), not_(n.missed[job, number]))
    return all_of(
        is_arriving(s, job, number),
        is_looked_at,
        any_of(s.missed[job, number], all_of(is_kept, is_by_node)),
    )


@step("BLOCKED-02", "BLOCKED-20", why="of two blocked evaluations the one that was given later is to stay")
def the_tracker_takes_turns(s: Kernel, n: Kernel, by: By) -> Value:  # noqa: ARG001 -- whose turn it was is in s
    """Say that the tracker looks at no evaluation before one of the job that it was given earlier."""
    if not by.is_(track):
        return True
    job, turn = by["job"], s.arriving[by["job"], by["number"]]
    return for_all(implies(is_arriving(s, job, o), s.arriving[job, o] >= turn) for o in s.eval_numbers)


@step("BLOCKED-20", "BLOCKED-22", "LEADER-30", why="what has lost its place to a newer one must be canceled")
def the_displaced_are_duplicates(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that an evaluation is on the tracker's list to cancel exactly when another one has displaced it."""
    if not by.is_(track):
        return for_all(implies(n.duplicate[j, e], s.duplicate[j, e]) for j in s.jobs for e in s.eval_numbers)
    job = by["job"]
    return for_all(
        iff(n.duplicate[j, e], any_of(s.duplicate[j, e], all_of(j == job, is_tracked(s, j, e))))
        for j in s.jobs
        for e in s.eval_numbers
    )


@step("BLOCKED-44", "LEADER-50", why="a ticker that wakes everything makes waiting useless")
def only_failed_plans_are_retried(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that the leader's ticker wakes what was made because plans failed, and nothing else."""
    if not by.is_(retry_failed_plans):
        return True
    job, number = by["job"], by["number"]
    is_meant = all_of(s.cause[job, number] == Cause.ATTEMPTS, not_(is_tracked(n, job, number)))
    is_left = for_all(
        any_of(all_of(j == job, e == number), n.tracking[j, e] == s.tracking[j, e])
        for j in s.jobs
        for e in s.eval_numbers
    )
    return all_of(is_meant, is_left)


@step("BLOCKED-45", "EVAL-35", "FSM-02", why="a job that is placed waits for nothing")
def placed_jobs_are_untracked(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that exactly what is written as placed in full leaves nothing of its job with the tracker.

    What has missed an unblock is as good as woken: it goes on to the broker.
    """
    if not by.is_(write_outcome):
        return True
    worker, job, number = by["worker"], by["job"], by["number"]
    is_complete = all_of(s.holds[worker], n.record[job, number] == Record.COMPLETE)
    is_whole = all_of(is_complete, not_(s.is_short[worker]))
    is_left = s.kind[job] == Kind.SYSTEM if s.has(LEFT_CAPTURED) else False
    is_over = for_all(
        all_of(
            any_of(is_left, not_(is_tracked(n, job, e))),
            not_(n.by_node[job, e]),
            iff(is_arriving(n, job, e), all_of(is_arriving(s, job, e), s.missed[job, e])),
        )
        for e in s.eval_numbers
    )
    is_kept = for_all(
        all_of(
            n.tracking[job, e] == s.tracking[job, e],
            implies(is_arriving(s, job, e), is_arriving(n, job, e)),
            implies(
                s.record[job, e] == Record.BLOCKED, any_of(e == number, n.record[job, e] == Record.BLOCKED)
            ),
        )
        for e in s.eval_numbers
    )
    return any_of(all_of(is_whole, is_over), all_of(not_(is_whole), is_kept))
