"""Blocked evals: at most one evaluation of a job is tracked, and capacity unblocks it.

What it is told goes through a line, in order; ``arriving`` is an evaluation's turn in it. An unblock is
recorded at once, so that what still stands in the line has missed it, and what is tracked is handed back,
unless another evaluation of its job stands in the line: that takes its place before it is the unblock's turn.
"""

from collections.abc import Callable

from nomadspec.model.kernel.broker import holds_delivery, is_on, place_offered
from nomadspec.model.kernel.ids import EvalNumber, JobId, NodeId, WorkerId
from nomadspec.model.kernel.log import note_entry
from nomadspec.model.kernel.state import Kernel
from nomadspec.model.kernel.statuses import BlockedIn, EvalRecord, InBroker, Kind, Stage, TriggeredBy
from nomadspec.model.language.logic import Flag, all_of, any_of, count, exists, ite, not_, one_of
from nomadspec.model.language.rule import rule, weak
from nomadspec.model.specification.quirks import (
    DISPLACED_IS_DELIVERED,
    FORGOTTEN_BATCH,
    LEFT_CAPTURED,
    WOKEN_TWICE,
)


def is_tracked(s: Kernel, job: JobId, number: EvalNumber) -> Flag:
    """True while blocked evals hold the evaluation until something unblocks it."""
    return one_of(s.blocked_in[job, number], BlockedIn.CAPTURED, BlockedIn.ESCAPED)


def is_arriving(s: Kernel, job: JobId, number: EvalNumber) -> Flag:
    """True while blocked evals have been given the evaluation and have not looked at it yet."""
    return s.arriving[job, number] > 0


def hand_over(s: Kernel, t: Kernel, job: JobId, number: EvalNumber, missed: Flag) -> None:
    """Give an evaluation to blocked evals, after those of its job that they have not looked at yet."""
    t.arriving[job, number] = 1 + count(is_arriving(s, job, other) for other in s.eval_numbers)
    t.missed_unblock[job, number] = missed


def hand_back(s: Kernel, t: Kernel, job: JobId, number: EvalNumber, *, is_second: Flag) -> None:
    """Offer an evaluation that is unblocked to the broker, or note it while it is acked."""
    t.blocked_in[job, number] = BlockedIn.OUT
    if not s.has(WOKEN_TWICE):
        t.by_node[job, number] = False
    offer(s, t, job, number, is_second=is_second)


def offer(s: Kernel, t: Kernel, job: JobId, number: EvalNumber, *, is_second: Flag) -> None:
    """Offer an evaluation to the broker, which ignores one that it knows unless that one is being acked.

    It knows one that is cancelable, too. A second one of its job, where the same step offers another one
    first, is pending then.
    """
    for worker in s.workers:
        is_acking = all_of(holds_delivery(s, worker, job, number), s.stage[worker] == Stage.ACKING)
        t.when(is_acking).requeued[worker] = True
    is_unknown = all_of(s.in_broker[job, number] == InBroker.OUT, not_(s.cancelable[job, number]))
    place = ite(is_second, InBroker.PENDING_BEHIND_JOB, place_offered(s, job))
    t.when(is_unknown).in_broker[job, number] = place


def concerns(s: Kernel, job: JobId, node: NodeId) -> Flag:
    """True while capacity on the node matters to the job: it is escaped, or the node is feasible."""
    return any_of(s.escaped[job], not_(s.infeasible[job, node]))


def has_snapshot(s: Kernel, worker: WorkerId) -> Flag:
    """True while the worker decides by a snapshot that it has taken."""
    return not_(one_of(s.stage[worker], Stage.IDLE, Stage.TAKEN, Stage.ACKING, Stage.FAILING))


def wake(s: Kernel, t: Kernel, node: NodeId, is_first: Callable[[JobId], Flag] = lambda _: False) -> None:
    """Record an unblock by a node: what is tracked is handed back, what was planned before has missed it.

    The class of the node wakes first, and then the node itself those that are kept under it. ``is_first``
    says of which jobs the step offers another evaluation before.
    """
    for job in s.jobs:
        wake_job(s, t.when(concerns(s, job, node)), job, is_first=is_first(job))
        for number in s.eval_numbers:
            is_woken = all_of(s.by_node[job, number], s.at[job, number] == node)
            if not s.has(DISPLACED_IS_DELIVERED):
                is_displaced = all_of(is_tracked(s, job, number), is_followed(s, job, number))
                is_woken = all_of(is_woken, not_(all_of(concerns(s, job, node), is_displaced)))
            at_node = t.when(all_of(is_on(s), is_woken))
            is_second = any_of(is_first(job), all_of(concerns(s, job, node), is_rival_woken(s, job, number)))
            offer(s, at_node, job, number, is_second=is_second)
            at_node.by_node[job, number] = False


def is_rival_woken(s: Kernel, job: JobId, number: EvalNumber) -> Flag:
    """True while a wake-up of a job's class would offer another evaluation of the job."""
    return exists(
        all_of(
            other != number,
            is_tracked(s, job, other),
            not_(is_followed(s, job, other)),
            s.in_broker[job, other] == InBroker.OUT,
        )
        for other in s.eval_numbers
    )


def wake_all(s: Kernel, t: Kernel) -> None:
    """Record an unblock that concerns every job."""
    for job in s.jobs:
        wake_job(s, t, job, is_first=False)


def wake_job(s: Kernel, t: Kernel, job: JobId, *, is_first: Flag) -> None:
    """Let the evaluations of a job know of an unblock; blocked evals that are off have none."""
    for server in s.stale_servers:
        t.stale_unseen_unblock[server, job] = True
    for worker in s.workers:
        t.when(all_of(has_snapshot(s, worker), s.job[worker] == job)).unseen_unblock[worker] = True
    for number in s.eval_numbers:
        t.when(is_arriving(s, job, number)).missed_unblock[job, number] = True
        tracked, is_displaced = t.when(is_tracked(s, job, number)), is_followed(s, job, number)
        hand_back(s, tracked.when(not_(is_displaced)), job, number, is_second=is_first)
        displace(s, tracked.when(is_displaced), job, number)


def is_followed(s: Kernel, job: JobId, number: EvalNumber) -> Flag:
    """True while blocked evals will look at another evaluation of the job after this one."""
    return exists(s.arriving[job, other] > s.arriving[job, number] for other in s.eval_numbers)


def displace(s: Kernel, t: Kernel, job: JobId, number: EvalNumber) -> None:
    """Put a tracked evaluation on the list to cancel, for another one of its job takes its place."""
    t.duplicate[job, number] = True
    t.blocked_in[job, number] = BlockedIn.OUT
    if not s.has(DISPLACED_IS_DELIVERED):
        t.by_node[job, number] = False


def is_kept_by_node(s: Kernel, job: JobId) -> Flag:
    """True while blocked evals keep evaluations of the job by node too: not those that are escaped."""
    return all_of(s.kind[job] == Kind.SYSTEM, not_(s.escaped[job]))


def untrack(s: Kernel, t: Kernel, job: JobId) -> None:
    """Forget what is tracked of a job; what has missed an unblock is on its way to the broker already."""
    is_left = all_of(s.has(LEFT_CAPTURED), is_kept_by_node(s, job))
    for number in s.eval_numbers:
        t.by_node[job, number] = False
        stays = all_of(is_left, not_(is_followed(s, job, number)))
        t.when(all_of(is_tracked(s, job, number), not_(stays))).blocked_in[job, number] = BlockedIn.OUT
        before = count(
            all_of(is_before(s, job, other, number), s.missed_unblock[job, other]) for other in s.eval_numbers
        )
        given, missed = t.when(is_arriving(s, job, number)), s.missed_unblock[job, number]
        given.arriving[job, number] = ite(missed, 1 + before, 0)
        given.when(all_of(stays, not_(missed))).blocked_in[job, number] = BlockedIn.CAPTURED


@rule(
    "BLOCKED-02",
    "BLOCKED-10",
    "BLOCKED-20",
    "BLOCKED-22",
    "BLOCKED-30",
    actor="blocked evals",
    fair=weak("job"),
)
def track_blocked(s: Kernel, t: Kernel, job: JobId, number: EvalNumber) -> None:
    """Blocked evals take in an evaluation, in place of another of its job, unless it missed an unblock."""
    t.require(is_arriving(s, job, number))
    t.require(not_(exists(is_before(s, job, other, number) for other in s.eval_numbers)))
    is_kept = all_of(is_kept_by_node(s, job), not_(s.missed_unblock[job, number]))
    for other in s.eval_numbers:
        displace(s, t.when(is_tracked(s, job, other)), job, other)
        t.when(all_of(is_kept, s.at[job, other] == s.at[job, number])).by_node[job, other] = False
        t.when(is_arriving(s, job, other)).arriving[job, other] = s.arriving[job, other] - 1
    t.when(is_kept).by_node[job, number] = True
    t.blocked_in[job, number] = ite(s.escaped[job], BlockedIn.ESCAPED, BlockedIn.CAPTURED)
    hand_back(s, t.when(s.missed_unblock[job, number]), job, number, is_second=False)
    t.arriving[job, number] = 0
    t.missed_unblock[job, number] = False


def is_before(s: Kernel, job: JobId, other: EvalNumber, number: EvalNumber) -> Flag:
    """True while blocked evals were given another evaluation of the job before this one."""
    return all_of(is_arriving(s, job, other), s.arriving[job, other] < s.arriving[job, number])


@rule("BLOCKED-23", "LEADER-30", "EVAL-45", actor="blocked evals", fair=weak("job"))
def cancel_duplicate(s: Kernel, t: Kernel, job: JobId, number: EvalNumber) -> None:
    """The leader writes a duplicate as canceled."""
    t.require(s.duplicate[job, number])
    t.duplicate[job, number] = False
    note_entry(s, t)
    t.when(s.eval_record[job, number] != EvalRecord.ABSENT).eval_record[job, number] = EvalRecord.CANCELED


@rule("LEADER-30", spends=Kernel.entries_failed, actor="blocked evals")
def lose_duplicate(s: Kernel, t: Kernel, job: JobId, number: EvalNumber) -> None:
    """With the quirk, the entry that should cancel a duplicate fails, and nothing tries again."""
    t.require(s.has(FORGOTTEN_BATCH), s.duplicate[job, number])
    t.duplicate[job, number] = False


def is_retried_soon(s: Kernel, job: JobId, number: EvalNumber) -> Flag:
    """True while blocked evals hold an evaluation that was made because plans failed."""
    return all_of(is_tracked(s, job, number), s.triggered_by[job, number] == TriggeredBy.MAX_PLAN_ATTEMPTS)


@rule("BLOCKED-44", "LEADER-50", actor="blocked evals", fair=weak("job"))
def retry_failed_plans(s: Kernel, t: Kernel, job: JobId, number: EvalNumber) -> None:
    """The leader's ticker wakes an evaluation that was made because plans failed."""
    t.require(is_retried_soon(s, job, number))
    hand_back(s, t, job, number, is_second=False)
