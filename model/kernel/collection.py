"""Collection: the garbage collector and operators delete records."""

from nomadspec.model.domain import Id
from nomadspec.model.kernel.broker import has_ended
from nomadspec.model.kernel.jobs import delete_alloc, delete_job
from nomadspec.model.kernel.log import note_entry
from nomadspec.model.kernel.state import AllocPhase, JobPhase, Kernel, Place, Record
from nomadspec.model.logic import Value, all_of, any_of, exists, for_all, not_, one_of
from nomadspec.model.quirks import HASTY_COLLECTION, HASTY_REAP
from nomadspec.model.rule import rule


def is_referred_to(s: Kernel, job: Id, number: Id) -> Value:
    """Say that the broker, the tracker, a worker or a list of what to cancel still has the evaluation."""
    is_worked_on = exists(all_of(s.job[w] == job, s.number[w] == number) for w in s.workers)
    is_queued = any_of(s.place[job, number] != Place.OUT, s.superseded[job, number])
    is_tracked = any_of(s.tracking[job, number] != 0, s.arriving[job, number] > 0, s.duplicate[job, number])
    return any_of(is_worked_on, is_queued, is_tracked)


def may_be_collected(s: Kernel, job: Id, alloc: Id) -> Value:
    """Say that an allocation has ended, and is of no use to anybody: not even to be rescheduled."""
    is_over = one_of(s.alloc_phase[job, alloc], AllocPhase.STOPPED, AllocPhase.LOST, AllocPhase.COMPLETE)
    is_failed = s.alloc_phase[job, alloc] == AllocPhase.FAILED
    return any_of(is_over, all_of(is_failed, s.job_phase[job] != JobPhase.WANTED))


@rule(
    "GC-20",
    "GC-21",
    "GC-23",
    "GC-91",
    "GC-92",
    "FSM-03",
    actor="collector",
    job=Kernel.jobs,
    number=Kernel.eval_numbers,
)
def collect_eval(s: Kernel, t: Kernel, job: Id, number: Id) -> None:
    """The collector deletes an evaluation that has ended; broker and tracker are not told."""
    t.require(s.leading, s.collected < s.collections, has_ended(s, job, number))
    if not s.has(HASTY_COLLECTION):
        t.require(not_(is_referred_to(s, job, number)))
    t.collected = s.collected + 1
    t.record[job, number] = Record.ABSENT
    note_entry(s, t)


@rule("GC-20", "GC-25", "GC-91", actor="collector", job=Kernel.jobs, alloc=Kernel.allocs)
def collect_alloc(s: Kernel, t: Kernel, job: Id, alloc: Id) -> None:
    """The collector deletes an allocation that has ended."""
    t.require(s.leading, s.collected < s.collections, may_be_collected(s, job, alloc))
    t.collected = s.collected + 1
    delete_alloc(t, job, alloc)
    note_entry(s, t)


@rule("EVAL-47", actor="collector", job=Kernel.jobs, number=Kernel.eval_numbers)
def delete_eval(s: Kernel, t: Kernel, job: Id, number: Id) -> None:
    """An operator deletes an evaluation, whatever its status, while the broker is paused."""
    t.require(s.collected < s.collections, s.leading, s.paused, s.record[job, number] != Record.ABSENT)
    t.collected = s.collected + 1
    t.record[job, number] = Record.ABSENT
    note_entry(s, t)


def is_dead(s: Kernel, job: Id) -> Value:
    """Say that a stopped job has nothing left that lives or waits, so that the collector may take it."""
    is_over = for_all(
        any_of(one_of(s.alloc_phase[job, i], AllocPhase.ABSENT, AllocPhase.GONE), may_be_collected(s, job, i))
        for i in s.allocs
    )
    is_quiet = for_all(
        any_of(s.record[job, n] == Record.ABSENT, has_ended(s, job, n)) for n in s.eval_numbers
    )
    return all_of(s.job_phase[job] == JobPhase.STOPPED, is_over, is_quiet)


@rule("GC-30", "GC-31", "GC-32", actor="collector", job=Kernel.jobs)
def doom_job(s: Kernel, t: Kernel, job: Id) -> None:
    """The collector finds, by its snapshot, that a job may go."""
    t.require(s.leading, s.collected < s.collections, not_(s.doomed[job]), is_dead(s, job))
    t.collected = s.collected + 1
    t.doomed[job] = True


@rule("GC-34", "GC-94", "GC-95", "GC-96", "JOB-17", "OBJ-048", "EVAL-46", actor="collector", job=Kernel.jobs)
def reap_job(s: Kernel, t: Kernel, job: Id) -> None:
    """The entry of the collector purges the job that it found dead, without an evaluation."""
    t.require(s.leading, s.doomed[job], s.job_phase[job] != JobPhase.ABSENT)
    if not s.has(HASTY_REAP):
        t.require(is_dead(s, job))
    t.doomed[job] = False
    delete_job(s, t, job)
    note_entry(s, t)


@rule("GC-06", "GC-95", actor="collector", job=Kernel.jobs)
def spare_job(s: Kernel, t: Kernel, job: Id) -> None:
    """The collector forgets a job that it found dead: its run failed, or the job is gone already."""
    t.require(s.doomed[job])
    t.doomed[job] = False
