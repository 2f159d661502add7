"""Finds the version of a job that is placed while canaries of a newer one are out."""

from __future__ import annotations

from msgspec import Struct

from nomadspec.model.cluster.entities import Job, TaskGroup
from nomadspec.model.cluster.entities.job import find_group
from nomadspec.model.cluster.scheduler.requests import PlacementRequest
from nomadspec.model.cluster.scheduler.snapshot import Snapshot


class Downgrade(Struct, frozen=True):
    """An older version of a job, its group, and the deployment that brought it."""

    job: Job
    group: TaskGroup
    deployment_id: str


def find_downgrade(snapshot: Snapshot, job: Job, request: PlacementRequest) -> Downgrade | None:
    """Find the older version that a request has to be placed with; none if it is placed as it is.

    Spec: GENERIC-27, GENERIC-29.
    """
    if not request.is_downgrade:
        return None
    found = _find_stable(snapshot, job, request)
    if found is None:
        return None
    version, deployment_id = found
    group = find_group(version, request.group.name)
    if group is None or version.version < request.min_version:
        return None
    return Downgrade(version, group, deployment_id)


def _find_stable(snapshot: Snapshot, job: Job, request: PlacementRequest) -> tuple[Job, str] | None:
    """Find the newest version whose deployment let the group pass, else the least one that may be placed."""
    deployments = snapshot.list_deployments_of_job(job.namespace, job.id)
    for deployment in sorted(deployments, key=lambda deployment: -deployment.job_version):
        if deployment.job_create_index != job.create_index:
            continue
        state = deployment.task_groups.get(request.group.name)
        if state is not None and (state.promoted or state.desired_canaries == 0):
            version = snapshot.find_job_version(job.namespace, job.id, deployment.job_version)
            return None if version is None else (version, deployment.id)
    version = snapshot.find_job_version(job.namespace, job.id, request.min_version)
    if version is None or version.update.max_parallel != 0:
        return None
    return version, ""
