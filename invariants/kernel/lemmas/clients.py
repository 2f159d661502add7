"""Lemmas about allocations."""

from nomadspec.model.kernel.ids import AllocNumber, JobId
from nomadspec.model.kernel.state import Kernel
from nomadspec.model.kernel.statuses import AllocPhase, Kind
from nomadspec.model.kernel.verdict import is_live, is_stored
from nomadspec.model.language.domain import NONE
from nomadspec.model.language.logic import Flag, all_of, any_of, for_all, iff, implies, not_
from nomadspec.model.language.property import always


@always("ALLOC-02", "PLAN-53", why="what is not terminal is counted against its node", lemma=True)
def terminal_allocs_take_no_capacity(s: Kernel) -> Flag:
    """An allocation takes capacity exactly while it is not terminal."""
    return for_all(iff(s.occupies[job, i] != NONE, is_live(s, job, i)) for job in s.jobs for i in s.allocs)


@always("ALLOC-04", why="numbers not given out name nothing", lemma=True, job=Kernel.jobs, i=Kernel.allocs)
def allocations_are_numbered(s: Kernel, job: JobId, i: AllocNumber) -> Flag:
    """Only numbers that were given out have a record."""
    return implies(s.alloc_phase[job, i] != AllocPhase.ABSENT, i < s.alloc_made[job])


@always("PLAN-53", "PLAN-54", why="room that is taken elsewhere is given back by nobody", lemma=True)
def extra_ask_is_taken_on_the_same_node(s: Kernel) -> Flag:
    """What an allocation takes beside its first unit, it takes on the same node."""
    return for_all(
        any_of(s.extra_at[job, i, x] == NONE, s.extra_at[job, i, x] == s.occupies[job, i])
        for job in s.jobs
        for i in s.allocs
        for x in s.extras
    )


@always(
    "GC-91",
    "GC-96",
    "OBJ-048",
    why="what was said of an allocation that is gone must not be said of the next",
    lemma=True,
    j=Kernel.jobs,
    i=Kernel.allocs,
)
def deleted_allocations_leave_nothing(s: Kernel, j: JobId, i: AllocNumber) -> Flag:
    """An allocation that was not made, or was deleted, has no version, mark, deadline or health."""
    is_blank = all_of(s.alloc_version[j, i] == 0, not_(s.migrate[j, i]), s.occupies[j, i] == NONE)
    says_nothing = all_of(is_blank, s.follow_up[j, i] == NONE, not_(s.is_late[j, i]))
    return implies(not_(is_stored(s, j, i)), says_nothing)


@always("DISC-05", "TRIG-17", "FSM-23", why="a deadline is for those who are out of reach", lemma=True)
def only_unknown_allocs_have_a_deadline(s: Kernel) -> Flag:
    """An allocation that runs waits for no follow-up, and has used up no time that it has while unknown."""
    return for_all(
        implies(
            s.alloc_phase[j, i] == AllocPhase.LIVE, all_of(not_(s.is_late[j, i]), s.follow_up[j, i] == NONE)
        )
        for j in s.jobs
        for i in s.allocs
    )


@always(
    "ALLOC-12",
    "GC-21",
    why="garbage collection keeps finished work",
    lemma=True,
    j=Kernel.jobs,
    i=Kernel.allocs,
)
def only_batch_jobs_have_complete_allocs(s: Kernel, j: JobId, i: AllocNumber) -> Flag:
    """An allocation that is complete is of a batch job."""
    return implies(
        s.alloc_phase[j, i] == AllocPhase.COMPLETE, all_of(s.kinds >= Kind.BATCH, s.kind[j] == Kind.BATCH)
    )


@always("ALLOC-09", "ALLOC-14", why="it would free room twice", lemma=True, j=Kernel.jobs, i=Kernel.allocs)
def end_of_a_running_alloc_is_not_reported(s: Kernel, j: JobId, i: AllocNumber) -> Flag:
    """The client of an allocation that is to be made, runs or is unknown has not reported its end."""
    return implies(
        any_of(s.alloc_phase[j, i] == AllocPhase.ABSENT, is_live(s, j, i)),
        not_(s.is_reported[j, i]),
    )
