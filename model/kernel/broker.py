"""The eval broker: at-least-once delivery, and never two evaluations of a job at once."""

from collections.abc import Callable

from nomadspec.model.kernel.columns import DeliveryInBroker
from nomadspec.model.kernel.ids import EvalNumber, JobId, WorkerId
from nomadspec.model.kernel.log import note_eval
from nomadspec.model.kernel.plan_queue import is_with_applier
from nomadspec.model.kernel.state import Kernel
from nomadspec.model.kernel.statuses import (
    OPEN_EVAL,
    TERMINAL_EVAL,
    BlockedIn,
    EvalRecord,
    InBroker,
    JobPhase,
    Kind,
    Stage,
    TriggeredBy,
)
from nomadspec.model.language.domain import upto
from nomadspec.model.language.logic import Flag, Value, all_of, any_of, exists, ite, not_, one_of
from nomadspec.model.language.rule import rule, strong, weak
from nomadspec.model.specification.quirks import (
    CANCELLED_IS_DELIVERED,
    DROPPED_DELAYED_FIRES,
    FORGOTTEN_BATCH,
    KEPT_TWICE,
    LOST_ACK,
    OLDEST_FIRST,
    STORED_CORE_EVAL,
)


def has_ended(s: Kernel, job: JobId, number: EvalNumber) -> Flag:
    """True while the record of the evaluation is terminal."""
    return one_of(s.eval_record[job, number], *TERMINAL_EVAL)


def has_open_eval(s: Kernel, job: JobId) -> Flag:
    """True while an evaluation of the job is pending or blocked."""
    return exists(one_of(s.eval_record[job, number], *OPEN_EVAL) for number in s.eval_numbers)


def is_on(s: Kernel) -> Flag:
    """True while broker and blocked evals are on: there is a leader, and nobody has paused them."""
    return all_of(s.leading, not_(s.paused))


def holds_job(s: Kernel, job: JobId, number: EvalNumber) -> Flag:
    """True while the evaluation occupies its job: no other one of the job is delivered meanwhile."""
    return one_of(
        s.in_broker[job, number], InBroker.READY, InBroker.UNACKED, InBroker.NACKED, InBroker.FAILED
    )


def is_busy(s: Kernel, job: JobId) -> Flag:
    """True while some evaluation of the job occupies it."""
    return exists(holds_job(s, job, number) for number in s.eval_numbers)


def place_offered(s: Kernel, job: JobId) -> InBroker:
    """Give the place of an evaluation of the job that is offered to the broker now."""
    return ite(is_busy(s, job), InBroker.PENDING_BEHIND_JOB, InBroker.READY)


def holds_delivery(s: Kernel, worker: WorkerId, job: JobId, number: EvalNumber) -> Flag:
    """True while the worker has the valid token of the evaluation."""
    return all_of(s.holds[worker], s.job[worker] == job, s.number[worker] == number)


def is_system(s: Kernel, job: JobId) -> Flag:
    """True while the job wants an allocation on each node."""
    return one_of(s.kind[job], Kind.SYSTEM, Kind.SYSBATCH)


def is_batch_type(s: Kernel, job: JobId) -> Flag:
    """True while the work of the job has an end: it is a batch job, or one that runs once on each node."""
    return one_of(s.kind[job], Kind.BATCH, Kind.SYSBATCH)


def is_core(s: Kernel, job: JobId) -> Flag:
    """True while the job is the leader's own: its evaluations are in the broker and nowhere else."""
    return s.kind[job] == Kind.CORE


def is_made_blocked(s: Kernel, job: JobId, number: EvalNumber) -> Flag:
    """True while the evaluation was made blocked, and so is blocked in the memory of broker and worker."""
    return one_of(s.triggered_by[job, number], TriggeredBy.QUEUED_ALLOCS, TriggeredBy.MAX_PLAN_ATTEMPTS)


def is_delayed(s: Kernel, job: JobId, number: EvalNumber) -> Flag:
    """True while the evaluation waits for a time before the broker offers it."""
    return one_of(
        s.triggered_by[job, number], TriggeredBy.FAILED_FOLLOW_UP, TriggeredBy.MAX_DISCONNECT_TIMEOUT
    )


def next_number(s: Kernel, job: JobId) -> EvalNumber:
    """Give the number of the evaluation of the job that is made next."""
    made: Value = s.made[job]
    number: EvalNumber = made
    return number


def make_record(
    s: Kernel, t: Kernel, job: JobId, record: EvalRecord, cause: TriggeredBy, eval_priority: int
) -> None:
    """Write a new evaluation of the job under the next number."""
    number = next_number(s, job)
    t.made[job] = s.made[job] + 1
    t.eval_record[job, number] = record
    t.triggered_by[job, number] = cause
    t.eval_priority[job, number] = eval_priority
    note_eval(s, t, job)


def make_pending_with_priority(
    s: Kernel, t: Kernel, job: JobId, cause: TriggeredBy, eval_priority: int
) -> None:
    """Write a new pending evaluation with some priority, which the leader offers to its broker."""
    make_record(s, t, job, EvalRecord.PENDING, cause, eval_priority)
    t.when(is_on(s)).in_broker[job, next_number(s, job)] = place_offered(s, job)


def make_pending(s: Kernel, t: Kernel, job: JobId) -> None:
    """Write a new pending evaluation for an event, with the priority of its job."""
    make_pending_with_priority(s, t, job, TriggeredBy.EVENT, s.priority[job])


def make_waiting(s: Kernel, t: Kernel, job: JobId, cause: TriggeredBy, eval_priority: int) -> None:
    """Write a new pending evaluation of the job that falls due later."""
    make_record(s, t, job, EvalRecord.PENDING, cause, eval_priority)
    t.when(is_on(s)).in_broker[job, next_number(s, job)] = InBroker.WAITING


def drop_waiting(s: Kernel, t: Kernel, job: JobId, number: EvalNumber) -> None:
    """Forget a delayed evaluation that was called off; its timer may run all the same."""
    if not s.has(DROPPED_DELAYED_FIRES):
        t.when(s.in_broker[job, number] == InBroker.WAITING).in_broker[job, number] = InBroker.OUT


def is_in_blocked_evals(s: Kernel, job: JobId, number: EvalNumber) -> Flag:
    """True while blocked evals track the evaluation, have yet to look at it, or have it to cancel."""
    is_tracked = any_of(s.blocked_in[job, number] != BlockedIn.OUT, s.arriving[job, number] > 0)
    return any_of(is_tracked, s.duplicate[job, number])


def is_settled(s: Kernel, job: JobId, number: EvalNumber) -> Flag:
    """True while a delivery has done its work, and the broker, as intended, sees that though no ack came."""
    is_written = all_of(not s.has(LOST_ACK), has_ended(s, job, number))
    return any_of(is_written, all_of(not s.has(KEPT_TWICE), is_in_blocked_evals(s, job, number)))


def return_delivery(s: Kernel, t: Kernel, job: JobId, number: EvalNumber) -> None:
    """Nack: wait before the next delivery, or fail once the delivery limit is reached."""
    is_spent = s.delivered[job, number] >= s.deliveries
    t.in_broker[job, number] = ite(is_spent, InBroker.FAILED, InBroker.NACKED)
    leave_broker(s, t.when(is_settled(s, job, number)), job, number)


def is_next_pending(
    s: Kernel, job: JobId, number: EvalNumber, is_left: Callable[[EvalNumber], Flag] = lambda _: True
) -> Flag:
    """True while the evaluation is the first pending one that is left of its job: the newest, as intended."""

    def waits(other: EvalNumber) -> Flag:
        return all_of(s.in_broker[job, other] == InBroker.PENDING_BEHIND_JOB, is_left(other))

    def goes_before(other: EvalNumber) -> Flag:
        is_newer = other > number
        if s.has(OLDEST_FIRST):
            same = all_of(is_newer, s.eval_priority[job, other] == s.eval_priority[job, number])
            is_newer = any_of(s.eval_priority[job, other] > s.eval_priority[job, number], same)
        return all_of(is_newer, waits(other))

    return all_of(waits(number), not_(exists(goes_before(other) for other in s.eval_numbers)))


def leave_broker(s: Kernel, t: Kernel, job: JobId, number: EvalNumber) -> None:
    """Let an evaluation leave the broker: the first pending one of its job is ready, the rest cancelable."""
    for other in s.eval_numbers:
        is_next = is_next_pending(s, job, other)
        is_pending = s.in_broker[job, other] == InBroker.PENDING_BEHIND_JOB
        t.when(is_pending).in_broker[job, other] = ite(is_next, InBroker.READY, InBroker.OUT)
        t.when(all_of(is_pending, not_(is_next))).cancelable[job, other] = True
    t.in_broker[job, number] = InBroker.OUT
    t.delivered[job, number] = 0


def is_outranked(
    s: Kernel, job: JobId, number: EvalNumber, place: InBroker, is_rival: Callable[[JobId], Flag]
) -> Flag:
    """True while the broker has an evaluation of a higher priority at the same place, of some of the jobs."""
    return exists(
        all_of(
            is_rival(other),
            s.eval_priority[other, i] > s.eval_priority[job, number],
            s.in_broker[other, i] == place,
        )
        for other in s.jobs
        for i in s.eval_numbers
    )


def is_preceded(s: Kernel, job: JobId, number: EvalNumber) -> Flag:
    """True while an evaluation of a higher priority is ready for the same scheduler."""
    return is_outranked(s, job, number, InBroker.READY, lambda other: s.kind[other] == s.kind[job])


def is_reaped_later(s: Kernel, job: JobId, number: EvalNumber) -> Flag:
    """True while an evaluation of a higher priority has used up its deliveries, too: all are in one queue."""
    return is_outranked(s, job, number, InBroker.FAILED, lambda _: True)


@rule("BROKER-15", "BROKER-20", "BROKER-21", "BROKER-22", fair=strong("job"))
def dequeue(s: Kernel, t: Kernel, worker: WorkerId, job: JobId, number: EvalNumber) -> None:
    """A worker takes a ready evaluation under a fresh token."""
    t.require(s.stage[worker] == Stage.IDLE, s.in_broker[job, number] == InBroker.READY)
    t.require(not_(is_preceded(s, job, number)))
    if not s.has(CANCELLED_IS_DELIVERED):
        t.require(not_(is_canceled_in_store(s, job, number)))
    t.in_broker[job, number] = InBroker.UNACKED
    t.delivered[job, number] = s.delivered[job, number] + 1
    t.stage[worker] = Stage.TAKEN
    t.job[worker] = job
    t.number[worker] = number
    t.holds[worker] = True
    t.was_blocked[worker] = is_made_blocked(s, job, number)


def is_canceled_in_store(s: Kernel, job: JobId, number: EvalNumber) -> Flag:
    """True while the evaluation was blocked, was woken, and is canceled in its record."""
    return all_of(is_made_blocked(s, job, number), s.eval_record[job, number] == EvalRecord.CANCELED)


@rule("BROKER-20", actor="broker", fair=weak("job"))
def discard(s: Kernel, t: Kernel, job: JobId, number: EvalNumber) -> None:
    """As intended, the broker drops an evaluation that was canceled meanwhile."""
    t.require(not s.has(CANCELLED_IS_DELIVERED))
    t.require(s.in_broker[job, number] == InBroker.READY, is_canceled_in_store(s, job, number))
    leave_broker(s, t, job, number)


@rule("BROKER-32", "BROKER-40", spends=Kernel.timed_out, actor="broker")
def expire_delivery(s: Kernel, t: Kernel, worker: WorkerId, job: JobId, number: EvalNumber) -> None:
    """The nack timeout of a delivery is over; it is paused while the applier has the plan."""
    t.require(holds_delivery(s, worker, job, number), not_(is_with_applier(s, worker)))
    return_delivery(s, t, job, number)
    t.clear(DeliveryInBroker, worker)


@rule("BROKER-40", "BROKER-41", actor="broker", fair=weak("job"))
def end_nack_delay(s: Kernel, t: Kernel, job: JobId, number: EvalNumber) -> None:
    """The delay after a nack is over."""
    t.require(s.in_broker[job, number] == InBroker.NACKED)
    t.in_broker[job, number] = InBroker.READY


@rule("BROKER-04", "BROKER-05", "BROKER-06", actor="broker", fair=weak("job"))
def end_wait(s: Kernel, t: Kernel, job: JobId, number: EvalNumber) -> None:
    """A delayed evaluation falls due, and the time of unknown allocations that wait for it is up."""
    t.require(s.in_broker[job, number] == InBroker.WAITING)
    t.in_broker[job, number] = place_offered(s, job)
    for i in s.allocs:
        t.when(s.follow_up[job, i] == number).is_late[job, i] = True


@rule(
    "LEADER-20",
    "LEADER-21",
    "LEADER-22",
    "LEADER-24",
    "TRIG-23",
    makes=Kernel.made,
    actor="leader",
    fair=weak("job"),
)
def reap_failed(s: Kernel, t: Kernel, job: JobId, number: EvalNumber) -> None:
    """The leader writes an evaluation that used up its deliveries as failed, with a delayed follow-up."""
    is_wanted = s.job_phase[job] != JobPhase.ABSENT
    t.require(s.reaping, s.in_broker[job, number] == InBroker.FAILED)
    t.require(not_(is_reaped_later(s, job, number)))
    written = t.when(not_(is_core(s, job)))
    written.eval_record[job, number] = EvalRecord.FAILED
    note_eval(s, written, job)
    leave_broker(s, t, job, number)
    make_waiting(s, t.when(is_wanted), job, TriggeredBy.FAILED_FOLLOW_UP, s.eval_priority[job, number])


@rule("EVAL-10", "EVAL-39", spends=Kernel.unhandled_triggers_made, makes=Kernel.made, actor="operator")
def make_unhandled_trigger(s: Kernel, t: Kernel, job: JobId) -> None:
    """An operator makes an evaluation whose trigger the scheduler of its job does not handle."""
    t.require(s.job_phase[job] != JobPhase.ABSENT)
    make_pending_with_priority(s, t, job, TriggeredBy.UNHANDLED_TRIGGER, s.priority[job])


@rule(
    "EVAL-10",
    "LEADER-51",
    "GC-01",
    "GC-04",
    "TRIG-25",
    spends=Kernel.core_evals_made,
    makes=Kernel.made,
    actor="leader",
)
def enqueue_core_eval(s: Kernel, t: Kernel, job: JobId) -> None:
    """A ticker of the leader puts a core evaluation into the broker, without a record."""
    t.require(is_core(s, job), is_on(s))
    t.made[job] = s.made[job] + 1
    t.in_broker[job, next_number(s, job)] = place_offered(s, job)


@rule(
    "EVAL-10",
    "BROKER-16",
    spends=Kernel.requested,
    makes=Kernel.made,
    actor="operator",
    eval_priority=upto(Kernel.priorities),
)
def request_evaluation(s: Kernel, t: Kernel, job: JobId, eval_priority: int) -> None:
    """An operator has a job evaluated, with a priority for this evaluation alone."""
    t.require(s.job_phase[job] != JobPhase.ABSENT)
    make_pending_with_priority(s, t, job, TriggeredBy.EVENT, eval_priority)


def leave_cancelable(t: Kernel, job: JobId, number: EvalNumber) -> None:
    """Take an evaluation off the list to cancel; no offer of it is taken, for the broker knows it still."""
    t.cancelable[job, number] = False
    t.by_node[job, number] = False


@rule("LEADER-40", "EVAL-45", actor="leader", fair=weak("job"))
def cancel_cancelable(s: Kernel, t: Kernel, job: JobId, number: EvalNumber) -> None:
    """The leader writes a cancelable evaluation as canceled."""
    t.require(s.cancelable[job, number])
    leave_cancelable(t, job, number)
    is_written = s.eval_record[job, number] != EvalRecord.ABSENT
    if s.has(STORED_CORE_EVAL):
        is_written = any_of(is_written, is_core(s, job))
    note_eval(s, t, job)
    t.when(is_written).eval_record[job, number] = EvalRecord.CANCELED


@rule("LEADER-40", spends=Kernel.entries_failed, actor="leader")
def lose_cancelable(s: Kernel, t: Kernel, job: JobId, number: EvalNumber) -> None:
    """With the quirk, the entry that should cancel a cancelable evaluation fails, and nothing tries again."""
    t.require(s.has(FORGOTTEN_BATCH), s.cancelable[job, number])
    leave_cancelable(t, job, number)
