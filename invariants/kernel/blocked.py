"""What must be true of blocked evals: which are kept, where, and what wakes them."""

from nomadspec.invariants.kernel.bounds import is_cut_short
from nomadspec.invariants.kernel.phases import is_enqueued
from nomadspec.model.kernel.blocked import is_arriving, is_retried_soon, is_tracked
from nomadspec.model.kernel.broker import has_ended, is_on
from nomadspec.model.kernel.ids import EvalNumber, JobId, NodeId, WorkerId
from nomadspec.model.kernel.state import Kernel
from nomadspec.model.kernel.statuses import BlockedIn, EvalRecord, InBroker, Stage, TriggeredBy
from nomadspec.model.language.logic import (
    Flag,
    all_of,
    any_of,
    count,
    exists,
    for_all,
    iff,
    implies,
    ite,
    not_,
    one_of,
)
from nomadspec.model.language.property import always, eventually, lemma, sometimes, step


def is_awaited(s: Kernel, job: JobId, number: EvalNumber) -> Flag:
    """True while blocked evals have an evaluation, will have it, or have it on their list to cancel."""
    return any_of(is_tracked(s, job, number), is_arriving(s, job, number), s.duplicate[job, number])


@always("BLOCKED-20", "BLOCKED-21", why="two blocked evaluations of a job would both run for one event")
def one_blocked_eval_of_a_job_is_tracked(s: Kernel, j: JobId, e: EvalNumber, o: EvalNumber) -> Flag:
    """Blocked evals hold at most one evaluation of a job."""
    return not_(all_of(o < e, is_tracked(s, j, o), is_tracked(s, j, e)))


@always("BLOCKED-10", "BLOCKED-45", "EVAL-04", why="a terminal evaluation must not wait for room")
def tracked_evals_are_blocked(s: Kernel, j: JobId, e: EvalNumber) -> Flag:
    """A tracked evaluation has not ended in its record."""
    return implies(is_tracked(s, j, e), not_(has_ended(s, j, e)))


@always("BLOCKED-22", "BLOCKED-41", "LEADER-30", "WORKER-32", why="what waits must not run or be canceled")
def tracked_evals_are_nowhere_else(s: Kernel, j: JobId, e: EvalNumber) -> Flag:
    """A tracked evaluation is no duplicate, and the broker has it only while who blocked it again acks."""
    is_apart = all_of(one_of(s.in_broker[j, e], InBroker.OUT, InBroker.UNACKED), not_(s.duplicate[j, e]))
    return implies(is_tracked(s, j, e), is_apart)


@step("BLOCKED-40", "EVAL-20", why="a job that cannot use the room would be evaluated in vain")
def infeasible_node_unblocks_only_escaped_evals(
    s: Kernel, n: Kernel, j: JobId, e: EvalNumber, m: NodeId
) -> Flag:
    """A node that becomes ready wakes, of a job infeasible there, the escaped evaluations and no others."""
    is_opened = all_of(n.node_up[m], not_(s.node_up[m]))
    is_for_nothing = all_of(is_opened, s.infeasible[j, m], is_tracked(s, j, e))
    return implies(is_for_nothing, iff(is_tracked(n, j, e), s.blocked_in[j, e] == BlockedIn.CAPTURED))


@eventually(
    "BLOCKED-44",
    "LEADER-50",
    why="plans that lost a race must be tried again without an external event",
    given=is_retried_soon,
)
def failed_plans_are_retried(s: Kernel, job: JobId, number: EvalNumber) -> Flag:
    """An evaluation made because plans failed does not stay blocked."""
    return any_of(is_cut_short(s), not_(is_tracked(s, job, number)))


@sometimes(
    "BLOCKED-10", why="wake-ups matter only where something waits", scopes=("duplicates", "plan-rejections")
)
def a_blocked_eval_is_tracked(s: Kernel) -> Flag:
    """Blocked evals hold an evaluation."""
    return exists(is_tracked(s, j, e) for j in s.jobs for e in s.eval_numbers)


@sometimes(
    "BLOCKED-20",
    why="duplicates matter only where a job has two blocked evaluations",
    scopes=("duplicates", "pause"),
)
def a_job_has_a_duplicate(s: Kernel, j: JobId, e: EvalNumber, o: EvalNumber) -> Flag:
    """A blocked evaluation has lost to another one of its job."""
    return all_of(s.duplicate[j, e], is_tracked(s, j, o))


@sometimes(
    "BLOCKED-30", why="missed unblocks matter only where one was missed", scopes=("preemption", "partial")
)
def an_unblock_is_missed(s: Kernel) -> Flag:
    """An unblock came after the plan, and before blocked evals had its evaluation."""
    return exists(
        all_of(is_arriving(s, j, e), s.missed_unblock[j, e]) for j in s.jobs for e in s.eval_numbers
    )


@sometimes(
    "BLOCKED-40",
    "EVAL-20",
    why="feasibility matters for a wake-up only where an infeasible node has room",
    scopes=("infeasible-node",),
)
def a_job_is_blocked_beside_an_infeasible_node(s: Kernel, j: JobId, e: EvalNumber, m: NodeId) -> Flag:
    """Blocked evals hold an evaluation of a job while a node is ready on which it is infeasible."""
    return all_of(is_tracked(s, j, e), s.node_up[m], s.infeasible[j, m])


@step("BLOCKED-10", "BLOCKED-30", why="an unblock must not be lost")
def missed_unblock_requeues_blocked_eval(s: Kernel, n: Kernel, j: JobId, e: EvalNumber) -> Flag:
    """Blocked evals give an evaluation that missed an unblock to the broker, and keep any other.

    What was canceled on its way is not kept.
    """
    is_looked_at = all_of(is_arriving(s, j, e), not_(is_arriving(n, j, e)), is_on(n))
    is_queued_ = n.in_broker[j, e] != InBroker.OUT
    is_kept = is_tracked(n, j, e)
    placed = all_of(not_(is_kept), not_(is_queued_), has_ended(n, j, e))
    is_right = ite(s.missed_unblock[j, e], all_of(is_queued_, not_(is_kept)), any_of(is_kept, placed))
    return implies(is_looked_at, is_right)


@step("BLOCKED-02", "BLOCKED-20", "BLOCKED-22", "EVAL-12", why="the evaluation with the newest view goes on")
def duplicate_blocked_eval_gives_way_to_a_newer_one(s: Kernel, n: Kernel) -> Flag:
    """A blocked evaluation becomes a duplicate only for the next in line, now or in its turn."""

    def is_displaced(j: JobId, e: EvalNumber) -> Flag:
        return all_of(n.duplicate[j, e], not_(s.duplicate[j, e]))

    def takes_over(j: JobId, e: EvalNumber) -> Flag:
        return exists(
            all_of(
                e != o,
                is_arriving(s, j, o),
                ite(is_arriving(n, j, o), n.missed_unblock[j, o], goes_on(n, j, o)),
            )
            for o in s.eval_numbers
        )

    def is_in_turn(j: JobId, e: EvalNumber, o: EvalNumber) -> Flag:
        is_left = all_of(is_arriving(s, j, e), not_(is_arriving(n, j, e)), is_newly_tracked(s, n, j, e))
        return implies(all_of(is_left, is_arriving(s, j, o)), s.arriving[j, o] >= s.arriving[j, e])

    return all_of(
        for_all(implies(is_displaced(j, e), takes_over(j, e)) for j in s.jobs for e in s.eval_numbers),
        for_all(is_in_turn(j, e, o) for j in s.jobs for e in s.eval_numbers for o in s.eval_numbers),
    )


def goes_on(s: Kernel, job: JobId, number: EvalNumber) -> Flag:
    """True while an evaluation is tracked or in the broker."""
    return any_of(is_tracked(s, job, number), s.in_broker[job, number] != InBroker.OUT)


def is_newly_tracked(s: Kernel, n: Kernel, job: JobId, number: EvalNumber) -> Flag:
    """True where a step begins to track an evaluation."""
    return all_of(is_tracked(n, job, number), not_(is_tracked(s, job, number)))


@step("BLOCKED-40", "BLOCKED-44", why="without room it would run in vain")
def blocked_eval_is_woken_only_by_capacity_or_retry(s: Kernel, n: Kernel, j: JobId, e: EvalNumber) -> Flag:
    """A blocked evaluation is queued again for room that came free, or after failed plans."""
    ended = exists(all_of(n.is_reported[k, i], not_(s.is_reported[k, i])) for k in s.jobs for i in s.allocs)
    nodes = exists(
        any_of(all_of(n.node_up[m], not_(s.node_up[m])), all_of(n.eligible[m], not_(s.eligible[m])))
        for m in s.nodes
    )
    is_freed = any_of(ended, nodes)
    is_queued_ = all_of(s.in_broker[j, e] == InBroker.OUT, is_enqueued(n, j, e))
    is_woken = all_of(is_tracked(s, j, e), not_(is_tracked(n, j, e)), is_queued_, is_on(n))
    return implies(is_woken, any_of(is_freed, s.triggered_by[j, e] == TriggeredBy.MAX_PLAN_ATTEMPTS))


@step("EVAL-35", "EVAL-45", "BLOCKED-45", why="an evaluation of a placed job would run for nothing")
def placed_job_has_no_blocked_eval(s: Kernel, n: Kernel, w: WorkerId, j: JobId) -> Flag:
    """An evaluation that is complete with everything placed leaves none of its job blocked."""
    is_written = all_of(s.job[w] == j, s.stage[w] == Stage.DECIDED, n.stage[w] == Stage.ACKING, s.holds[w])
    is_over = for_all(
        all_of(n.eval_record[j, e] != EvalRecord.BLOCKED, not_(is_tracked(n, j, e)), not_(n.by_node[j, e]))
        for e in s.eval_numbers
    )
    return implies(all_of(is_written, not_(s.is_short[w])), is_over)


# lemmas


@lemma("BLOCKED-10", "BLOCKED-22", why="of two that come at once neither would be the newer")
def arriving_evals_have_turns_of_their_own(s: Kernel, j: JobId, e: EvalNumber, o: EvalNumber) -> Flag:
    """No two evaluations of a job have the same turn."""
    are_two = all_of(o < e, is_arriving(s, j, o), is_arriving(s, j, e))
    return implies(are_two, s.arriving[j, o] != s.arriving[j, e])


@lemma("BLOCKED-10", "BLOCKED-22", why="the next evaluation would overtake one that waits already")
def arriving_evals_have_the_first_turns(s: Kernel) -> Flag:
    """No turn is later than there are evaluations of the job in the line."""
    return for_all(
        any_of(s.arriving[j, e] == 0, s.arriving[j, e] <= count(is_arriving(s, j, o) for o in s.eval_numbers))
        for j in s.jobs
        for e in s.eval_numbers
    )


@lemma("BLOCKED-10", "EVAL-10", why="a number that was not given out stands in no line")
def arriving_evals_were_made(s: Kernel) -> Flag:
    """What is on its way to blocked evals was made."""
    return for_all(implies(is_arriving(s, j, e), e < s.made[j]) for j in s.jobs for e in s.eval_numbers)


@lemma("LEADER-08", "BLOCKED-46", why="blocked evals that are switched on begin with an empty line")
def nothing_arrives_while_blocked_evals_are_off(s: Kernel) -> Flag:
    """Nothing is on its way to blocked evals that are off."""
    return any_of(is_on(s), for_all(not_(is_arriving(s, j, e)) for j in s.jobs for e in s.eval_numbers))


@lemma("WORKER-32", "EVAL-13", why="what is handed over twice would have two turns")
def evals_in_hand_do_not_arrive(s: Kernel, w: WorkerId) -> Flag:
    """What a worker has still to see to is not on its way to blocked evals."""
    is_in_hand = all_of(s.holds[w], s.stage[w] != Stage.ACKING)
    return implies(is_in_hand, not_(is_arriving(s, s.job[w], s.number[w])))


@lemma("BLOCKED-10", "EVAL-20", why="feasibility wakes the captured ones, and any room the escaped")
def tracked_evals_are_escaped_as_their_jobs(s: Kernel, j: JobId, e: EvalNumber) -> Flag:
    """What is tracked is escaped if its job is, and captured otherwise."""
    kept = ite(s.escaped[j], BlockedIn.ESCAPED, BlockedIn.CAPTURED)
    return one_of(s.blocked_in[j, e], BlockedIn.OUT, kept)
