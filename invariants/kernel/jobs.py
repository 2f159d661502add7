"""What must be true of jobs that are stopped, purged and registered again."""

from nomadspec.model.domain import NONE, Id
from nomadspec.model.kernel.broker import make_misfit, request_evaluation
from nomadspec.model.kernel.collection import reap_job
from nomadspec.model.kernel.jobs import purge_job
from nomadspec.model.kernel.kernel import is_out_of_records
from nomadspec.model.kernel.pipeline import commit
from nomadspec.model.kernel.state import AllocPhase, JobPhase, Kernel, Record, Rollout, Stage
from nomadspec.model.kernel.worker import submit
from nomadspec.model.logic import Value, all_of, any_of, exists, for_all, implies, not_, one_of
from nomadspec.model.property import By, always, eventually, sometimes, step


def is_gone(s: Kernel, job: Id) -> Value:
    """Say that the store has no record of the job."""
    return s.job_phase[job] == JobPhase.ABSENT


def is_unwanted(s: Kernel, job: Id) -> Value:
    """Say that the job was stopped or purged."""
    return s.job_phase[job] != JobPhase.WANTED


def is_outdated(s: Kernel, job: Id, alloc: Id) -> Value:
    """Say that an allocation runs another version than that of its job."""
    is_running = s.alloc_phase[job, alloc] == AllocPhase.LIVE
    return all_of(not_(is_gone(s, job)), is_running, s.alloc_version[job, alloc] != s.job_version[job])


def occupies_nothing(s: Kernel, job: Id) -> Value:
    """Say that no allocation of the job takes any capacity."""
    return for_all(s.occupies[job, i] == NONE for i in s.allocs)


@always("OBJ-048", "JOB-13", "PLAN-73", "DEP-18", why="what a purge leaves behind belongs to nobody")
def purge_leaves_nothing(s: Kernel) -> Value:
    """Say that a job without a record has neither allocations nor a deployment."""
    return for_all(
        implies(
            is_gone(s, job),
            all_of(
                s.rollout[job] == Rollout.ABSENT,
                for_all(one_of(s.alloc_phase[job, i], AllocPhase.ABSENT, AllocPhase.GONE) for i in s.allocs),
            ),
        )
        for job in s.jobs
    )


@step("EVAL-46", "OBJ-048", why="a pending evaluation of a job that is gone would be waited for")
def purge_completes_what_is_pending(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that a purge completes every evaluation of the job that was pending, and leaves blocked ones."""
    if not by.is_(purge_job, reap_job):
        return True
    job = by["job"]
    return for_all(
        all_of(
            implies(s.record[job, e] == Record.PENDING, n.record[job, e] == Record.COMPLETE),
            implies(s.record[job, e] == Record.BLOCKED, n.record[job, e] == Record.BLOCKED),
        )
        for e in s.eval_numbers
    )


@step("JOB-07", "OBJ-048", why="two versions under one number could not be told apart")
def numbers_only_grow(s: Kernel, n: Kernel) -> Value:
    """Say that versions of a job, and numbers of evaluations and allocations, are given out in order."""
    return for_all(
        all_of(
            any_of(s.job_version[job] <= n.job_version[job], is_gone(n, job)),
            s.made[job] <= n.made[job],
            s.alloc_made[job] <= n.alloc_made[job],
        )
        for job in s.jobs
    )


@step("PLAN-13", "EVAL-37", "JOB-13", why="an error for what cannot be helped fails the evaluation at last")
def plans_of_purged_jobs_are_no_errors(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that a worker whose job is gone when it submits its plan gives nothing back, and lacks nothing."""
    if not by.is_(submit):
        return True
    worker, job = by["worker"], by["job"]
    is_in_vain = all_of(s.leading, s.holds[worker], is_gone(s, job))
    return implies(is_in_vain, all_of(n.stage[worker] != Stage.FAILING, not_(n.is_short[worker])))


@always("GENERIC-57", "JOB-09", why="what grows without being asked to takes the room of others", lemma=True)
def only_amended_jobs_grow(s: Kernel) -> Value:
    """Say that instances need room beside the first unit only where versions are taken over in place."""
    return any_of(s.amends > 0, for_all(s.job_bulk[j] == 0 for j in s.jobs))


@step("LEADER-01", "LEADER-08", "EVAL-10", why="what nobody leads is asked for in vain, and asked for again")
def evaluations_are_made_under_a_leader(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that without a leader no evaluation is made but on demand, and by entries that come late."""
    if by.is_(request_evaluation, make_misfit, commit):
        return True
    return any_of(s.leading, for_all(n.made[j] == s.made[j] for j in s.jobs))


@eventually(
    "REC-01",
    "GENERIC-54",
    "JOB-09",
    why="a version that is registered is to run, whether in place or anew",
    given=is_outdated,
    job=Kernel.jobs,
    alloc=Kernel.allocs,
)
def versions_are_rolled_out(s: Kernel, job: Id, alloc: Id) -> Value:
    """Say that an allocation of an old version is brought up to date, or ends."""
    return any_of(not_(is_outdated(s, job, alloc)), is_out_of_records(s), s.paused)


@eventually(
    "JOB-12",
    "REC-04",
    "PLAN-73",
    why="a job that was stopped must not go on for ever",
    given=is_unwanted,
    job=Kernel.jobs,
)
def unwanted_jobs_come_to_an_end(s: Kernel, job: Id) -> Value:
    """Say that no allocation of a job that was stopped is left, unless the job is wanted again."""
    is_back = s.job_phase[job] == JobPhase.WANTED
    return any_of(occupies_nothing(s, job), is_back, is_out_of_records(s), s.paused)


@sometimes(
    "JOB-13", why="a purge is only hard where the job is still being planned", scopes=("collection", "purge")
)
def a_job_is_gone_while_it_is_planned(s: Kernel) -> Value:
    """Say that a worker has an evaluation of a job that is gone."""
    return exists(all_of(s.job[w] == job, is_gone(s, job)) for w in s.workers for job in s.jobs)


@sometimes(
    "JOB-09",
    "JOB-12",
    why="stopping only matters for a job that has allocations",
    scopes=("update", "collection"),
)
def a_stopped_job_has_allocations(s: Kernel) -> Value:
    """Say that a stopped job still takes capacity."""
    return exists(
        all_of(s.job_phase[job] == JobPhase.STOPPED, s.occupies[job, i] != NONE)
        for job in s.jobs
        for i in s.allocs
    )


@sometimes(
    "JOB-07",
    "OBJ-048",
    why="numbers only matter where a job comes back under its old name",
    scopes=("purge",),
)
def a_job_is_wanted_after_its_purge(s: Kernel) -> Value:
    """Say that a job is wanted that was registered again, which takes that it was purged."""
    return exists(all_of(s.job_phase[job] == JobPhase.WANTED, s.returned > 0) for job in s.jobs)
