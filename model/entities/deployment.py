"""A deployment: the way of one job version into the cluster."""

from collections.abc import Mapping
from enum import StrEnum

from msgspec import Struct

from nomadspec.model.entities.scalar import Instant, Uint64


class DeploymentStatus(StrEnum):
    """How a deployment stands."""

    RUNNING = "running"
    PAUSED = "paused"
    FAILED = "failed"
    SUCCESSFUL = "successful"
    CANCELLED = "cancelled"
    INITIALIZING = "initializing"
    PENDING = "pending"
    BLOCKED = "blocked"
    UNBLOCKING = "unblocking"


class DeploymentState(Struct, frozen=True, kw_only=True):
    """How far one group of a deployment has come."""

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
    """The way of one job version into the cluster."""

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
