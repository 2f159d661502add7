"""A task group: tasks that are placed together on one node."""

from collections.abc import Mapping

from msgspec import Struct

from nomadspec.model.cluster.entities.constraint import Affinity, Constraint, Spread
from nomadspec.model.cluster.entities.identity import Consul
from nomadspec.model.cluster.entities.network import NetworkResource
from nomadspec.model.cluster.entities.policy import (
    DisconnectStrategy,
    MigrateStrategy,
    Reconcile,
    ReschedulePolicy,
    RestartPolicy,
    UpdateStrategy,
)
from nomadspec.model.cluster.entities.scaling import ScalingPolicy
from nomadspec.model.cluster.entities.service import Service
from nomadspec.model.cluster.entities.task import Task
from nomadspec.model.cluster.entities.volume import VolumeRequest


class EphemeralDisk(Struct, frozen=True, kw_only=True):
    """The disk that all tasks of a group share."""

    sticky: bool = False
    size_mb: int = 0
    migrate: bool = False


class TaskGroup(Struct, frozen=True, kw_only=True):
    """Tasks that are placed together on one node, and how many times."""

    name: str = ""
    count: int = 0
    update: UpdateStrategy | None = None
    migrate: MigrateStrategy | None = None
    constraints: tuple[Constraint, ...] = ()
    scaling: ScalingPolicy | None = None
    restart_policy: RestartPolicy | None = None
    disconnect: DisconnectStrategy | None = None
    tasks: tuple[Task, ...] = ()
    ephemeral_disk: EphemeralDisk | None = None
    meta: Mapping[str, str] = {}
    reschedule_policy: ReschedulePolicy | None = None
    affinities: tuple[Affinity, ...] = ()
    spreads: tuple[Spread, ...] = ()
    networks: tuple[NetworkResource, ...] = ()
    consul: Consul | None = None
    services: tuple[Service, ...] = ()
    volumes: Mapping[str, VolumeRequest] = {}
    shutdown_delay_ns: int | None = None
    max_run_duration_ns: int | None = None
    stop_after_client_disconnect_ns: int | None = None
    max_client_disconnect_ns: int | None = None
    prevent_reschedule_on_lost: bool = False


def has_update_strategy(group: TaskGroup) -> bool:
    """True if new versions of a group get a deployment.

    Spec: OBJ-060, OBJ-102.
    """
    return group.update is not None and group.update.max_parallel > 0


def find_lost_after_ns(group: TaskGroup) -> int:
    """Read for how long allocations of a disconnected node stay unknown.

    Spec: OBJ-071.
    """
    return group.disconnect.lost_after_ns if group.disconnect else 0


def find_stop_timeout_ns(group: TaskGroup) -> int | None:
    """Read after which time a client that lost its servers stops an allocation; none: it does not.

    Spec: OBJ-071.
    """
    return group.disconnect.stop_on_client_after_ns if group.disconnect else None


def is_replaced_while_unknown(group: TaskGroup) -> bool:
    """True if an unknown allocation gets a replacement.

    Spec: OBJ-071.
    """
    return group.disconnect is None or group.disconnect.replace is not False


def find_reconcile(group: TaskGroup) -> str:
    """Read which allocation stays when a disconnected client comes back.

    Spec: OBJ-071.
    """
    return (group.disconnect and group.disconnect.reconcile) or Reconcile.BEST_SCORE
