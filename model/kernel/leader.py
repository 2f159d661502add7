"""Leadership: what is forgotten when it is lost, and what a new leader puts back."""

from nomadspec.model.domain import NONE
from nomadspec.model.kernel.pipeline import drop_snapshot
from nomadspec.model.kernel.state import Cause, Kernel, Place, Record, Stage, Tracking
from nomadspec.model.kernel.worker import forget_plan
from nomadspec.model.logic import all_of, exists, ite, not_, one_of
from nomadspec.model.quirks import FORGOTTEN_WAKE
from nomadspec.model.rule import rule, weak


@rule("LEADER-08", "BROKER-52", "BLOCKED-46", "PLAN-22")
def lose_leader(s: Kernel, t: Kernel) -> None:
    """Leadership is lost: the leader's memory is gone, and queued plans fail."""
    t.require(s.leading, s.elected < s.elections)
    t.elected = s.elected + 1
    t.leading = False
    t.place = Place.OUT
    t.tracking = Tracking.OUT
    t.delivered = 0
    t.superseded = False
    t.missed = False
    t.holds = False
    t.requeued = False
    drop_snapshot(t)
    for worker in s.workers:
        submitted = t.when(one_of(s.stage[worker], Stage.SUBMITTED, Stage.JUDGED, Stage.FLYING))
        submitted.stage[worker] = Stage.FAILING
        forget_plan(submitted, worker)
        t.plans.remove(worker)
    for flight in s.flights:
        t.flight_worker[flight] = NONE


@rule("LEADER-01", "LEADER-02", fair=weak())
def gain_leader(s: Kernel, t: Kernel) -> None:
    """A new leader puts back what the store calls pending or blocked."""
    t.require(not_(s.leading))
    t.leading = True
    for job in s.jobs:
        for number in s.eval_numbers:
            older = exists(
                all_of(
                    other < number,
                    s.record[job, other] == Record.PENDING,
                    s.cause[job, other] != Cause.FOLLOW_UP,
                )
                for other in s.eval_numbers
            )
            is_pending = s.record[job, number] == Record.PENDING
            waits = s.cause[job, number] == Cause.FOLLOW_UP
            t.when(is_pending).place[job, number] = ite(
                waits, Place.WAITING, ite(older, Place.BEHIND, Place.READY)
            )
            blocked = t.when(s.record[job, number] == Record.BLOCKED)
            blocked.tracking[job, number] = Tracking.ARRIVING
            if not s.has(FORGOTTEN_WAKE):
                blocked.missed[job, number] = True
