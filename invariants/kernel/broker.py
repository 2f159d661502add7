"""What must be true of evaluations and their deliveries by the broker."""

from nomadspec.invariants.kernel.bounds import is_cut_short
from nomadspec.invariants.kernel.lifecycles import list_numbered_pairs
from nomadspec.invariants.kernel.phases import place_of
from nomadspec.invariants.kernel.requests import has_asked_for_an_eval
from nomadspec.model.kernel.blocked import is_arriving, is_covered
from nomadspec.model.kernel.broker import (
    has_ended,
    holds_delivery,
    holds_job,
    is_busy,
    is_core,
    is_delayed,
    is_enqueued,
    is_made_blocked,
    is_on,
    next_number,
)
from nomadspec.model.kernel.ids import EvalNumber, JobId, WorkerId
from nomadspec.model.kernel.plan_queue import is_with_applier
from nomadspec.model.kernel.state import Kernel
from nomadspec.model.kernel.statuses import BlockedIn, EvalRecord, InBroker, JobPhase, Stage, TriggeredBy
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
from nomadspec.model.language.property import always, eventually, sometimes, step
from nomadspec.model.lifecycle.evaluation_place import EVALUATION_PLACE


def is_pending(s: Kernel, job: JobId, number: EvalNumber) -> Flag:
    """True while the record of an evaluation is pending."""
    return s.eval_record[job, number] == EvalRecord.PENDING


def is_blocked(s: Kernel, job: JobId, number: EvalNumber) -> Flag:
    """True while the record of an evaluation is blocked."""
    return s.eval_record[job, number] == EvalRecord.BLOCKED


@step(
    "EVAL-02", "EVAL-37", why="readers must be able to rely on an end", j=Kernel.jobs, e=Kernel.eval_numbers
)
def terminal_eval_keeps_its_status(s: Kernel, n: Kernel, j: JobId, e: EvalNumber) -> Flag:
    """The record of an evaluation that has ended changes no more, but for its deletion."""
    return implies(has_ended(s, j, e), one_of(n.eval_record[j, e], s.eval_record[j, e], EvalRecord.ABSENT))


@always(
    "EVAL-03",
    "LEADER-02",
    "FSM-02",
    why="a pending evaluation outside the broker is never run",
    j=Kernel.jobs,
    e=Kernel.eval_numbers,
)
def no_pending_evaluation_is_forgotten(s: Kernel, j: JobId, e: EvalNumber) -> Flag:
    """A leader whose broker works has every pending evaluation somewhere."""
    return implies(all_of(is_on(s), is_pending(s, j, e)), is_covered(s, j, e))


@always(
    "BLOCKED-10",
    "LEADER-02",
    "FSM-02",
    why="a blocked evaluation outside blocked evals is never woken",
    j=Kernel.jobs,
    e=Kernel.eval_numbers,
)
def no_blocked_evaluation_is_forgotten(s: Kernel, j: JobId, e: EvalNumber) -> Flag:
    """A leader whose blocked evals are on has every blocked evaluation somewhere."""
    return implies(all_of(is_on(s), is_blocked(s, j, e)), is_covered(s, j, e))


@always(
    "EVAL-10",
    "GC-01",
    "BROKER-36",
    why="lists of evaluations are of jobs, not of the leader's own work",
    j=Kernel.jobs,
    e=Kernel.eval_numbers,
)
def core_evaluations_are_not_stored(s: Kernel, j: JobId, e: EvalNumber) -> Flag:
    """An evaluation of a core job has no record."""
    return implies(is_core(s, j), s.eval_record[j, e] == EvalRecord.ABSENT)


@eventually(
    "EVAL-03",
    "WORKER-03",
    "LEADER-20",
    why="an evaluation that stays pending for ever is work that is never done",
    given=is_pending,
    job=Kernel.jobs,
    number=Kernel.eval_numbers,
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


@always(
    "BROKER-07",
    why="two evaluations of a job at once would make two plans for the same instances",
    j=Kernel.jobs,
    e=Kernel.eval_numbers,
    o=Kernel.eval_numbers,
)
def one_eval_of_a_job_is_outstanding(s: Kernel, j: JobId, e: EvalNumber, o: EvalNumber) -> Flag:
    """At most one evaluation of a job is ready, delivered, waiting after a nack, or at the delivery limit."""
    return not_(all_of(o < e, holds_job(s, j, o), holds_job(s, j, e)))


@always("BROKER-06", "BROKER-36", why="such an evaluation never runs", j=Kernel.jobs, e=Kernel.eval_numbers)
def nothing_waits_behind_a_free_job(s: Kernel, j: JobId, e: EvalNumber) -> Flag:
    """An evaluation waits behind its job only while another one of the job occupies it."""
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


@always("BROKER-36", "BROKER-51", why="what is canceled must not run", j=Kernel.jobs, e=Kernel.eval_numbers)
def cancelable_evals_are_not_delivered(s: Kernel, j: JobId, e: EvalNumber) -> Flag:
    """An evaluation on the list to cancel is nowhere else in the broker."""
    return implies(s.cancelable[j, e], is_at(InBroker.OUT, s, j, e))


@always("BROKER-40", "BROKER-43", why="no evaluation is tried for ever", j=Kernel.jobs, e=Kernel.eval_numbers)
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


@step("BROKER-01", "BLOCKED-01", why="it is handed on from there", j=Kernel.jobs, e=Kernel.eval_numbers)
def place_follows_its_table(s: Kernel, n: Kernel, j: JobId, e: EvalNumber) -> Flag:
    """Every change of an evaluation's place is an intended arrow of its lifecycle; a new one is anywhere."""
    before, after = place_of(s, j, e), place_of(n, j, e)
    intended = list_numbered_pairs(EVALUATION_PLACE, lambda _: False)
    is_arrow = exists(all_of(before == source, after == target) for source, target in intended)
    return any_of(before == NONE, before == after, is_arrow)


@step("BROKER-16", "BROKER-36", why="the newest has seen the most", j=Kernel.jobs, e=Kernel.eval_numbers)
def newest_evaluation_goes_next(s: Kernel, n: Kernel, j: JobId, e: EvalNumber) -> Flag:
    """What is put on the list to cancel is older than what goes on in its place."""
    return implies(
        all_of(n.cancelable[j, e], not_(s.cancelable[j, e])),
        exists(
            all_of(o > e, is_at(InBroker.PENDING_BEHIND_JOB, s, j, o), is_at(InBroker.READY, n, j, o))
            for o in s.eval_numbers
        ),
    )


@eventually(
    "BROKER-32",
    "WORKER-03",
    why="a delivery that never ends keeps its job from being scheduled",
    given=lambda s, job, number: s.in_broker[job, number] == InBroker.UNACKED,
    job=Kernel.jobs,
    number=Kernel.eval_numbers,
)
def deliveries_end(s: Kernel, job: JobId, number: EvalNumber) -> Flag:
    """An evaluation does not stay unacked."""
    return any_of(is_cut_short(s), s.in_broker[job, number] != InBroker.UNACKED)


@eventually(
    "LEADER-20",
    "BROKER-07",
    why="until it is reaped, an evaluation at the delivery limit keeps its job from being scheduled",
    given=lambda s, job, number: s.in_broker[job, number] == InBroker.FAILED,
    job=Kernel.jobs,
    number=Kernel.eval_numbers,
)
def evals_at_their_delivery_limit_are_reaped(s: Kernel, job: JobId, number: EvalNumber) -> Flag:
    """An evaluation whose deliveries are used up does not stay in the broker."""
    return any_of(is_cut_short(s), s.in_broker[job, number] != InBroker.FAILED)


@eventually(
    "LEADER-40",
    "BROKER-51",
    why="an evaluation that is superseded but still called pending looks like work to everybody",
    given=lambda s, job, number: all_of(
        s.cancelable[job, number], s.eval_record[job, number] != EvalRecord.ABSENT
    ),
    job=Kernel.jobs,
    number=Kernel.eval_numbers,
)
def cancelable_evals_are_canceled(s: Kernel, job: JobId, number: EvalNumber) -> Flag:
    """A superseded evaluation ends, is deleted, or is with broker or blocked evals of a new leader."""
    in_broker = any_of(s.in_broker[job, number] != InBroker.OUT, s.arriving[job, number] > 0)
    gone = s.eval_record[job, number] == EvalRecord.ABSENT
    return any_of(is_cut_short(s), has_ended(s, job, number), in_broker, gone)


@sometimes(
    "BROKER-06", why="pending evaluations matter only where two meet", scopes=("external-triggers", "batch")
)
def an_eval_is_pending_behind_its_job(s: Kernel) -> Flag:
    """An evaluation waits behind another one of its job."""
    return exists(is_at(InBroker.PENDING_BEHIND_JOB, s, j, e) for j in s.jobs for e in s.eval_numbers)


@sometimes(
    "EVAL-45",
    why="what is superseded ends only where something is",
    scopes=("external-triggers", "deployment"),
)
def an_evaluation_is_canceled(s: Kernel) -> Flag:
    """An evaluation is canceled in its record."""
    return exists(s.eval_record[j, e] == EvalRecord.CANCELED for j in s.jobs for e in s.eval_numbers)


@sometimes(
    "BROKER-36",
    why="superseding needs two evaluations behind a third",
    scopes=("external-triggers", "cancelable", "deployment"),
)
def an_eval_is_cancelable(s: Kernel) -> Flag:
    """An evaluation is on the list to cancel."""
    return exists(s.cancelable[j, e] for j in s.jobs for e in s.eval_numbers)


@sometimes(
    "BROKER-32",
    why="tokens matter only where a worker has one that is no longer valid",
    scopes=("two-tokens",),
    x=Kernel.workers,
    y=Kernel.workers,
    j=Kernel.jobs,
    e=Kernel.eval_numbers,
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


@step(
    "BROKER-35",
    "BROKER-40",
    "EVAL-32",
    "WORKER-30",
    why="a slow worker must not undo another's work",
    w=Kernel.workers,
    j=Kernel.jobs,
)
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


@step(
    "BROKER-15",
    "BROKER-21",
    why="a job of a higher priority must not wait for the others",
    j=Kernel.jobs,
    e=Kernel.eval_numbers,
    k=Kernel.jobs,
    o=Kernel.eval_numbers,
)
def higher_priority_eval_is_dequeued_first(
    s: Kernel, n: Kernel, j: JobId, e: EvalNumber, k: JobId, o: EvalNumber
) -> Flag:
    """A worker takes an evaluation only when none of a higher priority is ready for the same scheduler."""
    is_taken = all_of(s.in_broker[j, e] == InBroker.READY, n.in_broker[j, e] == InBroker.UNACKED)
    is_ready = all_of(n.in_broker[k, o] == InBroker.READY, s.kind[k] == s.kind[j])
    is_passed_over = all_of(is_ready, s.eval_priority[k, o] > s.eval_priority[j, e])
    return not_(all_of(is_taken, is_passed_over))


@step("BROKER-06", "TRIG-17", why="WaitUntil says when it is due", j=Kernel.jobs, e=Kernel.eval_numbers)
def delayed_eval_falls_due_once(s: Kernel, n: Kernel, j: JobId, e: EvalNumber) -> Flag:
    """Only an evaluation made for later waits, and it stays until it is due, unless it has ended."""
    waits = all_of(n.in_broker[j, e] == InBroker.WAITING, s.in_broker[j, e] != InBroker.WAITING)
    is_gone = all_of(s.in_broker[j, e] == InBroker.WAITING, n.in_broker[j, e] == InBroker.OUT, is_on(n))
    return all_of(
        implies(waits, is_delayed(n, j, e)),
        implies(is_gone, any_of(has_ended(n, j, e), is_on(s) != is_on(n))),
    )


@step("EVAL-10", "EVAL-13", why="readers rely on all three of them", j=Kernel.jobs, e=Kernel.eval_numbers)
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
    why="an evaluation of a lower priority waits behind all others",
    j=Kernel.jobs,
    e=Kernel.eval_numbers,
)
def new_eval_has_the_priority_of_its_job_or_predecessor(
    s: Kernel, n: Kernel, j: JobId, e: EvalNumber
) -> Flag:
    """A new evaluation has its job's priority or, if no event made it, an earlier one's, unless asked for."""
    is_made = all_of(e == next_number(s, j), n.made[j] > s.made[j])
    is_event = n.triggered_by[j, e] == TriggeredBy.EVENT
    follows = exists(
        all_of(o < s.made[j], n.eval_priority[j, e] == s.eval_priority[j, o]) for o in s.eval_numbers
    )
    is_of_job = n.eval_priority[j, e] == s.priority[j]
    is_right = any_of(is_of_job, has_asked_for_an_eval(s, n), all_of(not_(is_event), follows))
    return implies(all_of(is_made, n.eval_record[j, e] != EvalRecord.ABSENT), is_right)


@step(
    "LEADER-21",
    "LEADER-22",
    "LEADER-23",
    why="a job whose evaluation failed so must be tried again",
    j=Kernel.jobs,
    e=Kernel.eval_numbers,
)
def eval_that_reached_the_delivery_limit_has_a_follow_up(
    s: Kernel, n: Kernel, j: JobId, e: EvalNumber
) -> Flag:
    """What leaves the failed queue has ended, and its job gets a follow-up, or none if that is gone.

    Core evaluations have no record and no follow-up.
    """
    is_out = all_of(s.in_broker[j, e] == InBroker.FAILED, n.in_broker[j, e] != InBroker.FAILED)
    is_reaped = all_of(is_out, is_on(n), is_on(s), n.job_phase[j] == s.job_phase[j], not_(is_core(s, j)))
    made = exists(
        all_of(e >= s.made[j], e < n.made[j], n.triggered_by[j, e] == TriggeredBy.FAILED_FOLLOW_UP)
        for e in s.eval_numbers
    )
    is_followed = ite(s.job_phase[j] == JobPhase.ABSENT, n.made[j] == s.made[j], made)
    return implies(is_reaped, all_of(has_ended(n, j, e), is_followed))
