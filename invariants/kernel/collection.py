"""What must be true of the deletion of records."""

from nomadspec.invariants.kernel.blocked import is_awaited
from nomadspec.invariants.kernel.jobs import is_purged
from nomadspec.model.kernel.broker import has_ended, has_open_eval, is_batch_type, is_core
from nomadspec.model.kernel.collection import is_referred_to
from nomadspec.model.kernel.ids import AllocNumber, EvalNumber, JobId
from nomadspec.model.kernel.state import Kernel
from nomadspec.model.kernel.statuses import ENDED_BY_ITSELF, AllocPhase, EvalRecord, InBroker, JobPhase, Kind
from nomadspec.model.kernel.verdict import is_live
from nomadspec.model.language.logic import Flag, all_of, any_of, exists, for_all, implies, not_, one_of
from nomadspec.model.language.property import always, lemma, sometimes, step


@step("GC-91", "GC-92", "EVAL-47", why="nobody looks after such a record")
def deleted_eval_stays_deleted(s: Kernel, n: Kernel, j: JobId, e: EvalNumber) -> Flag:
    """The record of an evaluation which was deleted does not come back."""
    return any_of(
        n.eval_record[j, e] == s.eval_record[j, e], s.eval_record[j, e] != EvalRecord.ABSENT, e >= s.made[j]
    )


@sometimes("GC-91", why="a missing record matters only where one was collected", scopes=("gc", "pause"))
def an_evaluation_is_deleted(s: Kernel) -> Flag:
    """The record of an evaluation was deleted."""
    return exists(
        all_of(e < s.made[j], s.eval_record[j, e] == EvalRecord.ABSENT)
        for j in s.jobs
        for e in s.eval_numbers
    )


@sometimes("GC-30", "GC-94", why="between the decision and its entry the world goes on", scopes=("gc",))
def a_job_eligible_for_gc_is_wanted_again(s: Kernel) -> Flag:
    """A job is wanted that garbage collection has found dead."""
    return exists(all_of(s.eligible_for_gc[j], s.job_phase[j] == JobPhase.WANTED) for j in s.jobs)


@sometimes(
    "GC-30",
    "GC-31",
    "GC-96",
    why="deleted allocations of a job must not keep the job from being collected",
    scopes=("dead-again",),
)
def a_job_is_eligible_for_gc_after_a_purge(s: Kernel, j: JobId, i: AllocNumber) -> Flag:
    """Garbage collection has found a stopped job dead of which allocations were deleted before."""
    return all_of(
        s.eligible_for_gc[j], s.job_phase[j] == JobPhase.STOPPED, s.alloc_phase[j, i] == AllocPhase.GONE
    )


@sometimes("FSM-03", "GC-92", why="a record may end long before broker and worker are done with it")
def an_ended_evaluation_is_still_queued(s: Kernel) -> Flag:
    """An evaluation has ended which broker, blocked evals or a worker still has."""
    return exists(all_of(has_ended(s, j, e), is_referred_to(s, j, e)) for j in s.jobs for e in s.eval_numbers)


@always(
    "GC-23",
    "GC-91",
    "EVAL-47",
    "FSM-03",
    why="who has it would write its record anew, and the next leader would not know of it",
)
def evals_in_use_are_stored(s: Kernel, j: JobId, e: EvalNumber) -> Flag:
    """What the broker, a worker or blocked evals have is stored, but for core evaluations."""
    is_in_use = any_of(s.in_broker[j, e] != InBroker.OUT, s.cancelable[j, e], is_awaited(s, j, e))
    return implies(is_in_use, any_of(is_core(s, j), s.eval_record[j, e] != EvalRecord.ABSENT))


@step("GC-21", "GC-22", "GC-23", "GC-25", "GC-30", "GC-92", why="work would be done again, or not replaced")
def needed_alloc_is_deleted_only_by_a_purge(s: Kernel, n: Kernel, j: JobId, i: AllocNumber) -> Flag:
    """Only a purge, which leaves an evaluation, deletes what runs, or has ended and is of use to its job.

    While a job is wanted it has to replace what has failed, and must not do again what is complete. For a
    batch job only what has ended of its current version counts.
    """
    is_wanted = all_of(s.job_phase[j] == JobPhase.WANTED, n.job_phase[j] == JobPhase.WANTED)
    is_current = any_of(s.kind[j] != Kind.BATCH, s.alloc_version[j, i] == s.job_version[j])
    has_ended_by_itself = one_of(s.alloc_phase[j, i], *ENDED_BY_ITSELF)
    is_needed = any_of(is_live(s, j, i), all_of(has_ended_by_itself, is_wanted, is_current))
    is_deleted = n.alloc_phase[j, i] == AllocPhase.GONE
    return implies(all_of(is_needed, is_deleted), is_purged(s, n, j))


@step("GC-30", "GC-31", "GC-34", "GC-94", why="a job that is wanted must not vanish")
def wanted_job_is_deleted_only_by_a_purge(s: Kernel, n: Kernel) -> Flag:
    """Only a purge, which leaves an evaluation, deletes a job that has open evaluations, or is wanted.

    A batch job is not wanted any more once it was evaluated and nothing of it runs.
    """

    def is_over(j: JobId) -> Flag:
        runs = exists(is_live(s, j, i) for i in s.allocs)
        is_done = all_of(is_batch_type(s, j), not_(runs))
        return any_of(s.job_phase[j] == JobPhase.STOPPED, is_done)

    def is_deleted(j: JobId) -> Flag:
        return all_of(s.job_phase[j] != JobPhase.ABSENT, n.job_phase[j] == JobPhase.ABSENT)

    return for_all(
        implies(is_deleted(j), any_of(is_purged(s, n, j), all_of(is_over(j), not_(has_open_eval(s, j)))))
        for j in s.jobs
    )


# lemmas


@lemma("GC-30", "GC-31", why="a job that was not found dead must not be purged")
def jobs_eligible_for_gc_were_found(s: Kernel, j: JobId) -> Flag:
    """A job is eligible for garbage collection only where that has run."""
    return implies(s.eligible_for_gc[j], s.gc_deletions_made > 0)
