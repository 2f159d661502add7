"""Checks of a job as a whole."""

from collections.abc import Iterator
from typing import Final

from nomadspec.model.cluster.admission.complaint import (
    Complaint,
    collect,
    complain,
    complain_freely,
    complain_where,
)
from nomadspec.model.cluster.admission.group_checks import check_group, check_preferences
from nomadspec.model.cluster.admission.launch_checks import check_parameterized, check_periodic
from nomadspec.model.cluster.admission.surroundings import Surroundings
from nomadspec.model.cluster.entities import Job, JobType
from nomadspec.model.cluster.entities.job import BATCH_TYPES, is_multiregion

_MOST_DESCRIPTION: Final = 1000
_LEAST_PRIORITY: Final = 1
_VAULT_DEFAULT: Final = "default"


def check_job(job: Job, surroundings: Surroundings) -> tuple[Complaint, ...]:
    """List everything that keeps a job from being stored.

    Spec: OBJ-034, OBJ-035, JOB-02.
    """
    return (
        *_check_place(job, surroundings),
        *_check_identity(job),
        *check_preferences(job, job.type),
        *_check_groups(job),
        *_check_launching(job),
        *_check_edition(job, surroundings),
        *_check_limits(job, surroundings),
    )


def _check_place(job: Job, surroundings: Surroundings) -> Iterator[Complaint]:
    return complain_where(
        (
            job.namespace not in surroundings.namespaces,
            f'job "{job.id}" is in nonexistent namespace "{job.namespace}"',
        ),
        (
            job.node_pool not in surroundings.node_pools,
            f'job "{job.id}" is in nonexistent node pool "{job.node_pool}"',
        ),
    )


def _check_identity(job: Job) -> Iterator[Complaint]:
    description = job.ui.description if job.ui else ""
    return complain_where(
        (not job.region, "Missing job region"),
        (not job.id, "Missing job ID"),
        (" " in job.id, "Job ID contains a space"),
        ("\0" in job.id, "Job ID contains a null character"),
        (not job.name, "Missing job name"),
        (not job.type, "Missing job type"),
        (
            job.type not in {"", *JobType},
            f'Invalid job type: "{job.type}"',
        ),
        (job.type == JobType.CORE, "job type cannot be core"),
        ("" in job.datacenters, "Job datacenter must be non-empty string"),
        (
            len(description) > _MOST_DESCRIPTION,
            f"UI description must be under {_MOST_DESCRIPTION} characters, currently {len(description)}",
        ),
    )


def _check_groups(job: Job) -> Iterator[Complaint]:
    if not job.task_groups:
        yield complain("Missing job task groups")
    yield from _check_group_names(job)
    for group in job.task_groups:
        yield from complain_where(
            (
                group.shutdown_delay_ns is not None and group.shutdown_delay_ns < 0,
                "ShutdownDelay must be a positive value",
            ),
            (
                job.type == JobType.SYSTEM and group.count > 1,
                (
                    f"Job task group {group.name} has count {group.count}. "
                    "Count cannot exceed 1 with system scheduler"
                ),
            ),
        )
        yield from collect(f"Task group {group.name} validation failed: ", check_group(group, job))


def _check_group_names(job: Job) -> Iterator[Complaint]:
    positions: dict[str, int] = {}
    for number, group in enumerate(job.task_groups, 1):
        if not group.name:
            yield complain(f"Job task group {number} missing name")
        elif group.name in positions:
            yield complain(
                f"Job task group {number} redefines '{group.name}' from group {positions[group.name]}"
            )
        else:
            positions[group.name] = number


def _check_launching(job: Job) -> Iterator[Complaint]:
    is_launched = job.type in BATCH_TYPES
    if job.periodic is not None and job.periodic.enabled:
        if not is_launched:
            yield complain('Periodic can only be used with "batch" or "sysbatch" scheduler')
        yield from collect("", check_periodic(job.periodic))
    if job.parameterized_job is not None:
        if not is_launched:
            yield complain('Parameterized job can only be used with "batch" or "sysbatch" scheduler')
        yield from collect("", check_parameterized(job.parameterized_job))
    if job.payload:
        yield complain_freely("a job cannot be submitted with a payload; only its dispatch brings one")


def _check_edition(job: Job, surroundings: Surroundings) -> Iterator[Complaint]:
    """What is refused for want of a licence, or of a service that is not configured."""
    tasks = [task for group in job.task_groups for task in group.tasks]
    vaults = {(task.vault.cluster or _VAULT_DEFAULT): None for task in tasks if task.vault is not None}
    numas = [task.resources.numa for task in tasks if task.resources is not None]
    yield from complain_where(
        *(
            (name not in surroundings.vault_clusters, f'Vault "{name}" not enabled but used in the job')
            for name in vaults
        ),
        (
            is_multiregion(job),
            "Multiregion jobs are unlicensed.",
        ),
        (
            any(numa is not None and numa.affinity != "none" for numa in numas),
            "numa scheduling requires Nomad Enterprise",
        ),
        (
            any(task.schedule is not None for task in tasks),
            "task schedules requires Nomad Enterprise",
        ),
    )


def _check_limits(job: Job, surroundings: Surroundings) -> Iterator[Complaint]:
    most = surroundings.most_priority
    if not _LEAST_PRIORITY <= job.priority <= most:
        yield complain(f"job priority must be between [{_LEAST_PRIORITY}, {most}]")
    total = sum(group.count for group in job.task_groups)
    if 0 < surroundings.most_count < total:
        yield complain_freely(
            f"the groups ask for {total} allocations; at most {surroundings.most_count} are allowed"
        )
