"""The tracker of blocked evaluations: at most one of a job, woken by capacity."""

from nomadspec.model.domain import Id
from nomadspec.model.kernel.broker import holds_delivery, is_on, place_offered
from nomadspec.model.kernel.log import note_entry
from nomadspec.model.kernel.state import Cause, Kernel, Place, Record, Stage, Tracking
from nomadspec.model.logic import Value, all_of, exists, ite, none_of, not_, one_of
from nomadspec.model.rule import rule, weak


def is_tracked(s: Kernel, job: Id, number: Value) -> Value:
    """Say that the tracker holds the evaluation until something wakes it."""
    return one_of(s.tracking[job, number], Tracking.CAPTURED, Tracking.ESCAPED)


def hand_back(s: Kernel, t: Kernel, job: Id, number: Id) -> None:
    """Offer an evaluation that the tracker gives up to the broker, which remembers one that is out."""
    t.tracking[job, number] = Tracking.OUT
    t.missed[job, number] = False
    for worker in s.workers:
        t.when(holds_delivery(s, worker, job, number)).requeued[worker] = True
    is_out = s.place[job, number] == Place.OUT
    t.when(is_out).place[job, number] = place_offered(s, job)


def wake_all(s: Kernel, t: Kernel) -> None:
    """Record an unblock: what is tracked is handed back, and what was planned before it has missed it."""
    for worker in s.workers:
        has_seen = none_of(
            *[s.stage[worker] == stage for stage in (Stage.IDLE, Stage.TAKEN, Stage.ACKING, Stage.FAILING)]
        )
        t.when(has_seen).unseen[worker] = True
    for job in s.jobs:
        for number in s.eval_numbers:
            on = t.when(is_on(s))
            on.when(s.tracking[job, number] == Tracking.ARRIVING).missed[job, number] = True
            hand_back(s, on.when(is_tracked(s, job, number)), job, number)


@rule("BLOCKED-10", "BLOCKED-20", "BLOCKED-30", fair=weak("job"), job=Kernel.jobs, number=Kernel.eval_numbers)
def track(s: Kernel, t: Kernel, job: Id, number: Id) -> None:
    """The tracker takes a blocked evaluation in, unless a newer one is there or an unblock was missed."""
    t.require(s.tracking[job, number] == Tracking.ARRIVING)
    newer = exists(all_of(other > number, is_tracked(s, job, other)) for other in s.eval_numbers)
    for other in s.eval_numbers:
        t.when(all_of(other < number, is_tracked(s, job, other))).tracking[job, other] = Tracking.DUPLICATE
    t.tracking[job, number] = ite(newer, Tracking.DUPLICATE, Tracking.CAPTURED)
    hand_back(s, t.when(all_of(not_(newer), s.missed[job, number])), job, number)
    t.missed[job, number] = False


@rule("LEADER-30", "EVAL-45", fair=weak("job"), job=Kernel.jobs, number=Kernel.eval_numbers)
def cancel_duplicate(s: Kernel, t: Kernel, job: Id, number: Id) -> None:
    """The leader writes a duplicate as canceled."""
    t.require(s.tracking[job, number] == Tracking.DUPLICATE)
    t.tracking[job, number] = Tracking.OUT
    note_entry(s, t)
    t.when(s.record[job, number] != Record.ABSENT).record[job, number] = Record.CANCELED


@rule("BLOCKED-44", "LEADER-50", fair=weak("job"), job=Kernel.jobs, number=Kernel.eval_numbers)
def retry_failed_plans(s: Kernel, t: Kernel, job: Id, number: Id) -> None:
    """The leader's ticker wakes an evaluation that was made because plans failed."""
    t.require(is_tracked(s, job, number), s.cause[job, number] == Cause.ATTEMPTS)
    hand_back(s, t, job, number)
