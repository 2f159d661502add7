"""Whether the allocations that a group lacks are missing for a reason, or were forgotten."""

from __future__ import annotations

from collections.abc import Sequence

from nomadspec.model.cluster.entities import (
    Allocation,
    AllocClient,
    Deployment,
    Job,
    JobType,
    TaskGroup,
)
from nomadspec.model.cluster.entities.allocation import (
    has_run_successfully,
    is_terminal,
    should_migrate_without_replacement,
    should_reschedule_by_request,
)
from nomadspec.model.cluster.entities.deployment import is_active
from nomadspec.model.cluster.entities.evaluation import is_terminal as has_ended
from nomadspec.model.cluster.policy.reschedule import (
    compute_last_event_time_ns,
    find_own_group,
    is_allowed,
    list_events,
)
from nomadspec.model.cluster.world import World
from nomadspec.model.lifecycle.deployment import HELD


def find_excuse(world: World, job: Job, group: TaskGroup) -> int | None:
    """Count the allocations that a group lacks for no reason; None where none is missing so.

    Reasons are: an evaluation that has not ended, a deployment that halts placements (REC-82), a failure in a
    deployment that goes on (RESCHED-15), attempts that were used up when it failed (OBJ-236, RESCHED-26),
    batch work that a drain has stopped (BATCH-09), and tasks that ended well: of a batch job they are done
    (OBJ-233), and the report of those of a service wakes nobody (ALLOC-12). Those that were collected count
    as well, and so does a job of which all was collected, or the deployment that its last evaluation was
    about: that may have failed (GC-40).
    """
    own = [a for a in world.state.list_allocs_of_job(job.namespace, job.id) if a.task_group == group.name]
    missing = group.count - sum(_is_counted(world, job, group, alloc) for alloc in own)
    missing -= _count_collected(world, job, group, own)
    if missing <= 0 or has_open_eval(world, job) or is_halted(world, job, group):
        return None
    return None if _is_bare(world, job) or _is_halt_collected(world, job) else missing


def _count_collected(world: World, job: Job, group: TaskGroup, own: Sequence[Allocation]) -> int:
    """Count the completed allocations that were collected: the summary still has them (OBJ-420)."""
    summary = world.state.find_job_summary(job.namespace, job.id)
    counted = summary.summary.get(group.name) if summary is not None else None
    kept = sum(alloc.client_status == AllocClient.COMPLETE for alloc in own)
    return max(0, counted.complete - kept) if counted is not None else 0


def has_open_eval(world: World, job: Job) -> bool:
    """True while something will look at a job again."""
    return any(not has_ended(entry) for entry in world.state.list_evals_of_job(job.namespace, job.id))


def _is_bare(world: World, job: Job) -> bool:
    """True if a job has been looked at, and all that would say what came of it was collected."""
    state = world.state
    return not (
        state.list_evals_of_job(job.namespace, job.id)
        or state.list_allocs_of_job(job.namespace, job.id)
        or state.find_latest_deployment(job.namespace, job.id)
    )


def _is_halt_collected(world: World, job: Job) -> bool:
    """True if the last evaluation of a job was about a deployment that was collected since."""
    state = world.state
    last = max(state.list_evals_of_job(job.namespace, job.id), key=lambda one: one.create_index, default=None)
    return last is not None and bool(last.deployment_id) and state.find_deployment(last.deployment_id) is None


def is_halted(world: World, job: Job, group: TaskGroup) -> bool:
    """True while a group's current deployment places nothing: it is paused, failed, or to be promoted."""
    current = _find_current_deployment(world, job)
    if current is None:
        return False
    state = current.task_groups.get(group.name)
    is_canarying = state is not None and state.desired_canaries != 0 and not state.promoted
    return is_canarying or current.status in HELD


def _find_current_deployment(world: World, job: Job) -> Deployment | None:
    """Find the deployment of the version of a job that is current (REC-07, REC-10)."""
    latest = world.state.find_latest_deployment(job.namespace, job.id)
    if latest is None or (latest.job_create_index, latest.job_version) != (job.create_index, job.version):
        return None
    return latest


def _waits_for_deployment(world: World, job: Job, alloc: Allocation) -> bool:
    """True while a failed allocation is not rescheduled while its deployment goes on (RESCHED-15)."""
    current = _find_current_deployment(world, job)
    is_own = current is not None and is_active(current) and alloc.deployment_id == current.id
    return is_own and not should_reschedule_by_request(alloc)


def _is_counted(world: World, job: Job, group: TaskGroup, alloc: Allocation) -> bool:
    """True while an allocation takes the place of one that is wanted, alive or not."""
    if not is_terminal(alloc):
        return True
    if alloc.next_allocation or alloc.job is None or alloc.job.create_index != job.create_index:
        return False
    if alloc.desired_status == "run" and has_run_successfully(alloc):
        return True
    if alloc.job.type == JobType.BATCH and should_migrate_without_replacement(alloc):
        return True
    policy = (find_own_group(alloc) or group).reschedule_policy
    failed_at_ns = compute_last_event_time_ns(alloc)
    is_used_up = not is_allowed(policy, list_events(alloc.reschedule_tracker), failed_at_ns)
    is_left = is_used_up or _waits_for_deployment(world, job, alloc)
    return alloc.client_status == AllocClient.FAILED and alloc.desired_status == "run" and is_left
