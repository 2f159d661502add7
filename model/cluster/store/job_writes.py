"""The writes that change jobs, whatever entry asks for them."""

from typing import Final

from msgspec.structs import replace

from nomadspec.model.cluster.entities import POOL_ALL, EvalStatus, Job, PeriodicLaunch, TaskGroup
from nomadspec.model.cluster.store.draft import Draft
from nomadspec.model.cluster.store.evals import list_evals_of_job
from nomadspec.model.cluster.store.job_status import compute_job_status
from nomadspec.model.cluster.store.run import RefusedError
from nomadspec.model.cluster.store.scaling_policies import delete_policies, write_policies
from nomadspec.model.cluster.store.state import NOBODY
from nomadspec.model.cluster.store.summaries import bury_child, count_child, write_summary_of_job
from nomadspec.model.cluster.store.tables import (
    ALLOCS,
    CSI_PLUGINS,
    DEPLOYMENTS,
    EVALS,
    JOB_SUMMARIES,
    JOB_VERSIONS,
    JOBS,
    PERIODIC_LAUNCHES,
    SCALING_EVENTS,
    JobKey,
)
from nomadspec.model.cluster.store.versions import write_version
from nomadspec.model.specification.quirks import REVIVED_VERSION

PURGED: Final = "job {} deleted"


def write_job(draft: Draft, job: Job) -> Job:
    """Write a job as a new version: all of it but its indexes, its status and its number.

    Spec: OBJ-040, OBJ-041, OBJ-400, JOB-07.
    """
    before = draft.jobs.get((job.namespace, job.id))
    if before is None:
        numbered = replace(
            job, create_index=draft.index, modify_index=draft.index, job_modify_index=draft.index
        )
    else:
        numbered = replace(
            job,
            create_index=before.create_index,
            modify_index=draft.index,
            job_modify_index=draft.index,
            version=job.version if job.version > before.version else before.version + 1,
        )
    return _write(draft, numbered, before)


def write_stability(draft: Draft, key: JobKey, version: int, *, stable: bool) -> None:
    """Mark a version of a job; under the quirk its row becomes the current job where it is not the newest.

    Spec: OBJ-401, OBJ-046, DEP-62, DEP-63, JOB-19.
    """
    marked = next((job for job in draft.job_versions.get(key, ()) if job.version == version), None)
    if marked is None or marked.stable == stable:
        return
    changed = replace(marked, stable=stable, modify_index=draft.index)
    current = draft.jobs.get(key)
    if current is None or current.version == version or draft.profile.has(REVIVED_VERSION):
        _write(draft, changed, current)
    else:
        write_version(draft, changed)
        draft.touch(JOB_VERSIONS)


def stop_job(draft: Draft, key: JobKey, submit_time_ns: int) -> Job:
    """Write a copy of a job that is stopped and no longer scaled by policies.

    Spec: OBJ-047, JOB-12.
    """
    job = draft.jobs.get(key)
    if job is None:
        namespace, job_id = key
        raise RefusedError(f'job "{job_id}" in namespace "{namespace}" doesn\'t exist to be deregistered')
    groups = tuple(_without_scaling(group) for group in job.task_groups)
    return write_job(draft, replace(job, stop=True, submit_time_ns=submit_time_ns, task_groups=groups))


def purge_job(draft: Draft, key: JobKey) -> None:
    """Delete a job and all that belongs to it, except its evaluations.

    Spec: OBJ-048, OBJ-419, JOB-13, GC-96, EVAL-46, 01/S18.
    """
    job = draft.jobs.get(key)
    if job is None:
        raise RefusedError("DeleteJob failed: job not found")
    bury_child(draft, job)
    for alloc_id in sorted(draft.allocs_by_job.get(key, NOBODY)):
        draft.delete(ALLOCS, alloc_id)
    deployments = draft.deployments_by_job.get(key, NOBODY)
    for deployment_id in sorted(deployments):
        draft.delete(DEPLOYMENTS, deployment_id)
    if deployments:
        draft.touch(DEPLOYMENTS)
    _complete_pending_evals(draft, key)
    if key in draft.periodic_launches:
        draft.delete(PERIODIC_LAUNCHES, key)
        draft.touch(PERIODIC_LAUNCHES)
    if key in draft.scaling_events:
        draft.delete(SCALING_EVENTS, key)
    delete_policies(draft, key)
    if key in draft.job_summaries:
        draft.delete(JOB_SUMMARIES, key)
    draft.put_job_versions(key, ())
    draft.delete(JOBS, key)
    draft.touch(ALLOCS, JOBS, JOB_VERSIONS, JOB_SUMMARIES, SCALING_EVENTS)


def carry_over(job: Job, stored: Job | None, *, counts: bool, resources: bool) -> Job:
    """Copy counts of groups, and resources of tasks, of the same names from the stored job.

    Spec: OBJ-049, JOB-07.
    """
    if stored is None or not (counts or resources):
        return job
    known = {group.name: group for group in stored.task_groups}
    groups = tuple(
        _carry_over_group(group, known[group.name], counts=counts, resources=resources)
        if group.name in known
        else group
        for group in job.task_groups
    )
    return replace(job, task_groups=groups)


def record_launch(draft: Draft, key: JobKey, launch_ns: int) -> None:
    """Remember when a periodic job was launched last.

    Spec: JOB-25, JOB-28.
    """
    namespace, job_id = key
    before = draft.periodic_launches.get(key)
    draft.put(
        PeriodicLaunch(
            id=job_id,
            namespace=namespace,
            launch_ns=launch_ns,
            create_index=draft.index if before is None else before.create_index,
            modify_index=draft.index,
        )
    )
    draft.touch(PERIODIC_LAUNCHES)


def _write(draft: Draft, job: Job, before: Job | None) -> Job:
    """Write a job with its version and its summary.

    Spec: OBJ-026a.
    """
    _check_surroundings(draft, job)
    written = replace(write_policies(draft, job), status=str(compute_job_status(draft, job)))
    if before is None:
        count_child(draft, written, "", written.status)
    write_summary_of_job(draft, written)
    write_version(draft, written)
    draft.put(written)
    draft.touch(JOBS, JOB_VERSIONS, CSI_PLUGINS)
    return written


def _check_surroundings(draft: Draft, job: Job) -> None:
    if job.namespace not in draft.namespaces:
        raise RefusedError(f'job "{job.id}" is in nonexistent namespace "{job.namespace}"')
    if job.node_pool != POOL_ALL and job.node_pool not in draft.node_pools:
        raise RefusedError(f'job "{job.id}" is in nonexistent node pool "{job.node_pool}"')


def _without_scaling(group: TaskGroup) -> TaskGroup:
    if group.scaling is None or not group.scaling.enabled:
        return group
    return replace(group, scaling=replace(group.scaling, enabled=False))


def _carry_over_group(group: TaskGroup, stored: TaskGroup, *, counts: bool, resources: bool) -> TaskGroup:
    kept = replace(group, count=stored.count) if counts else group
    if not resources:
        return kept
    known = {task.name: task.resources for task in stored.tasks}
    tasks = tuple(
        replace(task, resources=known[task.name]) if task.name in known else task for task in kept.tasks
    )
    return replace(kept, tasks=tasks)


def _complete_pending_evals(draft: Draft, key: JobKey) -> None:
    _, job_id = key
    pending = [each for each in list_evals_of_job(draft, key) if each.status == EvalStatus.PENDING]
    for evaluation in pending:
        ended = replace(
            evaluation, status=EvalStatus.COMPLETE.value, status_description=PURGED.format(job_id)
        )
        draft.put(ended)
    if pending:
        draft.touch(EVALS)
