"""Where an evaluation of the kernel stands in the words of the lifecycle tables.

The kernel keeps what a status, a place and a quasi-status stand for in several cells. These functions put
them together, and nothing else does: the pictures of what was explored read them. But for the predicate that
promises share, each gives the number of an ``EvalStatus``, ``EvalPlace`` or ``EvalPhase``, or ``NONE`` for an
evaluation that has not been made.
"""

from typing import TypeVar

from nomadspec.model.kernel.broker import has_ended, holds_delivery, is_core
from nomadspec.model.kernel.ids import EvalNumber, JobId
from nomadspec.model.kernel.state import Kernel
from nomadspec.model.kernel.statuses import WITH_APPLIER, BlockedIn, EvalRecord, InBroker, Stage
from nomadspec.model.language.domain import NONE
from nomadspec.model.language.logic import Flag, Value, all_of, any_of, exists, ite, not_, one_of
from nomadspec.model.lifecycle.evaluation_full import EvalPhase
from nomadspec.model.lifecycle.evaluation_place import EvalPlace

_T = TypeVar("_T")


def status_of(s: Kernel, job: JobId, number: EvalNumber) -> int:
    """Give the status in the record; one that was deleted has none any more."""
    record: Value = s.eval_record[job, number]
    status: int = record - 1
    return status


def is_enqueued(s: Kernel, job: JobId, number: EvalNumber) -> Flag:
    """True while the broker may deliver the evaluation, at once or after another one of its job."""
    return one_of(s.in_broker[job, number], InBroker.READY, InBroker.PENDING_BEHIND_JOB)


def place_of(s: Kernel, job: JobId, number: EvalNumber) -> EvalPlace:
    """Say who would hand the evaluation on next; what is with a worker is unacked before anything else."""
    place, blocked_in = s.in_broker[job, number], s.blocked_in[job, number]
    known = choose(
        (place == InBroker.READY, EvalPlace.READY),
        (place == InBroker.UNACKED, EvalPlace.UNACKED),
        (one_of(place, InBroker.NACKED, InBroker.WAITING), EvalPlace.DELAYED),
        (place == InBroker.PENDING_BEHIND_JOB, EvalPlace.PENDING_BEHIND_JOB),
        (place == InBroker.FAILED, EvalPlace.FAILED_QUEUE),
        (blocked_in == BlockedIn.CAPTURED, EvalPlace.BLOCKED_CAPTURED),
        (blocked_in == BlockedIn.ESCAPED, EvalPlace.BLOCKED_ESCAPED),
        (any_of(s.cancelable[job, number], s.duplicate[job, number]), EvalPlace.CANCELABLE),
        otherwise=EvalPlace.NOWHERE,
    )
    found: EvalPlace = ite(number < s.made[job], known, NONE)
    return found


def phase_of(s: Kernel, job: JobId, number: EvalNumber) -> EvalPhase:
    """Give the status, or the quasi-status that hides it.

    What a worker has under a valid token is scheduling or applying, whatever its record says, until the
    outcome is written. What waits for a time is delayed, unless it has ended. The record decides the rest.
    """
    record, place = s.eval_record[job, number], s.in_broker[job, number]
    waits = all_of(one_of(place, InBroker.NACKED, InBroker.WAITING), not_(has_ended(s, job, number)))
    status: Value = status_of(s, job, number)
    known: EvalPhase = choose(
        (record == EvalRecord.ABSENT, EvalPhase.DELETED),
        (is_held(s, job, number, *WITH_APPLIER), EvalPhase.APPLYING),
        (is_held(s, job, number, *_AT_WORK), EvalPhase.SCHEDULING),
        (waits, EvalPhase.DELAYED),
        otherwise=status,
    )
    was_stored = not_(all_of(is_core(s, job), record == EvalRecord.ABSENT))
    found: EvalPhase = ite(all_of(number < s.made[job], was_stored), known, NONE)
    return found


def is_decided(s: Kernel, job: JobId, number: EvalNumber) -> Flag:
    """True while a worker has come to an end with the evaluation, and has still to write the outcome."""
    return is_held(s, job, number, Stage.DECIDED)


def is_held(s: Kernel, job: JobId, number: EvalNumber, *stages: Stage) -> Flag:
    """True while a worker has the evaluation under a valid token and is at one of these stages."""
    return exists(
        all_of(holds_delivery(s, worker, job, number), one_of(s.stage[worker], *stages))
        for worker in s.workers
    )


def choose(*cases: tuple[Flag, _T], otherwise: _T) -> _T:
    """Give the value of the first case that applies."""
    chosen = otherwise
    for condition, value in reversed(cases):
        chosen = ite(condition, value, chosen)
    return chosen


_AT_WORK = (
    Stage.TAKEN,
    Stage.PLANNING,
    Stage.PLANNED,
    Stage.REJECTED,
    Stage.DECIDED,
    Stage.EXHAUSTED,
    Stage.FAILING,
)
