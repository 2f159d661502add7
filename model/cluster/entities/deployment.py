"""A deployment: the way of one job version into the cluster."""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Final

from msgspec import Struct

from nomadspec.model.cluster.entities.scalar import Instant, Uint64
from nomadspec.model.lifecycle.deployment import DEPLOYMENT, DeploymentStatus
from nomadspec.model.lifecycle.table import spell_ended


class DeploymentDescription(StrEnum):
    """How a deployment stands, in words; a failure may go on with what is done about it.

    Spec: OBJ-274.
    """

    RUNNING = "Deployment is running"
    NEEDS_PROMOTION = "Deployment is running but requires manual promotion"
    AWAITS_PROMOTION = "Deployment is running pending automatic promotion"
    PAUSED = "Deployment is paused"
    SUCCESSFUL = "Deployment completed successfully"
    JOB_STOPPED = "Cancelled because job is stopped"
    NEWER_VERSION = "Cancelled due to newer version of job"
    UNHEALTHY = "Failed due to unhealthy allocations"
    DEADLINE = "Failed due to progress deadline"
    FAILED_BY_USER = "Deployment marked as failed"


_TERMINAL: Final = spell_ended(DEPLOYMENT)
_ACTIVE: Final = frozenset(DeploymentStatus) - _TERMINAL


class DeploymentState(Struct, frozen=True, kw_only=True):
    """How far one group of a deployment has come.

    Spec: OBJ-271.
    """

    auto_revert: bool = False
    auto_promote: bool = False
    progress_deadline_ns: int = 0
    require_progress_by_ns: Instant = 0
    promoted: bool = False
    placed_canaries: tuple[str, ...] = ()
    desired_canaries: int = 0
    desired_total: int = 0
    placed_allocs: int = 0
    healthy_allocs: int = 0
    unhealthy_allocs: int = 0


class Deployment(Struct, frozen=True, kw_only=True):
    """The way of one job version into the cluster.

    Spec: OBJ-270, WIRE-051.
    """

    id: str = ""
    namespace: str = ""
    job_id: str = ""
    job_version: Uint64 = 0
    job_modify_index: Uint64 = 0
    job_spec_modify_index: Uint64 = 0
    job_create_index: Uint64 = 0
    is_multiregion: bool = False
    task_groups: Mapping[str, DeploymentState | None] = {}
    status: str = ""
    status_description: str = ""
    eval_priority: int = 0
    create_index: Uint64 = 0
    modify_index: Uint64 = 0
    create_time_ns: int = 0
    modify_time_ns: int = 0


class DeploymentStatusUpdate(Struct, frozen=True, kw_only=True):
    """A new status for a deployment."""

    deployment_id: str = ""
    status: str = ""
    status_description: str = ""
    updated_at_ns: int = 0


def is_terminal(deployment: Deployment) -> bool:
    """True if a deployment has ended.

    Spec: OBJ-273.
    """
    return deployment.status in _TERMINAL


def is_active(deployment: Deployment) -> bool:
    """True while a deployment goes on, or waits to go on.

    Spec: OBJ-273.
    """
    return deployment.status in _ACTIVE


def needs_promotion(deployment: Deployment) -> bool:
    """True while a deployment waits until its canaries are promoted.

    Spec: OBJ-275, DEP-06.
    """
    return deployment.status == DeploymentStatus.RUNNING and has_unpromoted_canaries(deployment)


def has_unpromoted_canaries(deployment: Deployment) -> bool:
    """True while a group of a deployment has canaries that nobody promoted yet."""
    return any(state.desired_canaries > 0 and not state.promoted for state in _states(deployment))


def has_auto_promote(deployment: Deployment) -> bool:
    """True if all canaries of a deployment promote themselves.

    Spec: OBJ-275, DEP-06.
    """
    if deployment.status != DeploymentStatus.RUNNING or not deployment.task_groups:
        return False
    return all(state.auto_promote for state in _states(deployment) if state.desired_canaries > 0)


def has_placed_canaries(deployment: Deployment) -> bool:
    """True if any canary of a deployment was placed.

    Spec: OBJ-275.
    """
    return any(state.placed_canaries for state in _states(deployment))


def find_latest(deployments: Iterable[Deployment], job_create_index: int | None = None) -> Deployment | None:
    """Find the latest deployment of a job, or of the job that was created at an index.

    Spec: OBJ-276.
    """
    own = [each for each in deployments if job_create_index in {None, each.job_create_index}]
    return max(own, key=lambda deployment: deployment.create_index, default=None)


def _states(deployment: Deployment) -> list[DeploymentState]:
    return [state for state in deployment.task_groups.values() if state is not None]
