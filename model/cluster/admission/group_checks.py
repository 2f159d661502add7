"""Checks of a task group."""

from collections.abc import Iterator
from typing import Final

from nomadspec.model.cluster.admission.complaint import (
    Complaint,
    collect,
    complain,
    complain_freely,
    complain_where,
)
from nomadspec.model.cluster.admission.network_checks import check_networks
from nomadspec.model.cluster.admission.policies import (
    check_disconnect,
    check_migrate,
    check_reschedule,
    check_restart,
    check_scaling,
    check_update,
)
from nomadspec.model.cluster.admission.preferences import check_affinities, check_constraints, check_spreads
from nomadspec.model.cluster.admission.service_checks import check_each_service, check_services
from nomadspec.model.cluster.admission.task_checks import check_task
from nomadspec.model.cluster.admission.volume_checks import check_volumes
from nomadspec.model.cluster.entities import Job, JobType, TaskGroup
from nomadspec.model.cluster.entities.job import BATCH_TYPES, SYSTEM_TYPES
from nomadspec.model.cluster.entities.task import is_main

_UPDATED_TYPES: Final = frozenset({JobType.SERVICE, JobType.SYSTEM})
_LEAST_DISK_MB: Final = 10


def check_group(group: TaskGroup, job: Job) -> Iterator[Complaint]:
    """Check a task group.

    Spec: OBJ-012, OBJ-035, OBJ-037, OBJ-070.
    """
    yield from complain_where(
        (not group.name, "Missing task group name"),
        (group.count < 0, "Task group count can't be negative"),
        (not group.tasks, "Missing tasks for task group"),
    )
    if "\0" in group.name:
        yield complain_freely("a group's name may not hold a null character")
    yield from check_preferences(group, job.type)
    yield from _check_policies(group, job.type)
    yield from _check_run_duration(group, job.type)
    if group.ephemeral_disk is not None and group.ephemeral_disk.size_mb < _LEAST_DISK_MB:
        yield complain(f"minimum DiskMB value is {_LEAST_DISK_MB}; got {group.ephemeral_disk.size_mb}")
    yield from check_volumes(group, job.type)
    yield from collect("Task group network validation failed: ", check_networks(group))
    yield from collect("Task group service validation failed: ", check_services(group))
    if group.scaling is not None:
        heading = "Task group scaling policy validation failed: "
        yield from collect(heading, check_scaling(group.scaling, group.count))
    yield from _check_tasks(group, job.type)


def check_preferences(asker: Job | TaskGroup, job_type: str) -> Iterator[Complaint]:
    """Check constraints, affinities and spreads of a job or a group: system jobs have the first only.

    Spec: OBJ-035, OBJ-131, OBJ-133, OBJ-134.
    """
    yield from check_constraints(asker.constraints)
    if job_type == JobType.SYSTEM:
        yield from complain_where(
            (bool(asker.affinities), "System jobs may not have an affinity block"),
            (bool(asker.spreads), "System jobs may not have a spread block"),
        )
    else:
        yield from check_affinities(asker.affinities)
        yield from check_spreads(asker.spreads)


def _check_policies(group: TaskGroup, job_type: str) -> Iterator[Complaint]:
    if group.restart_policy is None:
        yield complain(f"Task Group {group.name} should have a restart policy")
    else:
        yield from check_restart(group.restart_policy)
    yield from _check_reschedule(group, job_type)
    if group.update is not None:
        if job_type not in _UPDATED_TYPES:
            yield complain(f'Job type "{job_type}" does not allow update block')
        yield from check_update(group.update)
    if group.migrate is not None:
        if job_type == JobType.SERVICE:
            yield from check_migrate(group.migrate)
        else:
            yield complain(f'Job type "{job_type}" does not allow migrate block')
    if group.disconnect is not None:
        yield from check_disconnect(group.disconnect, job_type)


def _check_reschedule(group: TaskGroup, job_type: str) -> Iterator[Complaint]:
    if job_type in SYSTEM_TYPES:
        if group.reschedule_policy is not None:
            yield complain("System or sysbatch jobs should not have a reschedule policy")
    elif group.reschedule_policy is None:
        yield complain(f"Task Group {group.name} should have a reschedule policy")
    else:
        yield from check_reschedule(group.reschedule_policy)


def _check_run_duration(group: TaskGroup, job_type: str) -> Iterator[Complaint]:
    if group.max_run_duration_ns is None:
        return
    yield from complain_where(
        (group.max_run_duration_ns <= 0, "MaxRunDuration must be greater than zero"),
        (job_type not in BATCH_TYPES, f'Job type "{job_type}" does not allow max_run_duration'),
    )


def _check_tasks(group: TaskGroup, job_type: str) -> Iterator[Complaint]:
    positions: dict[str, int] = {}
    for number, task in enumerate(group.tasks, 1):
        if not task.name:
            yield complain(f"Task {number} missing name")
        elif task.name in positions:
            yield complain(f"Task {number} redefines '{task.name}' from task {positions[task.name]}")
        else:
            positions[task.name] = number
    yield from complain_where(
        (sum(task.leader for task in group.tasks) > 1, "Only one task may be marked as leader"),
        (
            bool(group.tasks) and not any(is_main(task) for task in group.tasks),
            f"Task group {group.name} must have at least one main task",
        ),
    )
    for task in group.tasks:
        parts = (*check_task(task, group, job_type), *check_each_service(task.services))
        yield from collect(f"Task {task.name} validation failed: ", parts)
