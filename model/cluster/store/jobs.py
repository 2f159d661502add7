"""Jobs: the entries that register, stop, purge, mark, tag and scale them."""

from typing import Final

from msgspec.structs import replace

from nomadspec.model.cluster.entities import DesiredTransition, Evaluation, Job, JobScalingEvents
from nomadspec.model.cluster.entities.job import is_parameterized, is_periodic, is_periodic_active
from nomadspec.model.cluster.entities.scalar import NS_PER_S
from nomadspec.model.cluster.store.alloc_writes import write_transition
from nomadspec.model.cluster.store.canonical import canonicalize_job
from nomadspec.model.cluster.store.deployment_writes import cancel_active_deployments, write_deployment
from nomadspec.model.cluster.store.draft import Draft
from nomadspec.model.cluster.store.evals import refresh_jobs_of_evals, write_evals
from nomadspec.model.cluster.store.handed_to_leader import TrackPeriodic, UntrackPeriodic
from nomadspec.model.cluster.store.job_writes import (
    carry_over,
    purge_job,
    record_launch,
    stop_job,
    write_job,
    write_stability,
)
from nomadspec.model.cluster.store.requests import (
    JobBatchDeregister,
    JobDeregister,
    JobRegister,
    JobStability,
    JobVersionTagging,
    ReconcileJobSummaries,
    ScalingEventRegister,
)
from nomadspec.model.cluster.store.run import RefusedError, Run
from nomadspec.model.cluster.store.state import NOBODY
from nomadspec.model.cluster.store.summaries import reconcile_summaries
from nomadspec.model.cluster.store.tables import JOB_VERSIONS, SCALING_EVENTS, JobKey
from nomadspec.model.specification.quirks import UNHEARD_CHILD

_LAUNCH_MARK: Final = "/periodic-"


def register_job(run: Run, request: JobRegister) -> None:
    """Write a job, then its evaluation in a transaction of its own.

    Spec: JOB-07, OBJ-020, OBJ-044, OBJ-400, FSM-03, FSM-11, JOB-21, JOB-25, VERS-01, 01/S3, 01/S21.
    """
    if request.job is None:
        raise RefusedError("missing job for registration")
    draft = run.begin()
    job = canonicalize_job(request.job)
    key = (job.namespace, job.id)
    if request.idempotency_token and _is_dispatched_already(draft, job, request.idempotency_token):
        return
    _enforce_index(draft, request, key)
    stored = draft.jobs.get(key)
    job = carry_over(job, stored, counts=request.preserve_counts, resources=request.preserve_resources)
    written = write_job(draft, job)
    if request.deployment is not None:
        cancel_active_deployments(draft, key, job.submit_time_ns)
        write_deployment(
            draft,
            replace(
                request.deployment,
                job_version=written.version,
                job_modify_index=draft.index,
                job_spec_modify_index=draft.index,
                job_create_index=written.create_index,
            ),
        )
    if is_periodic_active(written) and key not in draft.periodic_launches:
        record_launch(draft, key, draft.now_ns)
    has_parent = _note_launch_at_parent(draft, written)
    run.commit(draft)
    run.hand(TrackPeriodic(written))
    if request.eval is not None and (has_parent or not draft.profile.has(UNHEARD_CHILD)):
        deployment_id = request.deployment.id if request.deployment else request.eval.deployment_id
        _write_eval_of_job(run, replace(request.eval, deployment_id=deployment_id))


def deregister_job(run: Run, request: JobDeregister) -> None:
    """Stop or purge a job, then write its evaluation, even if there is no such job.

    Spec: JOB-12, JOB-13, JOB-14, JOB-15, JOB-16, FSM-12.
    """
    refusal: RefusedError | None = None
    draft = run.begin()
    try:
        _deregister(draft, (request.namespace, request.job_id), request)
    except RefusedError as error:
        refusal = error
    else:
        run.commit(draft)
        run.hand(UntrackPeriodic(request.namespace, request.job_id))
    _write_eval_of_job(run, request.eval)
    if refusal is not None:
        raise refusal


def deregister_jobs(run: Run, request: JobBatchDeregister) -> None:
    """Stop or purge jobs, all or none of them.

    Spec: JOB-17, GC-94, GC-95.
    """
    draft = run.begin()
    for each in request.jobs:
        key = (each.namespace, each.id)
        if each.purge:
            purge_job(draft, key)
        else:
            stop_job(draft, key, request.submit_time_ns)
    write_evals(draft, request.evals)
    refresh_jobs_of_evals(draft, request.evals)
    run.commit(draft)
    for each in request.jobs:
        run.hand(UntrackPeriodic(each.namespace, each.id))


def mark_job_stable(run: Run, request: JobStability) -> None:
    """Mark a version of a job stable, or no longer so.

    Spec: OBJ-401, JOB-19.
    """
    draft = run.begin()
    key = (request.namespace, request.job_id)
    write_stability(draft, key, request.job_version, stable=request.stable)
    run.commit(draft)


def tag_job_version(run: Run, request: JobVersionTagging) -> None:
    """Give a tag to a version of a job, or take the tag away from the version that has it.

    Spec: OBJ-403, JOB-36.
    """
    draft = run.begin()
    key = (request.namespace, request.job_id)
    versions = draft.job_versions.get(key, ())
    bearer = next((job for job in versions if job.version_tag and job.version_tag.name == request.name), None)
    if request.tag is None:
        if bearer is None:
            raise RefusedError(f'tag "{request.name}" not found on job "{request.job_id}"')
        target = bearer
    else:
        target = _find_version_to_tag(versions, request, bearer)
    tagged = replace(target, version_tag=request.tag, modify_index=draft.index)
    draft.put_job_versions(key, tuple(tagged if job is target else job for job in versions))
    current = draft.jobs.get(key)
    if current is not None and current.version == tagged.version:
        draft.put(tagged)
    draft.touch(JOB_VERSIONS)
    run.commit(draft)


def reconcile_job_summaries(run: Run, request: ReconcileJobSummaries) -> None:  # noqa: ARG001 -- it asks for all there is
    """Make the summaries of all jobs anew.

    Spec: OBJ-396.
    """
    draft = run.begin()
    reconcile_summaries(draft)
    run.commit(draft)


def register_scaling_event(run: Run, request: ScalingEventRegister) -> None:
    """Keep a scaling event of a group, the newest first.

    Spec: JOB-22.
    """
    if request.scaling_event is None:
        return
    draft = run.begin()
    key = (request.namespace, request.job_id)
    known = draft.scaling_events.get(key) or JobScalingEvents(
        namespace=request.namespace, job_id=request.job_id
    )
    event = replace(request.scaling_event, create_index=draft.index)
    newest_first = (event, *known.scaling_events.get(request.task_group, ()))
    events = {**known.scaling_events, request.task_group: newest_first}
    draft.put(replace(known, scaling_events=events, modify_index=draft.index))
    draft.touch(SCALING_EVENTS)
    run.commit(draft)


def _write_eval_of_job(run: Run, evaluation: Evaluation | None) -> None:
    if evaluation is None:
        return
    draft = run.begin()
    evals = (replace(evaluation, job_modify_index=draft.index),)
    write_evals(draft, evals)
    refresh_jobs_of_evals(draft, evals)
    run.commit(draft)
    run.hand_eval(evaluation)


def _deregister(draft: Draft, key: JobKey, request: JobDeregister) -> None:
    if request.no_shutdown_delay:
        _skip_shutdown_delays(draft, key)
    if request.purge:
        purge_job(draft, key)
    else:
        stop_job(draft, key, request.submit_time_ns)


def _skip_shutdown_delays(draft: Draft, key: JobKey) -> None:
    job = draft.jobs.get(key)
    if job is None:
        return
    for name in sorted(draft.allocs_by_job.get(key, NOBODY)):
        alloc = draft.allocs[name]
        if alloc.job is not None and alloc.job.create_index == job.create_index:
            write_transition(draft, alloc, DesiredTransition(no_shutdown_delay=True))


def _is_dispatched_already(draft: Draft, job: Job, token: str) -> bool:
    children = draft.children_by_parent.get((job.namespace, job.parent_id), NOBODY)
    return any(draft.jobs[job.namespace, child].dispatch_idempotency_token == token for child in children)


def _enforce_index(draft: Draft, request: JobRegister, key: JobKey) -> None:
    if not request.enforce_index:
        return
    wanted, stored = request.job_modify_index, draft.jobs.get(key)
    prefix = f"Enforcing job modify index {wanted}: job "
    if stored is None:
        if wanted:
            raise RefusedError(f"{prefix}does not exist")
    elif not wanted:
        raise RefusedError(f"{prefix}already exists")
    elif stored.job_modify_index != wanted:
        raise RefusedError(f"{prefix}exists with conflicting job modify index: {stored.job_modify_index}")


def _note_launch_at_parent(draft: Draft, job: Job) -> bool:
    if not job.parent_id:
        return True
    parent = draft.jobs.get((job.namespace, job.parent_id))
    if parent is None:
        return False
    if is_periodic(parent) and not is_parameterized(parent):
        seconds = job.id.rpartition(_LAUNCH_MARK)[2]
        if not seconds.isdecimal():
            return False
        record_launch(draft, (job.namespace, job.parent_id), int(seconds) * NS_PER_S)
    return True


def _find_version_to_tag(versions: tuple[Job, ...], request: JobVersionTagging, bearer: Job | None) -> Job:
    target = next((job for job in versions if job.version == request.version), None)
    if target is None:
        raise RefusedError(f'job "{request.job_id}" version {request.version} not found')
    if bearer is not None and bearer is not target:
        raise RefusedError(
            f'"{request.name}" already exists on a different version of job "{request.job_id}"'
        )
    return target
