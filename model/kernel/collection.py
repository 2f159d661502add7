"""Garbage collection (GC), and operators, delete records."""

from nomadspec.model.kernel.broker import has_ended, has_open_eval, is_batch_type, is_in_blocked_evals
from nomadspec.model.kernel.ids import AllocNumber, EvalNumber, JobId
from nomadspec.model.kernel.jobs import delete_alloc, delete_job
from nomadspec.model.kernel.log import note_entry
from nomadspec.model.kernel.state import Kernel
from nomadspec.model.kernel.statuses import TERMINAL_ALLOC, AllocPhase, EvalRecord, InBroker, JobPhase, Kind
from nomadspec.model.kernel.verdict import is_live
from nomadspec.model.language.logic import Flag, all_of, any_of, exists, for_all, ite, not_, one_of
from nomadspec.model.language.rule import rule
from nomadspec.model.specification.quirks import HASTY_COLLECTION, HASTY_REAP


def is_referred_to(s: Kernel, job: JobId, number: EvalNumber) -> Flag:
    """True while broker, blocked evals, a worker or a list to cancel still has the evaluation."""
    is_worked_on = exists(all_of(s.job[w] == job, s.number[w] == number) for w in s.workers)
    is_queued = any_of(s.in_broker[job, number] != InBroker.OUT, s.cancelable[job, number])
    return any_of(is_worked_on, is_queued, is_in_blocked_evals(s, job, number))


def may_be_collected(s: Kernel, job: JobId, alloc: AllocNumber) -> Flag:
    """True while an allocation has ended, and is of no use to anybody: not even to be rescheduled.

    What has ended of a batch job says that its work is done, until the job is over.
    """
    is_terminal = one_of(s.alloc_phase[job, alloc], *TERMINAL_ALLOC)
    is_failed = s.alloc_phase[job, alloc] == AllocPhase.FAILED
    is_stopped = all_of(s.job_phase[job] == JobPhase.STOPPED, is_finished(s, job))
    is_history = any_of(s.alloc_version[job, alloc] < s.job_version[job], is_stopped)
    is_batch = all_of(s.kind[job] == Kind.BATCH, s.job_phase[job] != JobPhase.ABSENT)
    is_unneeded = any_of(not_(is_failed), s.job_phase[job] != JobPhase.WANTED)
    return all_of(is_terminal, ite(is_batch, is_history, is_unneeded))


def is_finished(s: Kernel, job: JobId) -> Flag:
    """True while nothing of a job lives, and no evaluation of it is open."""
    is_over = for_all(not_(is_live(s, job, i)) for i in s.allocs)
    return all_of(is_over, not_(has_open_eval(s, job)))


@rule(
    "GC-20",
    "GC-21",
    "GC-23",
    "GC-91",
    "GC-92",
    "FSM-03",
    spends=Kernel.gc_deletions_made,
    actor="garbage collector",
)
def gc_eval(s: Kernel, t: Kernel, job: JobId, number: EvalNumber) -> None:
    """Garbage collection deletes an evaluation that has ended; broker and blocked evals are not told."""
    t.require(s.leading, has_ended(s, job, number))
    if not s.has(HASTY_COLLECTION):
        t.require(not_(is_referred_to(s, job, number)))
    t.eval_record[job, number] = EvalRecord.ABSENT
    note_entry(s, t)


@rule("GC-20", "GC-25", "GC-91", spends=Kernel.gc_deletions_made, actor="garbage collector")
def gc_alloc(s: Kernel, t: Kernel, job: JobId, alloc: AllocNumber) -> None:
    """Garbage collection deletes an allocation that has ended."""
    t.require(s.leading, may_be_collected(s, job, alloc))
    delete_alloc(t, job, alloc)
    note_entry(s, t)


@rule("EVAL-47", spends=Kernel.gc_deletions_made, actor="operator")
def delete_eval(s: Kernel, t: Kernel, job: JobId, number: EvalNumber) -> None:
    """An operator deletes an evaluation, whatever its status, while the broker is paused."""
    t.require(s.leading, s.paused, s.eval_record[job, number] != EvalRecord.ABSENT)
    t.eval_record[job, number] = EvalRecord.ABSENT
    note_entry(s, t)


def is_dead(s: Kernel, job: JobId) -> Flag:
    """True while a job is finished and was stopped, or its work is done: it is eligible for GC."""
    is_done = all_of(is_batch_type(s, job), s.job_phase[job] == JobPhase.WANTED)
    return all_of(any_of(s.job_phase[job] == JobPhase.STOPPED, is_done), is_finished(s, job))


@rule("GC-30", "GC-31", "GC-32", spends=Kernel.gc_deletions_made, actor="garbage collector")
def find_job_eligible_for_gc(s: Kernel, t: Kernel, job: JobId) -> None:
    """Garbage collection finds, by its snapshot, that a job is eligible."""
    t.require(s.leading, not_(s.eligible_for_gc[job]), is_dead(s, job))
    t.eligible_for_gc[job] = True


@rule("GC-34", "GC-94", "GC-95", "GC-96", "JOB-17", "OBJ-048", "EVAL-46", actor="garbage collector")
def gc_job(s: Kernel, t: Kernel, job: JobId) -> None:
    """The entry of garbage collection purges the job that was found dead, without an evaluation."""
    t.require(s.leading, s.eligible_for_gc[job], s.job_phase[job] != JobPhase.ABSENT)
    if not s.has(HASTY_REAP):
        t.require(is_dead(s, job))
    t.eligible_for_gc[job] = False
    delete_job(s, t, job)
    note_entry(s, t)


@rule("GC-06", "GC-95", actor="garbage collector")
def skip_gc_job(s: Kernel, t: Kernel, job: JobId) -> None:
    """Garbage collection forgets a job that it found dead: its run failed, or the job is gone already."""
    t.require(s.eligible_for_gc[job])
    t.eligible_for_gc[job] = False
