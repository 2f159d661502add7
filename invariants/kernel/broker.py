"""What must be true of evaluations and their deliveries by the broker."""

from nomadspec.invariants.kernel.blocked import is_awaited
from nomadspec.invariants.kernel.bounds import is_cut_short
from nomadspec.invariants.kernel.lifecycles import list_numbered_pairs
from nomadspec.invariants.kernel.phases import is_enqueued, place_of
from nomadspec.model.kernel.blocked import is_arriving, is_tracked
from nomadspec.model.kernel.broker import (
    has_ended,
    holds_delivery,
    holds_job,
    is_busy,
    is_canceled_in_store,
    is_core,
    is_delayed,
    is_in_blocked_evals,
    is_made_blocked,
    is_on,
    next_number,
)
from nomadspec.model.kernel.ids import EvalNumber, JobId, WorkerId
from nomadspec.model.kernel.plan_queue import is_with_applier
from nomadspec.model.kernel.state import Kernel
from nomadspec.model.kernel.statuses import (
    OPEN_EVAL,
    BlockedIn,
    EvalRecord,
    InBroker,
    JobPhase,
    Stage,
    TriggeredBy,
)
from nomadspec.model.language.domain import NONE
from nomadspec.model.language.logic import (
    Flag,
    all_of,
    any_of,
    exists,
    for_all,
    implies,
    ite,
    none_of,
    not_,
    one_of,
)
from nomadspec.model.language.property import always, eventually, lemma, sometimes, step
from nomadspec.model.lifecycle.evaluation_place import EVALUATION_PLACE


def is_pending(s: Kernel, job: JobId, number: EvalNumber) -> Flag:
    """True while the record of an evaluation is pending."""
    return s.eval_record[job, number] == EvalRecord.PENDING


def is_blocked(s: Kernel, job: JobId, number: EvalNumber) -> Flag:
    """True while the record of an evaluation is blocked."""
    return s.eval_record[job, number] == EvalRecord.BLOCKED


def is_covered(s: Kernel, job: JobId, number: EvalNumber) -> Flag:
    """True while the leader has the evaluation somewhere, and so will come back to it."""
    in_broker = any_of(s.in_broker[job, number] != InBroker.OUT, s.cancelable[job, number])
    is_outstanding = exists(holds_delivery(s, worker, job, number) for worker in s.workers)
    return any_of(in_broker, is_outstanding, is_in_blocked_evals(s, job, number), s.by_node[job, number])


@step("EVAL-02", "EVAL-37", why="readers must be able to rely on an end")
def terminal_eval_keeps_its_status(s: Kernel, n: Kernel, j: JobId, e: EvalNumber) -> Flag:
    """The record of an evaluation that has ended changes no more, but for its deletion."""
    return implies(has_ended(s, j, e), one_of(n.eval_record[j, e], s.eval_record[j, e], EvalRecord.ABSENT))


@always("BLOCKED-10", "EVAL-03", "LEADER-02", "FSM-02", why="what the leader does not know is never run")
def no_open_evaluation_is_forgotten(s: Kernel, j: JobId, e: EvalNumber) -> Flag:
    """A leader whose broker works has every pending and every blocked evaluation somewhere."""
    return implies(all_of(is_on(s), one_of(s.eval_record[j, e], *OPEN_EVAL)), is_covered(s, j, e))


@always("EVAL-10", "GC-01", "BROKER-36", why="lists of evaluations are of jobs, not of the leader's own work")
def core_evaluations_are_not_stored(s: Kernel, j: JobId, e: EvalNumber) -> Flag:
    """An evaluation of a core job has no record."""
    return implies(is_core(s, j), s.eval_record[j, e] == EvalRecord.ABSENT)


@eventually(
    "EVAL-03",
    "WORKER-03",
    "LEADER-20",
    why="an evaluation that stays pending for ever is work that is never done",
    given=is_pending,
)
def pending_evaluations_end(s: Kernel, job: JobId, number: EvalNumber) -> Flag:
    """The record of an evaluation does not stay pending."""
    return any_of(is_cut_short(s), not_(is_pending(s, job, number)))


@sometimes("LEADER-51", "TRIG-25", why="core evaluations matter only where one waits", scopes=("core-evals",))
def a_core_eval_is_cancelable(s: Kernel) -> Flag:
    """A core evaluation is on the list to cancel."""
    return exists(all_of(is_core(s, j), s.cancelable[j, e]) for j in s.jobs for e in s.eval_numbers)


@sometimes(
    "LEADER-22", "BROKER-40", why="follow-ups matter only where some wait", scopes=("delivery-limit", "pause")
)
def a_follow_up_waits(s: Kernel) -> Flag:
    """A follow-up of an evaluation that reached the delivery limit is pending."""
    return exists(
        all_of(is_pending(s, j, e), s.triggered_by[j, e] == TriggeredBy.FAILED_FOLLOW_UP)
        for j in s.jobs
        for e in s.eval_numbers
    )


def is_at(place: InBroker, s: Kernel, job: JobId, number: EvalNumber) -> Flag:
    """True while the broker has the evaluation at this place."""
    return s.in_broker[job, number] == place


@always("BROKER-07", why="two evaluations of a job at once would make two plans for the same allocations")
def one_eval_of_a_job_is_outstanding(s: Kernel, j: JobId, e: EvalNumber, o: EvalNumber) -> Flag:
    """At most one evaluation of a job is ready, delivered, waiting after a nack, or at the delivery limit."""
    return not_(all_of(o < e, holds_job(s, j, o), holds_job(s, j, e)))


@always("BROKER-06", "BROKER-36", why="such an evaluation never runs")
def nothing_is_pending_for_a_free_job(s: Kernel, j: JobId, e: EvalNumber) -> Flag:
    """An evaluation is pending behind others of its job only while one of these occupies it."""
    return implies(is_at(InBroker.PENDING_BEHIND_JOB, s, j, e), is_busy(s, j))


@always("BROKER-22", "BROKER-35", why="an evaluation with two valid tokens could be written twice")
def deliveries_have_one_holder(s: Kernel) -> Flag:
    """A delivered evaluation has exactly one worker with a valid token, and any other has none."""
    is_out = for_all(
        implies(s.holds[w], s.in_broker[s.job[w], s.number[w]] == InBroker.UNACKED) for w in s.workers
    )
    is_held = for_all(
        implies(is_at(InBroker.UNACKED, s, j, e), exists(holds_delivery(s, w, j, e) for w in s.workers))
        for j in s.jobs
        for e in s.eval_numbers
    )
    is_alone = for_all(
        implies(all_of(w != o, s.holds[w], s.holds[o], s.job[w] == s.job[o]), s.number[w] != s.number[o])
        for w in s.workers
        for o in s.workers
    )
    return all_of(is_out, is_held, is_alone)


@always("BROKER-36", "BROKER-51", why="what is canceled must not run")
def cancelable_evals_are_not_delivered(s: Kernel, j: JobId, e: EvalNumber) -> Flag:
    """An evaluation on the list to cancel is nowhere else in the broker."""
    return implies(s.cancelable[j, e], is_at(InBroker.OUT, s, j, e))


@always("BROKER-40", "BROKER-43", why="no evaluation is tried for ever")
def deliveries_are_bounded(s: Kernel, j: JobId, e: EvalNumber) -> Flag:
    """An evaluation fails when it has reached the delivery limit, and not before."""
    is_spent = s.delivered[j, e] >= s.deliveries
    is_tried = any_of(is_at(InBroker.NACKED, s, j, e), is_at(InBroker.READY, s, j, e))
    return all_of(implies(is_at(InBroker.FAILED, s, j, e), is_spent), implies(is_tried, not_(is_spent)))


@always(
    "BROKER-52", "BLOCKED-46", "BROKER-01", why="evaluations left in an old leader's memory would run twice"
)
def broker_that_is_off_is_empty(s: Kernel) -> Flag:
    """Broker and blocked evals hold nothing while there is no leader, or while they are paused."""

    def is_empty(j: JobId, e: EvalNumber) -> Flag:
        return all_of(
            is_at(InBroker.OUT, s, j, e),
            s.blocked_in[j, e] == BlockedIn.OUT,
            s.arriving[j, e] == 0,
            none_of(s.missed_unblock[j, e], s.cancelable[j, e], s.duplicate[j, e]),
        )

    return any_of(is_on(s), for_all(is_empty(j, e) for j in s.jobs for e in s.eval_numbers))


@step("BROKER-06", "BROKER-36", why="an evaluation that skips a place is looked for where it is not")
def place_follows_its_table(s: Kernel, n: Kernel, j: JobId, e: EvalNumber) -> Flag:
    """Every change of an evaluation's place is an intended arrow of its lifecycle; a new one is anywhere."""
    before, after = place_of(s, j, e), place_of(n, j, e)
    intended = list_numbered_pairs(EVALUATION_PLACE, lambda _: False)
    is_arrow = exists(all_of(before == source, after == target) for source, target in intended)
    return any_of(before == NONE, before == after, is_arrow)


@step("BROKER-16", "BROKER-36", why="what is cancelable is never run: another has to do its work")
def cancelable_eval_gives_way_to_a_newer_or_higher_priority_one(
    s: Kernel, n: Kernel, j: JobId, e: EvalNumber
) -> Flag:
    """What is cancelable gives way to one of its job that is newer, or of a higher priority, and goes on."""

    def goes_on(o: EvalNumber) -> Flag:
        return all_of(is_at(InBroker.PENDING_BEHIND_JOB, s, j, o), is_at(InBroker.READY, n, j, o))

    is_newer = exists(all_of(o > e, goes_on(o)) for o in s.eval_numbers)
    is_higher = exists(
        all_of(s.eval_priority[j, o] > s.eval_priority[j, e], goes_on(o)) for o in s.eval_numbers
    )
    return implies(all_of(n.cancelable[j, e], not_(s.cancelable[j, e])), any_of(is_newer, is_higher))


def was_delivered(s: Kernel, job: JobId, number: EvalNumber) -> Flag:
    """True while an evaluation is with a worker, waits after a nack, or is at the delivery limit."""
    return one_of(s.in_broker[job, number], InBroker.UNACKED, InBroker.NACKED, InBroker.FAILED)


@eventually(
    "BROKER-07",
    "BROKER-32",
    "LEADER-20",
    "WORKER-03",
    why="until then no other evaluation of the job is delivered, whatever happens to it",
    given=was_delivered,
)
def deliveries_end(s: Kernel, job: JobId, number: EvalNumber) -> Flag:
    """A delivery ends: the evaluation is done with, or ready for the next one, or reaped after the last."""
    return any_of(is_cut_short(s), not_(was_delivered(s, job, number)))


def is_to_be_canceled(s: Kernel, job: JobId, number: EvalNumber) -> Flag:
    """True while a stored evaluation is on a list to cancel, as cancelable or as a duplicate."""
    is_listed = any_of(s.cancelable[job, number], s.duplicate[job, number])
    return all_of(is_listed, s.eval_record[job, number] != EvalRecord.ABSENT)


@eventually(
    "BROKER-51",
    "EVAL-45",
    "LEADER-30",
    "LEADER-40",
    why="an evaluation that is to be canceled, but still called pending or blocked, looks like work",
    given=is_to_be_canceled,
)
def cancelable_evals_are_canceled(s: Kernel, job: JobId, number: EvalNumber) -> Flag:
    """What is cancelable or a duplicate ends, is deleted, or is given to a new leader's broker."""
    in_broker = not_(one_of(s.in_broker[job, number], InBroker.OUT, InBroker.UNACKED))
    is_gone = s.eval_record[job, number] == EvalRecord.ABSENT
    goes_on = any_of(in_broker, is_arriving(s, job, number))
    return any_of(is_cut_short(s), has_ended(s, job, number), goes_on, is_gone)


@sometimes(
    "BROKER-06", why="pending evaluations matter only where two meet", scopes=("external-triggers", "batch")
)
def an_eval_is_pending_for_its_job(s: Kernel) -> Flag:
    """An evaluation is pending while another one of its job is evaluated."""
    return exists(is_at(InBroker.PENDING_BEHIND_JOB, s, j, e) for j in s.jobs for e in s.eval_numbers)


@sometimes(
    "EVAL-45",
    why="what is cancelable ends only where something is",
    scopes=("external-triggers", "deployment"),
)
def an_evaluation_is_canceled(s: Kernel) -> Flag:
    """An evaluation is canceled in its record."""
    return exists(s.eval_record[j, e] == EvalRecord.CANCELED for j in s.jobs for e in s.eval_numbers)


@sometimes(
    "BROKER-36",
    why="what is cancelable needs two pending evaluations beside a third",
    scopes=("external-triggers", "cancelable", "deployment"),
)
def an_eval_is_cancelable(s: Kernel) -> Flag:
    """An evaluation is on the list to cancel."""
    return exists(s.cancelable[j, e] for j in s.jobs for e in s.eval_numbers)


@sometimes(
    "BROKER-32",
    why="tokens matter only where a worker has one that is no longer valid",
    scopes=("two-tokens",),
)
def a_worker_has_a_stale_token(s: Kernel, x: WorkerId, y: WorkerId, j: JobId, e: EvalNumber) -> Flag:
    """A worker goes on with an evaluation that another one has by now."""
    return all_of(
        s.stage[x] != Stage.IDLE,
        not_(s.holds[x]),
        s.job[x] == j,
        s.number[x] == e,
        holds_delivery(s, y, j, e),
    )


@sometimes("BROKER-03", "BROKER-36", why="a late unblock must not be lost", scopes=("types", "redelivery"))
def an_evaluation_is_requeued(s: Kernel) -> Flag:
    """The broker will take an evaluation again after its ack."""
    return exists(s.requeued[w] for w in s.workers)


@step("BROKER-35", "BROKER-40", "EVAL-32", "WORKER-30", why="a slow worker must not undo another's work")
def stale_token_has_no_effect(s: Kernel, n: Kernel, w: WorkerId, j: JobId) -> Flag:
    """A worker without a valid token changes no evaluation of its job, submits no plan and gets to no ack.

    A core evaluation has no outcome: its worker gets to an ack, which changes nothing.
    """
    rests = any_of(s.stage[w] == Stage.IDLE, is_with_applier(s, w))
    acts = all_of(n.stage[w] != s.stage[w], not_(s.holds[w]), not_(rests))
    is_unchanged = for_all(
        all_of(
            n.eval_record[j, e] == s.eval_record[j, e],
            n.in_broker[j, e] == s.in_broker[j, e],
            n.blocked_in[j, e] == s.blocked_in[j, e],
            n.arriving[j, e] == s.arriving[j, e],
        )
        for e in s.eval_numbers
    )
    no_outcome = not_(one_of(n.stage[w], Stage.SUBMITTED, Stage.ACKING))
    is_quiet = all_of(any_of(no_outcome, is_core(s, j)), is_unchanged)
    return implies(all_of(acts, s.job[w] == j), is_quiet)


@step("BROKER-15", "BROKER-21", why="a job of a higher priority must not wait for the others")
def higher_priority_eval_is_dequeued_first(
    s: Kernel, n: Kernel, j: JobId, e: EvalNumber, k: JobId, o: EvalNumber
) -> Flag:
    """A worker takes an evaluation only when none of a higher priority is ready for the same scheduler."""
    is_taken = all_of(s.in_broker[j, e] == InBroker.READY, n.in_broker[j, e] == InBroker.UNACKED)
    is_ready = all_of(n.in_broker[k, o] == InBroker.READY, s.kind[k] == s.kind[j])
    is_passed_over = all_of(is_ready, s.eval_priority[k, o] > s.eval_priority[j, e])
    return not_(all_of(is_taken, is_passed_over))


@step("BROKER-04", "TRIG-17", why="WaitUntil says when it is due")
def delayed_eval_waits_until_it_is_due(s: Kernel, n: Kernel, j: JobId, e: EvalNumber) -> Flag:
    """Only an evaluation made for later waits, and it stays until it is due, unless it has ended."""
    waits = all_of(n.in_broker[j, e] == InBroker.WAITING, s.in_broker[j, e] != InBroker.WAITING)
    is_gone = all_of(s.in_broker[j, e] == InBroker.WAITING, n.in_broker[j, e] == InBroker.OUT, is_on(n))
    return all_of(
        implies(waits, is_delayed(n, j, e)),
        implies(is_gone, any_of(has_ended(n, j, e), is_on(s) != is_on(n))),
    )


@step("EVAL-10", "EVAL-05", why="readers rely on all three of them")
def eval_keeps_its_trigger_priority_and_node(s: Kernel, n: Kernel, j: JobId, e: EvalNumber) -> Flag:
    """An evaluation keeps its trigger, its priority and its node."""
    return any_of(
        e >= s.made[j],
        all_of(
            n.triggered_by[j, e] == s.triggered_by[j, e],
            n.eval_priority[j, e] == s.eval_priority[j, e],
            n.at[j, e] == s.at[j, e],
        ),
    )


@step(
    "EVAL-10", "EVAL-12", "FSM-02", "BROKER-04", why="an evaluation that is made is to be run, now or later"
)
def new_eval_is_offered_as_its_trigger_says(s: Kernel, n: Kernel) -> Flag:
    """A new evaluation is blocked, delayed or queued as its trigger says; a job gets one at a time."""

    def is_right(j: JobId, e: EvalNumber) -> Flag:
        is_blocked = is_made_blocked(n, j, e)
        stored = ite(
            is_blocked, EvalRecord.BLOCKED, ite(is_core(s, j), EvalRecord.ABSENT, EvalRecord.PENDING)
        )
        is_ready = is_enqueued(n, j, e)
        waits = n.in_broker[j, e] == InBroker.WAITING
        is_given = all_of(is_arriving(n, j, e), n.in_broker[j, e] == InBroker.OUT)
        is_offered = ite(is_blocked, is_given, ite(is_delayed(n, j, e), waits, is_ready))
        return all_of(n.eval_record[j, e] == stored, implies(is_on(n), is_offered))

    def is_new(j: JobId, e: EvalNumber) -> Flag:
        return all_of(e >= s.made[j], e < n.made[j])

    one_more = for_all(one_of(n.made[j] - s.made[j], 0, 1) for j in s.jobs)
    offered = for_all(implies(is_new(j, e), is_right(j, e)) for j in s.jobs for e in s.eval_numbers)
    return all_of(one_more, offered)


@step(
    "EVAL-10",
    "EVAL-13",
    "LEADER-22",
    "BROKER-16",
    why="an evaluation of a lower priority is pending until all others are done",
)
def new_eval_has_the_priority_of_its_job_or_predecessor(
    s: Kernel, n: Kernel, j: JobId, e: EvalNumber
) -> Flag:
    """A new evaluation has its job's priority or, if no event made it, an earlier one's.

    A blocked one has that of the evaluation that fell short, and the follow-up of one that used up its
    deliveries has its, and a job. An operator who asks for an evaluation gives its priority.
    """
    is_made = all_of(e == next_number(s, j), n.made[j] > s.made[j])
    is_event = n.triggered_by[j, e] == TriggeredBy.EVENT
    is_left = exists(
        all_of(s.job[w] == j, n.eval_priority[j, e] == s.eval_priority[j, s.number[w]]) for w in s.workers
    )
    follows = exists(
        all_of(o < s.made[j], n.eval_priority[j, e] == s.eval_priority[j, o]) for o in s.eval_numbers
    )
    is_after = exists(
        all_of(is_at(InBroker.FAILED, s, j, o), n.eval_priority[j, e] == s.eval_priority[j, o])
        for o in s.eval_numbers
    )
    is_of_job = n.eval_priority[j, e] == s.priority[j]
    is_other = any_of(is_of_job, ite(is_event, n.requested > s.requested, follows))
    is_follow_up = n.triggered_by[j, e] == TriggeredBy.FAILED_FOLLOW_UP
    is_followed = all_of(is_after, n.job_phase[j] != JobPhase.ABSENT)
    is_right = ite(is_made_blocked(n, j, e), is_left, ite(is_follow_up, is_followed, is_other))
    return implies(all_of(is_made, n.eval_record[j, e] != EvalRecord.ABSENT), is_right)


# lemmas


@lemma("EVAL-10", "BROKER-01", why="a number that was not given out names nothing")
def evals_not_made_are_nowhere(s: Kernel) -> Flag:
    """An evaluation that was not made has no record, and is in no queue, list or hand."""

    def is_nowhere(j: JobId, e: EvalNumber) -> Flag:
        return all_of(
            s.eval_record[j, e] == EvalRecord.ABSENT,
            s.in_broker[j, e] == InBroker.OUT,
            s.blocked_in[j, e] == BlockedIn.OUT,
            s.arriving[j, e] == 0,
            none_of(s.cancelable[j, e], s.duplicate[j, e], s.by_node[j, e]),
            all_of(s.triggered_by[j, e] == TriggeredBy.EVENT, s.at[j, e] == NONE),
        )

    is_known = for_all(s.number[w] < s.made[s.job[w]] for w in s.workers)
    return all_of(
        is_known, for_all(any_of(e < s.made[j], is_nowhere(j, e)) for j in s.jobs for e in s.eval_numbers)
    )


@lemma("BROKER-22", "BROKER-36", "BROKER-40", why="a delivery that is not counted is one too many")
def deliveries_are_counted_while_they_last(s: Kernel, j: JobId, e: EvalNumber) -> Flag:
    """What was delivered in this stay has been counted, and what has left the broker counts none."""
    is_fresh = one_of(s.in_broker[j, e], InBroker.OUT, InBroker.PENDING_BEHIND_JOB, InBroker.WAITING)
    is_counted = implies(was_delivered(s, j, e), s.delivered[j, e] > 0)
    return all_of(implies(is_fresh, s.delivered[j, e] == 0), is_counted)


@lemma(
    "BLOCKED-10",
    "BLOCKED-22",
    "BLOCKED-41",
    "BROKER-36",
    "LEADER-30",
    "WORKER-32",
    why="what is to be canceled, or waits for blocked evals, must not go on elsewhere",
)
def blocked_evals_are_in_one_place(s: Kernel, j: JobId, e: EvalNumber) -> Flag:
    """What arrives at blocked evals, is a duplicate or cancelable is nowhere else, but for its last ack."""
    is_leaving = one_of(s.in_broker[j, e], InBroker.OUT, InBroker.UNACKED)
    is_coming = all_of(is_leaving, not_(is_tracked(s, j, e)))
    is_off = all_of(is_leaving, none_of(is_arriving(s, j, e), s.cancelable[j, e]))
    return all_of(
        implies(is_arriving(s, j, e), is_coming),
        implies(s.duplicate[j, e], is_off),
        implies(s.cancelable[j, e], not_(is_awaited(s, j, e))),
        implies(s.by_node[j, e], is_tracked(s, j, e)),
    )


@lemma("WORKER-32", "BROKER-03", why="only its worker still holds what was blocked")
def worker_of_a_blocked_eval_acks(s: Kernel, w: WorkerId) -> Flag:
    """A worker whose evaluation blocked evals have, or have given back, has only to ack it."""
    job, number = (s.job[w], s.number[w])
    acks = all_of(s.stage[w] == Stage.ACKING, not_(has_ended(s, job, number)))
    is_back = all_of(s.holds[w], acks, not_(is_awaited(s, job, number)))
    is_again = all_of(s.holds[w], is_awaited(s, job, number))
    return all_of(implies(is_again, acks), implies(s.requeued[w], is_back))


@lemma("WORKER-03", "BROKER-35", why="an ack must not be the end of what goes on")
def acking_worker_has_written_its_eval(s: Kernel, w: WorkerId) -> Flag:
    """Who acks under a valid token has written an outcome, or the evaluation goes on elsewhere."""
    job, number = (s.job[w], s.number[w])
    goes_on = any_of(s.requeued[w], is_awaited(s, job, number))
    is_seen_to = any_of(has_ended(s, job, number), goes_on, s.eval_record[job, number] == EvalRecord.ABSENT)
    return implies(all_of(s.holds[w], s.stage[w] == Stage.ACKING), is_seen_to)


@lemma("EVAL-10", "GC-01", why="what is the leader's own is not for operators")
def core_jobs_are_not_in_the_store(s: Kernel, j: JobId, e: EvalNumber) -> Flag:
    """A core job has no record, nobody owes it an evaluation, and its evaluations are all alike."""
    is_apart = all_of(s.job_phase[j] == JobPhase.ABSENT, not_(s.owed[j]))
    return implies(is_core(s, j), all_of(is_apart, s.triggered_by[j, e] == TriggeredBy.EVENT))


@lemma("BROKER-04", "EVAL-46", why="an evaluation that waits for its time is pending until its time comes")
def waiting_evals_are_pending(s: Kernel, j: JobId, e: EvalNumber) -> Flag:
    """An evaluation that waits for its time is pending."""
    return implies(s.in_broker[j, e] == InBroker.WAITING, s.eval_record[j, e] == EvalRecord.PENDING)


@lemma("EVAL-37", "EVAL-45", why="what ended must not run")
def queued_evals_are_not_terminal(s: Kernel, j: JobId, e: EvalNumber) -> Flag:
    """The broker keeps nothing that has ended, but for what was canceled after it was woken."""
    is_again = one_of(s.in_broker[j, e], InBroker.NACKED, InBroker.FAILED)
    is_next = is_enqueued(s, j, e)
    return all_of(
        implies(is_again, not_(has_ended(s, j, e))),
        implies(is_next, any_of(not_(has_ended(s, j, e)), is_canceled_in_store(s, j, e))),
    )


@lemma("EVAL-37", "EVAL-46", why="an outcome is written once")
def outstanding_eval_is_ended_by_its_worker(s: Kernel, w: WorkerId) -> Flag:
    """An evaluation which a worker has still to see to has not ended, unless by a purge."""
    return implies(
        all_of(s.holds[w], s.stage[w] != Stage.ACKING),
        not_(one_of(s.eval_record[s.job[w], s.number[w]], EvalRecord.FAILED, EvalRecord.CANCELED)),
    )


@lemma("BLOCKED-10", "EVAL-12", why="only what was made blocked is blocked again")
def blocked_evals_were_made_blocked(s: Kernel) -> Flag:
    """What is blocked, awaited, or held as such was made blocked, and so was never pending."""

    def is_kept(j: JobId, e: EvalNumber) -> Flag:
        is_waiting = any_of(s.eval_record[j, e] == EvalRecord.BLOCKED, is_awaited(s, j, e))
        is_blocked = is_made_blocked(s, j, e)
        return all_of(
            implies(is_waiting, is_blocked), implies(is_blocked, s.eval_record[j, e] != EvalRecord.PENDING)
        )

    return all_of(
        for_all(is_kept(j, e) for j in s.jobs for e in s.eval_numbers),
        for_all(
            implies(any_of(s.was_blocked[w], s.requeued[w]), is_made_blocked(s, s.job[w], s.number[w]))
            for w in s.workers
        ),
    )


@lemma("BLOCKED-30", "BLOCKED-45", why="what is canceled on its way is not to be blocked")
def arriving_blocked_evals_are_not_terminal(s: Kernel, j: JobId, e: EvalNumber) -> Flag:
    """What is on its way to blocked evals has not ended, unless an unblock will send it back."""
    goes_back = all_of(s.missed_unblock[j, e], s.eval_record[j, e] == EvalRecord.CANCELED)
    return implies(all_of(is_arriving(s, j, e), has_ended(s, j, e)), goes_back)


@lemma("EVAL-15", "BLOCKED-41", why="what is woken by its node is woken by the class of the node")
def evaluations_are_for_feasible_nodes(s: Kernel, j: JobId, e: EvalNumber) -> Flag:
    """An evaluation for a node is of a job that is feasible there."""
    return implies(s.at[j, e] != NONE, not_(s.infeasible[j, s.at[j, e]]))


@lemma("LEADER-30", "LEADER-40", "EVAL-37", why="what is canceled late must not have ended otherwise")
def cancelable_evals_are_not_complete(s: Kernel, j: JobId, e: EvalNumber) -> Flag:
    """Nothing on a list to cancel is complete or failed."""
    has_run = one_of(s.eval_record[j, e], EvalRecord.COMPLETE, EvalRecord.FAILED)
    return implies(any_of(s.cancelable[j, e], s.duplicate[j, e]), not_(has_run))
