"""What must be true of the deletion of records."""

from nomadspec.model.kernel.collection import collect_eval, delete_eval, is_referred_to
from nomadspec.model.kernel.jobs import purge_job
from nomadspec.model.kernel.state import AllocPhase, JobPhase, Kernel, Record
from nomadspec.model.logic import Value, all_of, any_of, exists, for_all, implies, not_, one_of
from nomadspec.model.property import By, sometimes, step


@step("GC-23", "GC-91", "FSM-03", why="what is deleted while it is queued is run without a record")
def nothing_queued_is_collected(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that the collector deletes no evaluation that broker, tracker or a worker still has."""
    if not by.is_(collect_eval):
        return True
    return for_all(
        implies(
            all_of(is_referred_to(s, j, e), s.record[j, e] != Record.ABSENT), n.record[j, e] != Record.ABSENT
        )
        for j in s.jobs
        for e in s.eval_numbers
    )


@step("GC-23", "GC-25", "GC-30", why="a collector clears away what is over, and nothing else")
def nothing_alive_is_collected(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that only a purge by an operator deletes an allocation that is live or unknown."""
    if by.is_(purge_job):
        return True
    return for_all(
        any_of(
            n.alloc_phase[j, i] == s.alloc_phase[j, i],
            n.alloc_phase[j, i] != AllocPhase.GONE,
            not_(one_of(s.alloc_phase[j, i], AllocPhase.LIVE, AllocPhase.UNKNOWN)),
        )
        for j in s.jobs
        for i in s.allocs
    )


@step("GC-23", "EVAL-47", why="an evaluation that was not run must not vanish")
def only_operators_delete_what_waits(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that a pending or blocked evaluation is deleted by nobody but an operator."""
    if by.is_(delete_eval):
        return True
    return for_all(
        any_of(
            n.record[j, e] == s.record[j, e],
            n.record[j, e] != Record.ABSENT,
            not_(one_of(s.record[j, e], Record.PENDING, Record.BLOCKED)),
        )
        for j in s.jobs
        for e in s.eval_numbers
    )


@step("GC-91", "GC-92", "EVAL-47", why="a record that comes back has nobody who looks after it")
def what_is_deleted_stays_deleted(s: Kernel, n: Kernel) -> Value:
    """Say that the record of an evaluation which was deleted does not come back."""
    return for_all(
        any_of(n.record[j, e] == s.record[j, e], s.record[j, e] != Record.ABSENT, e >= s.made[j])
        for j in s.jobs
        for e in s.eval_numbers
    )


@step("GC-30", "GC-34", "GC-94", why="a job that is wanted must not vanish")
def only_operators_delete_wanted_jobs(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that a job that is wanted is deleted by nobody but an operator."""
    if by.is_(purge_job):
        return True
    return for_all(
        any_of(
            n.job_phase[j] == s.job_phase[j],
            s.job_phase[j] != JobPhase.WANTED,
            n.job_phase[j] != JobPhase.ABSENT,
        )
        for j in s.jobs
    )


@sometimes(
    "GC-91", why="what was collected can only be missed where something was", scopes=("collection", "pause")
)
def an_evaluation_is_deleted(s: Kernel) -> Value:
    """Say that the record of an evaluation was deleted."""
    return exists(
        all_of(e < s.made[j], s.record[j, e] == Record.ABSENT) for j in s.jobs for e in s.eval_numbers
    )


@sometimes(
    "GC-30", "GC-94", why="between the decision and its entry the world goes on", scopes=("collection",)
)
def a_doomed_job_is_wanted_again(s: Kernel) -> Value:
    """Say that a job is wanted that the collector has found dead."""
    return exists(all_of(s.doomed[j], s.job_phase[j] == JobPhase.WANTED) for j in s.jobs)


@sometimes(
    "GC-30",
    "GC-31",
    "GC-96",
    why="what was deleted of a job must not keep the rest of it for ever",
    scopes=("dead-again",),
)
def a_job_is_doomed_after_a_purge(s: Kernel) -> Value:
    """Say that the collector has found a stopped job dead of which allocations were deleted before."""
    return exists(
        all_of(s.doomed[j], s.job_phase[j] == JobPhase.STOPPED, s.alloc_phase[j, i] == AllocPhase.GONE)
        for j in s.jobs
        for i in s.allocs
    )


@sometimes("FSM-03", "GC-92", why="a record may end long before broker and worker are done with it")
def an_ended_evaluation_is_still_queued(s: Kernel) -> Value:
    """Say that an evaluation has ended which broker, tracker or a worker still has."""
    ended = (Record.COMPLETE, Record.FAILED, Record.CANCELED)
    return exists(
        all_of(one_of(s.record[j, e], *ended), is_referred_to(s, j, e))
        for j in s.jobs
        for e in s.eval_numbers
    )
