"""What must be true of allocations, and of what their clients report."""

from nomadspec.model.domain import NONE, Id
from nomadspec.model.kernel.broker import has_ended
from nomadspec.model.kernel.clients import fail_alloc, report_end
from nomadspec.model.kernel.disconnects import reconnect_alloc
from nomadspec.model.kernel.kernel import is_out_of_records
from nomadspec.model.kernel.state import AllocPhase, Cause, JobPhase, Kernel, Record, Stage
from nomadspec.model.logic import Value, all_of, any_of, count, exists, for_all, iff, implies, not_, one_of
from nomadspec.model.property import By, always, eventually, sometimes, step


def is_running(s: Kernel, job: Id, alloc: Id) -> Value:
    """Say that an allocation is neither over nor unknown."""
    return s.alloc_phase[job, alloc] == AllocPhase.LIVE


def is_over(s: Kernel, job: Id, alloc: Id) -> Value:
    """Say that an allocation has ended, or was deleted."""
    over = (AllocPhase.STOPPED, AllocPhase.FAILED, AllocPhase.LOST, AllocPhase.COMPLETE, AllocPhase.GONE)
    return one_of(s.alloc_phase[job, alloc], *over)


def has_surplus(s: Kernel, job: Id) -> Value:
    """Say that more instances of a job run than are wanted."""
    return count(is_running(s, job, i) for i in s.allocs) > s.count


@always("ALLOC-02", "PLAN-53", why="what is not terminal is counted against its node", lemma=True)
def only_what_is_not_over_takes_room(s: Kernel) -> Value:
    """Say that an allocation takes capacity exactly while it is not terminal."""
    return for_all(
        iff(s.occupies[job, i] != NONE, one_of(s.alloc_phase[job, i], AllocPhase.LIVE, AllocPhase.UNKNOWN))
        for job in s.jobs
        for i in s.allocs
    )


@always("ALLOC-04", why="a number that was not given out names nothing", lemma=True)
def allocations_are_numbered(s: Kernel) -> Value:
    """Say that only numbers that were given out have a record."""
    return for_all(
        implies(s.alloc_phase[job, i] != AllocPhase.ABSENT, i < s.alloc_made[job])
        for job in s.jobs
        for i in s.allocs
    )


@step("ALLOC-02", "ALLOC-09", "PLAN-74", why="capacity of what has ended is given away, and is not had back")
def what_is_over_stays_over(s: Kernel, n: Kernel) -> Value:
    """Say that an allocation which has ended is never live or unknown again."""
    return for_all(implies(is_over(s, job, i), is_over(n, job, i)) for job in s.jobs for i in s.allocs)


@step("FSM-23", "FSM-24", "ALLOC-13", why="a report of a client knows nothing of what schedulers have done")
def reports_spare_what_has_ended(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that a client's report calls off no follow-up that has ended."""
    if not by.is_(reconnect_alloc, fail_alloc, report_end):
        return True
    return for_all(
        implies(has_ended(s, job, e), n.record[job, e] == s.record[job, e])
        for job in s.jobs
        for e in s.eval_numbers
    )


@step("FSM-23", "ALLOC-13", "DISC-13", why="an allocation that is still unknown needs its follow-up")
def shared_follow_ups_are_kept(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that a client's report calls off no follow-up for which another unknown allocation waits."""
    if not by.is_(reconnect_alloc, fail_alloc):
        return True
    job, alloc = by["job"], by["alloc"]

    def is_needed(e: Id) -> Value:
        return exists(
            all_of(i != alloc, s.alloc_phase[job, i] == AllocPhase.UNKNOWN, s.deadline[job, i] == e)
            for i in s.allocs
        )

    return for_all(
        implies(all_of(is_needed(e), s.record[job, e] == Record.PENDING), n.record[job, e] == Record.PENDING)
        for e in s.eval_numbers
    )


@always("PLAN-53", "PLAN-54", why="room that is taken elsewhere is given back by nobody", lemma=True)
def more_room_is_taken_on_the_same_node(s: Kernel) -> Value:
    """Say that an allocation that needs more than one unit takes all of them on its node."""
    return for_all(
        any_of(s.extra_at[job, i, x] == NONE, s.extra_at[job, i, x] == s.occupies[job, i])
        for job in s.jobs
        for i in s.allocs
        for x in s.extras
    )


@always("ALLOC-13", "FSM-23", "DISC-05", why="a follow-up of what has ended by itself runs for nothing")
def what_has_ended_waits_for_no_follow_up(s: Kernel) -> Value:
    """Say that an allocation that has failed or completed has no deadline, and no time that is up."""
    return for_all(
        implies(
            one_of(s.alloc_phase[job, i], AllocPhase.FAILED, AllocPhase.COMPLETE),
            all_of(s.deadline[job, i] == NONE, s.is_late[job, i] == 0),
        )
        for job in s.jobs
        for i in s.allocs
    )


@step("ALLOC-09", "ALLOC-14", "CLIENT-04", why="an end that nobody reports must not wake anybody")
def only_ends_are_reported(s: Kernel, n: Kernel) -> Value:
    """Say that what ends by itself is reported by that, and what was told to stop where clients report it."""

    def is_right(job: Id, i: Id) -> Value:
        by_itself = one_of(n.alloc_phase[job, i], AllocPhase.FAILED, AllocPhase.COMPLETE)
        is_new = n.alloc_phase[job, i] != s.alloc_phase[job, i]
        is_told = all_of(n.is_reported[job, i], not_(s.is_reported[job, i]))
        return all_of(
            implies(all_of(by_itself, is_new), n.is_reported[job, i]),
            implies(is_told, any_of(by_itself, s.endings > 0)),
        )

    return for_all(is_right(job, i) for job in s.jobs for i in s.allocs)


@eventually(
    "REC-37",
    "DISC-05",
    why="an allocation that came back and the one that replaced it must not both stay",
    given=has_surplus,
    job=Kernel.jobs,
)
def surplus_is_stopped(s: Kernel, job: Id) -> Value:
    """Say that no more instances of a job run than are wanted."""
    enough = count(is_running(s, job, i) for i in s.allocs) <= s.count
    return any_of(enough, is_out_of_records(s), s.paused)


@sometimes(
    "TRIG-16c",
    "TRIG-17",
    why="sharing matters only where two wait for one",
    scopes=("shared", "awaited-twice"),
)
def unknown_allocations_share_a_follow_up(s: Kernel) -> Value:
    """Say that two unknown allocations of a job wait for the same follow-up."""
    return exists(
        all_of(i < o, s.deadline[job, i] != NONE, s.deadline[job, i] == s.deadline[job, o])
        for job in s.jobs
        for i in s.allocs
        for o in s.allocs
    )


@sometimes(
    "ALLOC-12",
    "DISC-05",
    why="an allocation that comes back meets the one that replaced it",
    scopes=("silence",),
)
def an_allocation_and_its_replacement_run(s: Kernel) -> Value:
    """Say that more instances of a job run than are wanted."""
    return exists(has_surplus(s, job) for job in s.jobs)


@sometimes("FSM-23", why="a follow-up can only be called off where there is one", scopes=("silence",))
def a_follow_up_is_called_off(s: Kernel) -> Value:
    """Say that the follow-up of an unknown allocation is canceled."""
    return exists(
        all_of(s.cause[job, e] == Cause.DEADLINE, s.record[job, e] == Record.CANCELED)
        for job in s.jobs
        for e in s.eval_numbers
    )


@sometimes(
    "ALLOC-09",
    "FSM-22",
    why="the end of an allocation only matters where one ends by itself",
    scopes=("batch", "silence"),
)
def an_allocation_fails(s: Kernel) -> Value:
    """Say that an allocation has failed."""
    return exists(s.alloc_phase[job, i] == AllocPhase.FAILED for job in s.jobs for i in s.allocs)


@sometimes("ALLOC-12", "GENERIC-14", why="work that is done must not be done again", scopes=("batch",))
def an_allocation_completes(s: Kernel) -> Value:
    """Say that an allocation is complete."""
    return exists(s.alloc_phase[job, i] == AllocPhase.COMPLETE for job in s.jobs for i in s.allocs)


@sometimes(
    "ALLOC-12",
    "GENERIC-14",
    why="the next version of a job is other work, to be done anew",
    scopes=("done-before",),
)
def a_job_is_registered_anew_after_its_work(s: Kernel) -> Value:
    """Say that an allocation is complete of a version which is not the newest one of its job."""
    return exists(
        all_of(
            s.alloc_phase[job, i] == AllocPhase.COMPLETE,
            s.job_phase[job] == JobPhase.WANTED,
            s.alloc_version[job, i] < s.job_version[job],
        )
        for job in s.jobs
        for i in s.allocs
    )


@sometimes(
    "ALLOC-12",
    "PLAN-51",
    why="a plan knows nothing of what is reported after its snapshot, and no applier asks",
    scopes=("repeated",),
)
def work_is_done_before_its_plan_is_applied(s: Kernel) -> Value:
    """Say that a plan which places is queued for a job of which as many are complete as it wants."""

    def is_complete(job: Id, i: Id) -> Value:
        is_current = s.alloc_version[job, i] == s.job_version[job]
        return all_of(is_current, s.alloc_phase[job, i] == AllocPhase.COMPLETE)

    return exists(
        all_of(
            s.job[worker] == job,
            s.stage[worker] == Stage.SUBMITTED,
            exists(s.plan_to[worker, k] != NONE for k in s.slots),
            count(is_complete(job, i) for i in s.allocs) >= s.count,
        )
        for worker in s.workers
        for job in s.jobs
    )
