"""A task group: tasks that are placed together on one node."""

from collections.abc import Mapping

from msgspec import Struct

from nomadspec.model.entities.constraint import Affinity, Constraint, Spread
from nomadspec.model.entities.identity import Consul
from nomadspec.model.entities.network import NetworkResource
from nomadspec.model.entities.policy import (
    DisconnectStrategy,
    MigrateStrategy,
    ReschedulePolicy,
    RestartPolicy,
    UpdateStrategy,
)
from nomadspec.model.entities.scaling import ScalingPolicy
from nomadspec.model.entities.service import Service
from nomadspec.model.entities.task import Task
from nomadspec.model.entities.volume import VolumeRequest


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
