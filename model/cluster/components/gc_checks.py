"""What may be collected as garbage: one question an object, asked of one snapshot.

Ages come from the clock fields of the objects, compared with a cutoff; whatever is exactly as old as the
cutoff is old enough.
"""

from __future__ import annotations

from msgspec import Struct

from nomadspec.model.cluster.entities import Allocation, Deployment, Evaluation, Job, Node
from nomadspec.model.cluster.entities import deployment as deployments
from nomadspec.model.cluster.entities import evaluation as evaluations
from nomadspec.model.cluster.entities.allocation import is_terminal
from nomadspec.model.cluster.entities.job import (
    BATCH_TYPES,
    JobType,
    find_group,
    is_parameterized,
    is_periodic,
)
from nomadspec.model.cluster.entities.policy import ReschedulePolicy
from nomadspec.model.cluster.entities.scalar import NS_PER_S
from nomadspec.model.cluster.store.state import State
from nomadspec.model.lifecycle.allocation import AllocClient, AllocDesired
from nomadspec.model.lifecycle.job import JobStatus
from nomadspec.model.lifecycle.node import NodeStatus


class EvalCheck(Struct, frozen=True, kw_only=True):
    """What may go of an evaluation and its allocations."""

    is_collectable: bool = False
    allocs: tuple[str, ...] = ()


def is_too_new(time_ns: int, cutoff_ns: int) -> bool:
    """True if something happened after the cutoff.

    Spec: GC-10, GC-11.
    """
    return time_ns > cutoff_ns


def check_eval(
    state: State, evaluation: Evaluation, *, now_ns: int, cutoff_ns: int, is_dead_batch_allowed: bool
) -> EvalCheck:
    """Say whether an evaluation may go, and which of its allocations.

    Terminal allocations of the present version of a batch job stay, or its work would be done again.

    Spec: GC-21, GC-22, GC-23, GC-26, GC-27.
    """
    if not evaluations.is_terminal(evaluation) or is_too_new(evaluation.modify_time_ns, cutoff_ns):
        return EvalCheck()
    job = state.find_job(evaluation.namespace, evaluation.job_id)
    allocs = state.list_allocs_of_eval(evaluation.id)
    if evaluation.type == JobType.BATCH and job is not None and not _is_over(job, is_dead_batch_allowed):
        told = [alloc for alloc in allocs if is_of_old_version(alloc, job, cutoff_ns)]
    else:
        told = [alloc for alloc in allocs if is_alloc_collectable(alloc, job, now_ns, cutoff_ns)]
    return EvalCheck(is_collectable=len(told) == len(allocs), allocs=tuple(alloc.id for alloc in told))


def _is_over(job: Job, is_dead_batch_allowed: bool) -> bool:  # noqa: FBT001 -- it is called once
    return job.status == JobStatus.DEAD and (job.stop or is_dead_batch_allowed)


def is_of_old_version(alloc: Allocation, job: Job, cutoff_ns: int) -> bool:
    """True if an allocation ended long ago and was made before the job's present specification.

    Spec: GC-21.
    """
    is_old = alloc.create_index < job.job_modify_index and alloc.modify_time_ns < cutoff_ns
    return is_old and is_terminal(alloc)


def is_alloc_collectable(alloc: Allocation, job: Job | None, now_ns: int, cutoff_ns: int) -> bool:
    """True while nobody needs an allocation any more; the job is the present record.

    Spec: GC-25, 10/S8, 10/S9, 10/S10.
    """
    if not is_terminal(alloc) or is_too_new(alloc.modify_time_ns, cutoff_ns):
        return False
    if alloc.client_status == AllocClient.RUNNING:
        return False
    if job is None or job.stop or job.status == JobStatus.DEAD:
        return True
    if alloc.desired_status == AllocDesired.STOP or alloc.client_status != AllocClient.FAILED:
        return True
    return not _may_be_replaced(alloc, job, now_ns)


def _may_be_replaced(alloc: Allocation, job: Job, now_ns: int) -> bool:
    """True while a failed allocation still counts for its replacement."""
    group = find_group(job, alloc.task_group)
    policy = group.reschedule_policy if group is not None else None
    if policy is None or _is_exhausted_from_the_start(policy) or alloc.next_allocation:
        return False
    tracker = alloc.reschedule_tracker
    events = tracker.events if tracker is not None else None
    if policy.unlimited or not events:
        return True
    return now_ns - events[-1].reschedule_time_ns <= policy.interval_ns


def may_be_deleted(state: State, evaluation: Evaluation) -> bool:
    """True while an operator may delete an evaluation, whatever its status.

    Spec: EVAL-47.
    """
    job = state.find_job(evaluation.namespace, evaluation.job_id)
    if job is None or job.stop or job.status == JobStatus.DEAD:
        return True
    return not any(_is_needed(alloc, job) for alloc in state.list_allocs_of_eval(evaluation.id))


def _is_needed(alloc: Allocation, job: Job) -> bool:
    """True while an allocation lives, or has failed and may still be replaced."""
    if alloc.client_status != AllocClient.FAILED:
        return alloc.client_status in {AllocClient.RUNNING, AllocClient.UNKNOWN}
    group = find_group(job, alloc.task_group)
    policy = group.reschedule_policy if group is not None else None
    if policy is None or _is_exhausted_from_the_start(policy):
        return False
    tracker = alloc.reschedule_tracker
    return not alloc.next_allocation or policy.unlimited or tracker is None or not tracker.events


def _is_exhausted_from_the_start(policy: ReschedulePolicy) -> bool:
    return not policy.unlimited and policy.attempts == 0


def is_job_collectable(job: Job) -> bool:
    """True while a job's own record lets it go.

    Spec: GC-30.
    """
    if job.version_tag is not None:
        return False
    if is_parameterized(job) or _is_launched_by_the_clock(job):
        return job.stop
    return job.status == JobStatus.DEAD and (job.stop or job.type in BATCH_TYPES)


def _is_launched_by_the_clock(job: Job) -> bool:
    return is_periodic(job) and job.periodic is not None and job.periodic.enabled


def has_tagged_version(state: State, job: Job) -> bool:
    """True while somebody tagged a stored version of a job.

    Spec: GC-32.
    """
    return any(version.version_tag is not None for version in state.list_job_versions(job.namespace, job.id))


def is_deployment_collectable(state: State, deployment: Deployment, cutoff_ns: int) -> bool:
    """True while a deployment is over, for its allocations too.

    Spec: GC-40.
    """
    if deployments.is_active(deployment) or is_too_new(deployment.modify_time_ns, cutoff_ns):
        return False
    return all(map(is_terminal, state.list_allocs_of_deployment(deployment.id)))


def is_node_collectable(state: State, node: Node, cutoff_ns: int) -> bool:
    """True while a node is down for long and has nothing to come back for.

    The status time is read as seconds, whatever was written.

    Spec: GC-60, 10/S1.
    """
    if node.status != NodeStatus.DOWN or is_too_new(node.status_updated_at_s * NS_PER_S, cutoff_ns):
        return False
    return all(map(is_terminal, state.list_allocs_of_node(node.id)))
