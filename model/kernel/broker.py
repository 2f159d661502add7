"""The eval broker: at-least-once delivery, and never two evaluations of a job at once."""

from nomadspec.model.domain import Id, upto
from nomadspec.model.kernel.log import note_eval
from nomadspec.model.kernel.state import Cause, JobPhase, Kernel, Kind, Place, Record, Stage, Tracking
from nomadspec.model.logic import Value, all_of, any_of, exists, ite, not_, one_of
from nomadspec.model.quirks import (
    CANCELLED_IS_DELIVERED,
    DROPPED_DELAYED_FIRES,
    FORGOTTEN_BATCH,
    KEPT_TWICE,
    LOST_ACK,
    OLDEST_FIRST,
    STORED_CORE_EVAL,
)
from nomadspec.model.rule import rule, weak


def has_ended(s: Kernel, job: Id, number: Value) -> Value:
    """Say that the record of the evaluation is terminal."""
    return one_of(s.record[job, number], Record.COMPLETE, Record.FAILED, Record.CANCELED)


def is_on(s: Kernel) -> Value:
    """Say that the broker and the tracker work: there is a leader, and nobody has paused them."""
    return all_of(s.leading, not_(s.paused))


def holds_slot(s: Kernel, job: Id, number: Value) -> Value:
    """Say that the evaluation occupies its job: no other one of the job is delivered meanwhile."""
    return one_of(s.place[job, number], Place.READY, Place.UNACKED, Place.NACKED, Place.FAILED)


def is_busy(s: Kernel, job: Id) -> Value:
    """Say that some evaluation of the job occupies it."""
    return exists(holds_slot(s, job, number) for number in s.eval_numbers)


def place_offered(s: Kernel, job: Id) -> Value:
    """Give the place of an evaluation of the job that is offered to the broker now."""
    return ite(is_busy(s, job), Place.BEHIND, Place.READY)


def holds_delivery(s: Kernel, worker: Id, job: Id, number: Value) -> Value:
    """Say that the worker has the valid token of the evaluation."""
    return all_of(s.holds[worker], s.job[worker] == job, s.number[worker] == number)


def has_room(s: Kernel, job: Id) -> Value:
    """Say that the scope has a record left for another evaluation of the job."""
    return s.made[job] < s.evals


def is_system(s: Kernel, job: Id) -> Value:
    """Say that the job wants an instance on each node."""
    return all_of(s.kinds >= Kind.SYSTEM, one_of(s.kind[job], Kind.SYSTEM, Kind.SYSBATCH))


def is_core(s: Kernel, job: Id) -> Value:
    """Say that the job is the leader's own: its evaluations are in the broker and nowhere else."""
    return all_of(s.kinds >= Kind.CORE, s.kind[job] == Kind.CORE)


def is_made_blocked(s: Kernel, job: Id, number: Value) -> Value:
    """Say that the evaluation was made blocked, and so is blocked in the memory of broker and worker."""
    return one_of(s.cause[job, number], Cause.UNPLACED, Cause.ATTEMPTS)


def is_delayed(s: Kernel, job: Id, number: Value) -> Value:
    """Say that the evaluation waits for a time before the broker offers it."""
    return one_of(s.cause[job, number], Cause.FOLLOW_UP, Cause.DEADLINE)


def make_record(s: Kernel, t: Kernel, job: Id, record: Record, cause: Cause, rank: Value) -> None:
    """Write a new evaluation of the job under the next number."""
    number = s.made[job]
    t.made[job] = number + 1
    t.record[job, number] = record
    t.cause[job, number] = cause
    t.rank[job, number] = rank
    note_eval(s, t, job)


def make_ranked(s: Kernel, t: Kernel, job: Id, cause: Cause, rank: Value) -> None:
    """Write a new pending evaluation with a priority of its own, which the leader offers to its broker."""
    make_record(s, t, job, Record.PENDING, cause, rank)
    t.when(is_on(s)).place[job, s.made[job]] = place_offered(s, job)


def make_pending(s: Kernel, t: Kernel, job: Id, cause: Cause) -> None:
    """Write a new pending evaluation with the priority of its job, which the leader offers to its broker."""
    make_ranked(s, t, job, cause, s.urgent[job])


def make_waiting(s: Kernel, t: Kernel, job: Id, cause: Cause, rank: Value) -> None:
    """Write a new pending evaluation of the job that falls due later."""
    make_record(s, t, job, Record.PENDING, cause, rank)
    t.when(is_on(s)).place[job, s.made[job]] = Place.WAITING


def drop_waiting(s: Kernel, t: Kernel, job: Id, number: Value) -> None:
    """Forget a delayed evaluation that was called off; its timer may run all the same."""
    if not s.has(DROPPED_DELAYED_FIRES):
        t.when(s.place[job, number] == Place.WAITING).place[job, number] = Place.OUT


def drop(s: Kernel, t: Kernel, job: Id, number: Id) -> None:
    """Forget an evaluation for which there is nothing left to do, wherever the broker has it."""
    free_slot(s, t.when(holds_slot(s, job, number)), job)
    t.place[job, number] = Place.OUT
    t.delivered[job, number] = 0
    t.superseded[job, number] = False
    for worker in s.workers:
        t.when(holds_delivery(s, worker, job, number)).holds[worker] = False


def is_settled(s: Kernel, job: Id, number: Id) -> Value:
    """Say that a delivery has done its work, though its ack is lost, and that the broker may know."""
    is_tracked = any_of(s.tracking[job, number] != Tracking.OUT, s.arriving[job, number] > 0)
    is_kept = any_of(is_tracked, s.duplicate[job, number])
    return any_of(
        False if s.has(LOST_ACK) else has_ended(s, job, number),
        False if s.has(KEPT_TWICE) else is_kept,
    )


def take_back(s: Kernel, t: Kernel, job: Id, number: Id) -> None:
    """Nack: wait before the next delivery, or give up once the limit is reached."""
    is_spent = s.delivered[job, number] >= s.deliveries
    t.place[job, number] = ite(is_spent, Place.FAILED, Place.NACKED)
    settled = t.when(is_settled(s, job, number))
    free_slot(s, settled, job)
    settled.place[job, number] = Place.OUT
    settled.delivered[job, number] = 0


def is_next_behind(s: Kernel, job: Id, number: Id) -> Value:
    """Say that the evaluation is the first of those that wait behind their job: the newest, as intended."""

    def goes_before(other: Id) -> Value:
        is_newer = other > number
        if s.has(OLDEST_FIRST):
            same = all_of(is_newer, s.rank[job, other] == s.rank[job, number])
            is_newer = any_of(s.rank[job, other] > s.rank[job, number], same)
        return all_of(is_newer, s.place[job, other] == Place.BEHIND)

    is_behind = s.place[job, number] == Place.BEHIND
    return all_of(is_behind, not_(exists(goes_before(other) for other in s.eval_numbers)))


def free_slot(s: Kernel, t: Kernel, job: Id) -> None:
    """Let the first evaluation behind the job be ready, and put the others on the list to cancel."""
    for number in s.eval_numbers:
        is_next = is_next_behind(s, job, number)
        is_behind = s.place[job, number] == Place.BEHIND
        t.when(is_behind).place[job, number] = ite(is_next, Place.READY, Place.OUT)
        t.when(all_of(is_behind, not_(is_next))).superseded[job, number] = True


def is_preceded(s: Kernel, job: Id, number: Id) -> Value:
    """Say that an evaluation of a higher priority is ready for the same scheduler."""
    return exists(
        all_of(
            s.kind[other] == s.kind[job],
            s.rank[other, i] > s.rank[job, number],
            s.place[other, i] == Place.READY,
        )
        for other in s.jobs
        for i in s.eval_numbers
    )


@rule(
    "BROKER-15",
    "BROKER-20",
    "BROKER-21",
    "BROKER-22",
    fair=weak(),
    worker=Kernel.workers,
    job=Kernel.jobs,
    number=Kernel.eval_numbers,
)
def dequeue(s: Kernel, t: Kernel, worker: Id, job: Id, number: Id) -> None:
    """A worker takes a ready evaluation under a fresh token."""
    t.require(s.stage[worker] == Stage.IDLE, s.place[job, number] == Place.READY)
    t.require(not_(is_preceded(s, job, number)))
    if not s.has(CANCELLED_IS_DELIVERED):
        t.require(not_(is_called_off(s, job, number)))
    t.place[job, number] = Place.UNACKED
    t.delivered[job, number] = s.delivered[job, number] + 1
    t.stage[worker] = Stage.TAKEN
    t.job[worker] = job
    t.number[worker] = number
    t.holds[worker] = True
    t.was_blocked[worker] = is_made_blocked(s, job, number)


def is_called_off(s: Kernel, job: Id, number: Id) -> Value:
    """Say that the evaluation was blocked, was woken, and is canceled in its record."""
    return all_of(is_made_blocked(s, job, number), s.record[job, number] == Record.CANCELED)


@rule("BROKER-20", actor="broker", fair=weak("job"), job=Kernel.jobs, number=Kernel.eval_numbers)
def discard(s: Kernel, t: Kernel, job: Id, number: Id) -> None:
    """Where the quirk is mended, an evaluation that was canceled meanwhile is not delivered."""
    t.require(not s.has(CANCELLED_IS_DELIVERED))
    t.require(s.place[job, number] == Place.READY, is_called_off(s, job, number))
    t.place[job, number] = Place.OUT
    t.delivered[job, number] = 0
    free_slot(s, t, job)


@rule(
    "BROKER-32",
    "BROKER-40",
    actor="broker",
    worker=Kernel.workers,
    job=Kernel.jobs,
    number=Kernel.eval_numbers,
)
def expire_delivery(s: Kernel, t: Kernel, worker: Id, job: Id, number: Id) -> None:
    """Nobody answers for a delivery in time; the timer rests while a plan is with the applier."""
    t.require(s.timed_out < s.timeouts)
    t.require(holds_delivery(s, worker, job, number))
    t.require(not_(one_of(s.stage[worker], Stage.SUBMITTED, Stage.JUDGED, Stage.FLYING)))
    t.timed_out = s.timed_out + 1
    take_back(s, t, job, number)
    t.holds[worker] = False
    t.requeued[worker] = False


@rule("BROKER-40", "BROKER-41", actor="broker", fair=weak("job"), job=Kernel.jobs, number=Kernel.eval_numbers)
def end_nack_delay(s: Kernel, t: Kernel, job: Id, number: Id) -> None:
    """The delay after a nack is over."""
    t.require(s.place[job, number] == Place.NACKED)
    t.place[job, number] = Place.READY


@rule(
    "BROKER-04",
    "BROKER-05",
    "BROKER-06",
    actor="broker",
    fair=weak("job"),
    job=Kernel.jobs,
    number=Kernel.eval_numbers,
)
def end_wait(s: Kernel, t: Kernel, job: Id, number: Id) -> None:
    """A delayed evaluation falls due."""
    t.require(s.place[job, number] == Place.WAITING)
    t.place[job, number] = place_offered(s, job)
    for i in s.allocs:
        t.when(all_of(s.silences > 0, s.deadline[job, i] == number)).is_late[job, i] = 1


@rule(
    "LEADER-20",
    "LEADER-21",
    "LEADER-22",
    "LEADER-24",
    actor="leader",
    fair=weak("job"),
    job=Kernel.jobs,
    number=Kernel.eval_numbers,
)
def reap_failed(s: Kernel, t: Kernel, job: Id, number: Id) -> None:
    """The leader writes an evaluation that used up its deliveries as failed, with a delayed follow-up."""
    is_wanted = s.job_phase[job] != JobPhase.ABSENT
    t.require(s.reaping, s.place[job, number] == Place.FAILED, any_of(not_(is_wanted), has_room(s, job)))
    written = t.when(not_(is_core(s, job)))
    written.record[job, number] = Record.FAILED
    note_eval(s, written, job)
    t.place[job, number] = Place.OUT
    t.delivered[job, number] = 0
    free_slot(s, t, job)
    make_waiting(s, t.when(is_wanted), job, Cause.FOLLOW_UP, s.rank[job, number])


@rule("EVAL-10", "EVAL-39", job=Kernel.jobs)
def make_misfit(s: Kernel, t: Kernel, job: Id) -> None:
    """Somebody makes an evaluation whose trigger the scheduler of its job does not handle."""
    t.require(s.misfitted < s.misfits, has_room(s, job), s.job_phase[job] != JobPhase.ABSENT)
    t.misfitted = s.misfitted + 1
    make_pending(s, t, job, Cause.MISFIT)


@rule("EVAL-10", "LEADER-51", "GC-01", "GC-04", "TRIG-25", actor="leader", job=Kernel.jobs)
def enqueue_core(s: Kernel, t: Kernel, job: Id) -> None:
    """A ticker of the leader puts a core evaluation into the broker, without a record."""
    t.require(s.chored < s.chores, is_core(s, job), is_on(s), has_room(s, job))
    t.chored = s.chored + 1
    t.made[job] = s.made[job] + 1
    t.place[job, s.made[job]] = place_offered(s, job)


@rule("EVAL-10", "BROKER-16", actor="operator", job=Kernel.jobs, rank=upto(Kernel.urgency))
def request_evaluation(s: Kernel, t: Kernel, job: Id, rank: Id) -> None:
    """An operator has a job evaluated, with a priority for this evaluation alone."""
    t.require(s.requested < s.requests, has_room(s, job), s.job_phase[job] != JobPhase.ABSENT)
    t.requested = s.requested + 1
    make_ranked(s, t, job, Cause.EVENT, rank)


@rule("LEADER-40", "EVAL-45", actor="leader", fair=weak("job"), job=Kernel.jobs, number=Kernel.eval_numbers)
def cancel_superseded(s: Kernel, t: Kernel, job: Id, number: Id) -> None:
    """The leader writes a superseded evaluation as canceled."""
    t.require(s.superseded[job, number])
    t.superseded[job, number] = False
    is_written = s.record[job, number] != Record.ABSENT
    if s.has(STORED_CORE_EVAL):
        is_written = any_of(is_written, is_core(s, job))
    note_eval(s, t, job)
    t.when(is_written).record[job, number] = Record.CANCELED


@rule("LEADER-40", actor="leader", job=Kernel.jobs, number=Kernel.eval_numbers)
def lose_superseded(s: Kernel, t: Kernel, job: Id, number: Id) -> None:
    """The entry that should cancel a superseded evaluation fails."""
    t.require(s.has(FORGOTTEN_BATCH), s.crashed < s.failed_entries, s.superseded[job, number])
    t.crashed = s.crashed + 1
    t.superseded[job, number] = False
