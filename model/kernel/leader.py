"""Leadership: what is forgotten when it is lost, and what a new leader puts back."""

from nomadspec.model.kernel.broker import is_delayed
from nomadspec.model.kernel.columns import DeliveryInBroker, EvalsInMemory
from nomadspec.model.kernel.ids import EvalNumber, JobId
from nomadspec.model.kernel.log import note_entry
from nomadspec.model.kernel.pipeline import abandon_entries, is_in_flight
from nomadspec.model.kernel.plan_queue import flush_plans, is_with_applier
from nomadspec.model.kernel.state import Kernel
from nomadspec.model.kernel.statuses import EvalRecord, InBroker, Stage
from nomadspec.model.kernel.worker import forget_plan
from nomadspec.model.language.logic import Flag, all_of, any_of, count, exists, for_all, ite, not_
from nomadspec.model.language.rule import rule, weak
from nomadspec.model.specification.quirks import FORGOTTEN_REAPER, FORGOTTEN_WAKE, SURVIVING_PLAN


def forget_evaluations(t: Kernel) -> None:
    """Let broker and blocked evals forget everything, and every delivery with it."""
    t.clear(EvalsInMemory)
    t.clear(DeliveryInBroker)


def restore_evaluations(s: Kernel, t: Kernel) -> None:
    """Put back what is pending or blocked in the store, in the order in which it was made."""
    for job in s.jobs:
        for number in s.eval_numbers:
            restore_pending(s, t, job, number)
            blocked = t.when(s.eval_record[job, number] == EvalRecord.BLOCKED)
            before = (all_of(o < number, s.eval_record[job, o] == EvalRecord.BLOCKED) for o in s.eval_numbers)
            blocked.arriving[job, number] = 1 + count(before)
            if not s.has(FORGOTTEN_WAKE):
                blocked.missed_unblock[job, number] = True


def restore_pending(s: Kernel, t: Kernel, job: JobId, number: EvalNumber) -> None:
    """Offer a pending evaluation to the broker again: the oldest that does not wait takes the job."""

    def is_offered(other: EvalNumber) -> Flag:
        return all_of(s.eval_record[job, other] == EvalRecord.PENDING, not_(is_delayed(s, job, other)))

    is_behind = exists(all_of(other < number, is_offered(other)) for other in s.eval_numbers)
    place = ite(
        is_delayed(s, job, number),
        InBroker.WAITING,
        ite(is_behind, InBroker.PENDING_BEHIND_JOB, InBroker.READY),
    )
    t.when(s.eval_record[job, number] == EvalRecord.PENDING).in_broker[job, number] = place


@rule("LEADER-08", "BROKER-52", "BLOCKED-46", "PLAN-22", spends=Kernel.elected, actor="leader")
def lose_leader(s: Kernel, t: Kernel) -> None:
    """Leadership is lost: the leader's memory is gone, and queued plans fail."""
    t.require(s.leading)
    t.leading = False
    t.reaping = False
    forget_evaluations(t)
    flush_plans(s, t)
    abandon_entries(s, t)
    for worker in s.workers:
        submitted = t.when(is_with_applier(s, worker))
        submitted.stage[worker] = Stage.FAILING
        forget_plan(submitted, worker)


@rule("LEADER-01", "LEADER-02", actor="leader", fair=weak())
def gain_leader(s: Kernel, t: Kernel) -> None:
    """A new leader, once every entry is applied, puts back what is pending or blocked, unless paused."""
    t.require(not_(s.leading), for_all(not_(is_in_flight(s, entry_id)) for entry_id in s.entries))
    t.leading = True
    t.reaping = any_of(not s.has(FORGOTTEN_REAPER), not_(s.paused))
    restore_evaluations(s, t.when(not_(s.paused)))


@rule("LEADER-04", "BROKER-52", "BLOCKED-46", spends=Kernel.pauses_made, actor="leader")
def pause_broker(s: Kernel, t: Kernel) -> None:
    """An operator pauses the broker, which empties blocked evals too, and may end the reaper."""
    t.require(s.leading, not_(s.paused))
    t.paused = True
    note_entry(s, t)
    forget_evaluations(t)
    if s.has(FORGOTTEN_REAPER):
        t.reaping = False


@rule("LEADER-02", "LEADER-04", actor="leader")
def resume_broker(s: Kernel, t: Kernel) -> None:
    """An operator resumes the broker: it gets what is pending or blocked in the store."""
    t.require(s.leading, s.paused)
    if not s.has(SURVIVING_PLAN):
        t.require(for_all(not_(is_with_applier(s, worker)) for worker in s.workers))
    t.paused = False
    note_entry(s, t)
    restore_evaluations(s, t)
