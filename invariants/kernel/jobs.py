"""What must be true of jobs that are registered, stopped, purged and registered again."""

from nomadspec.model.kernel.broker import is_core
from nomadspec.model.kernel.ids import AllocNumber, JobId
from nomadspec.model.kernel.state import Kernel
from nomadspec.model.kernel.statuses import AllocPhase, DeploymentPhase, JobPhase
from nomadspec.model.kernel.verdict import is_stored
from nomadspec.model.language.domain import NONE
from nomadspec.model.language.logic import Flag, all_of, any_of, exists, for_all, implies, ite, not_
from nomadspec.model.language.property import always, lemma, sometimes, step


def is_gone(s: Kernel, job: JobId) -> Flag:
    """True while the store has no record of the job."""
    return s.job_phase[job] == JobPhase.ABSENT


def is_purged(s: Kernel, n: Kernel, job: JobId) -> Flag:
    """True where a job is deleted and gets an evaluation: garbage collection makes none."""
    return all_of(not_(is_gone(s, job)), is_gone(n, job), n.made[job] > s.made[job])


def find_newest_version(s: Kernel, job: JobId) -> int:
    """Give the newest version that a job has had.

    One that was deleted, and may be back, begins anew, and had at most as many as were registered so far.
    """
    may_be_back = all_of(s.returned > 0, any_of(s.purged > 0, s.gc_deletions_made > 0))
    return ite(any_of(is_gone(s, job), may_be_back), s.updated, s.job_version[job])


def is_outdated(s: Kernel, job: JobId, alloc: AllocNumber) -> Flag:
    """True while an allocation runs another version than that of its job."""
    is_running = s.alloc_phase[job, alloc] == AllocPhase.RUNNING
    return all_of(not_(is_gone(s, job)), is_running, s.alloc_version[job, alloc] != s.job_version[job])


@always("OBJ-048", "JOB-13", "PLAN-73", "DEP-18", why="no job is left to clean up the rest")
def purge_leaves_nothing(s: Kernel, job: JobId) -> Flag:
    """A job without a record has neither allocations nor a deployment."""
    return implies(
        is_gone(s, job),
        all_of(
            s.deployment[job] == DeploymentPhase.ABSENT, for_all(not_(is_stored(s, job, i)) for i in s.allocs)
        ),
    )


@step("JOB-07", "JOB-09", "OBJ-048", why="two versions under one number could not be told apart")
def numbers_only_grow(s: Kernel, n: Kernel, job: JobId) -> Flag:
    """Versions of a job until it is gone, and numbers of evaluations and allocations, only grow.

    Only a job that is wanted gets a new version.
    """
    is_new = all_of(s.job_version[job] < n.job_version[job], n.job_phase[job] == JobPhase.WANTED)
    return all_of(
        any_of(s.job_version[job] == n.job_version[job], is_new, is_gone(n, job)),
        s.made[job] <= n.made[job],
        s.alloc_made[job] <= n.alloc_made[job],
    )


@step("JOB-07", "JOB-12", "JOB-13", why="who stops one job relies on all others to run")
def job_is_registered_stopped_or_purged_alone(s: Kernel, n: Kernel, j: JobId, k: JobId) -> Flag:
    """No two jobs are registered, stopped or purged at once; garbage collection may delete several."""

    def is_changed(job: JobId) -> Flag:
        is_other = any_of(s.job_phase[job] != n.job_phase[job], s.job_version[job] != n.job_version[job])
        return any_of(is_purged(s, n, job), all_of(is_other, not_(is_gone(n, job))))

    return implies(j != k, not_(all_of(is_changed(j), is_changed(k))))


@sometimes("JOB-13", why="a purge is only hard where the job is still being planned", scopes=("gc", "purge"))
def a_job_is_gone_while_it_is_planned(s: Kernel) -> Flag:
    """A worker has an evaluation of a job that is gone."""
    return exists(all_of(s.job[w] == job, is_gone(s, job)) for w in s.workers for job in s.jobs)


@sometimes("JOB-12", why="stopping only matters for a job that has allocations", scopes=("update", "gc"))
def a_stopped_job_has_allocations(s: Kernel) -> Flag:
    """A stopped job still takes capacity."""
    return exists(
        all_of(s.job_phase[job] == JobPhase.STOPPED, s.occupies[job, i] != NONE)
        for job in s.jobs
        for i in s.allocs
    )


@sometimes(
    "JOB-07", "OBJ-048", why="numbers matter only where a job returns under its old name", scopes=("purge",)
)
def a_job_is_wanted_after_its_purge(s: Kernel) -> Flag:
    """A job is wanted of which allocations were deleted with it."""
    return exists(
        all_of(s.job_phase[job] == JobPhase.WANTED, s.alloc_phase[job, i] == AllocPhase.GONE)
        for job in s.jobs
        for i in s.allocs
    )


# lemmas


@lemma("GENERIC-57", "GENERIC-55", why="what needs more than its job asks for takes room of others")
def only_updated_jobs_ask_for_more(s: Kernel) -> Flag:
    """Allocations need room beside the first unit only where versions are in-place updates."""
    return any_of(s.in_place_updates, for_all(s.job_ask[j] == 0 for j in s.jobs))


@lemma("JOB-13", "GC-34", why="a job that nobody deleted must not begin anew")
def gone_jobs_were_deleted(s: Kernel, j: JobId) -> Flag:
    """A job is gone only where jobs were purged or collected; the leader's own never was there."""
    return any_of(not_(is_gone(s, j)), is_core(s, j), s.purged > 0, s.gc_deletions_made > 0)
