"""A node: a machine that runs allocations."""

from collections.abc import Mapping
from enum import StrEnum

from msgspec import Struct

from nomadspec.model.entities.hardware import NodeReservedResources, NodeResources
from nomadspec.model.entities.scalar import Instant, Uint64
from nomadspec.model.entities.volume import CSIInfo


class NodeStatus(StrEnum):
    """What the servers know of a node."""

    INITIALIZING = "initializing"
    READY = "ready"
    DOWN = "down"
    DISCONNECTED = "disconnected"


class Eligibility(StrEnum):
    """Whether a node may get new allocations."""

    ELIGIBLE = "eligible"
    INELIGIBLE = "ineligible"


class DrainStatus(StrEnum):
    """How the last drain of a node stands."""

    DRAINING = "draining"
    COMPLETE = "complete"
    CANCELED = "canceled"


class DrainStrategy(Struct, frozen=True, kw_only=True):
    """How a node is being emptied."""

    deadline_ns: int = 0
    ignore_system_jobs: bool = False
    force_deadline_ns: Instant = 0
    started_at_ns: Instant = 0


class DrainMetadata(Struct, frozen=True, kw_only=True):
    """What is remembered of the last drain."""

    started_at_ns: Instant = 0
    updated_at_ns: Instant = 0
    status: str = ""
    accessor_id: str = ""
    meta: Mapping[str, str] = {}


class NodeEvent(Struct, frozen=True, kw_only=True):
    """Something that happened to a node."""

    message: str = ""
    subsystem: str = ""
    details: Mapping[str, str] = {}
    timestamp_ns: Instant = 0
    create_index: Uint64 = 0


class DriverInfo(Struct, frozen=True, kw_only=True):
    """What a node says of a task driver."""

    attributes: Mapping[str, str] = {}
    detected: bool = False
    healthy: bool = False
    health_description: str = ""
    update_time_ns: Instant = 0


class ClientHostVolume(Struct, frozen=True, kw_only=True):
    """A volume that a node offers under a name."""

    name: str = ""
    path: str = ""
    read_only: bool = False
    id: str = ""


class HostNetwork(Struct, frozen=True, kw_only=True):
    """A host network that a node offers under a name."""

    name: str = ""
    cidr: str = ""
    interface: str = ""
    reserved_ports: str = ""


class Node(Struct, frozen=True, kw_only=True):
    """A node: a machine that runs allocations."""

    id: str = ""
    secret_id: str = ""
    datacenter: str = ""
    name: str = ""
    cgroup_parent: str = ""
    http_addr: str = ""
    tls_enabled: bool = False
    attributes: Mapping[str, str] = {}
    node_resources: NodeResources | None = None
    reserved_resources: NodeReservedResources | None = None
    links: Mapping[str, str] = {}
    meta: Mapping[str, str] = {}
    node_class: str = ""
    node_pool: str = ""
    computed_class: str = ""
    drain_strategy: DrainStrategy | None = None
    scheduling_eligibility: str = ""
    status: str = ""
    status_description: str = ""
    status_updated_at_s: int = 0
    events: tuple[NodeEvent, ...] = ()
    drivers: Mapping[str, DriverInfo | None] = {}
    csi_controller_plugins: Mapping[str, CSIInfo] = {}
    csi_node_plugins: Mapping[str, CSIInfo] = {}
    host_volumes: Mapping[str, ClientHostVolume] = {}
    host_networks: Mapping[str, HostNetwork] = {}
    gc_volumes_on_node_gc: bool = False
    last_drain: DrainMetadata | None = None
    node_max_allocs: int = 0
    last_missed_heartbeat_index: Uint64 = 0
    last_alloc_update_index: Uint64 = 0
    identity_signing_key_id: str = ""
    create_index: Uint64 = 0
    modify_index: Uint64 = 0
