"""The status of a job, which the store derives from what it holds about the job."""

from msgspec.structs import replace

from nomadspec.model.cluster.entities import Job, JobStatus, JobType, allocation, deployment, evaluation
from nomadspec.model.cluster.entities.job import is_parameterized, is_periodic
from nomadspec.model.cluster.store.draft import Draft
from nomadspec.model.cluster.store.state import NOBODY
from nomadspec.model.cluster.store.summaries import count_child
from nomadspec.model.cluster.store.tables import JOB_VERSIONS, JOBS, JobKey
from nomadspec.model.cluster.store.versions import write_version


def compute_job_status(draft: Draft, job: Job, *, eval_deleted: bool = False) -> JobStatus:
    """Derive the status of a job from the deployments, allocations and evaluations of its ID.

    Spec: OBJ-051, JOB-30, GC-91, 10/S5.
    """
    if _is_always_on(job):
        return JobStatus.DEAD if job.stop else JobStatus.RUNNING
    key = (job.namespace, job.id)
    if _has_active_deployment(draft, key) or _has_live_alloc(draft, key):
        return JobStatus.RUNNING
    evals = draft.evals_by_job.get(key, NOBODY)
    if any(not evaluation.is_terminal(draft.evals[member]) for member in evals):
        return JobStatus.PENDING
    return JobStatus.DEAD if eval_deleted or evals or job.stop else JobStatus.PENDING


def refresh_job_status(draft: Draft, key: JobKey, forced: str = "", *, eval_deleted: bool = False) -> None:
    """Write the derived status of a job, or the one that is forced, if it is a new one.

    Spec: OBJ-052, OBJ-053, OBJ-054, OBJ-402, JOB-31, JOB-33.
    """
    job = draft.jobs.get(key)
    if job is None:
        return
    status = forced or compute_job_status(draft, job, eval_deleted=eval_deleted)
    if status == job.status:
        return
    changed = replace(job, status=str(status), modify_index=draft.index)
    draft.put(changed)
    write_version(draft, changed)
    draft.touch(JOBS, JOB_VERSIONS)
    count_child(draft, job, job.status, status)


def _is_always_on(job: Job) -> bool:
    return job.type == JobType.SYSTEM or is_parameterized(job) or is_periodic(job)


def _has_active_deployment(draft: Draft, key: JobKey) -> bool:
    members = draft.deployments_by_job.get(key, NOBODY)
    return any(deployment.is_active(draft.deployments[member]) for member in members)


def _has_live_alloc(draft: Draft, key: JobKey) -> bool:
    members = draft.allocs_by_job.get(key, NOBODY)
    return any(not allocation.is_terminal(draft.allocs[member]) for member in members)
