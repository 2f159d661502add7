"""A node: a machine that runs allocations."""

import re
from collections.abc import Iterable, Mapping
from enum import StrEnum
from functools import cache
from typing import Final

from msgspec import Struct

from nomadspec.model.cluster.entities.hardware import NodeReservedResources, NodeResources
from nomadspec.model.cluster.entities.pool import POOL_ALL, is_every_pool
from nomadspec.model.cluster.entities.scalar import NS_PER_S, Instant, Uint64
from nomadspec.model.cluster.entities.volume import CSIInfo
from nomadspec.model.lifecycle.node import NODE, NodeStatus
from nomadspec.model.lifecycle.table import spell

UNRESPONSIVE: Final = spell(NODE.trouble)
"""The statuses of nodes that send no heartbeats."""

RESPONSIVE: Final = spell(NodeStatus) - UNRESPONSIVE
"""The statuses that a node gets by its own heartbeats; the others the leader gives it."""

_LARGEST_SECONDS: Final = 10**12


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
    """How a node is being emptied.

    Spec: WIRE-072.
    """

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


def is_ready(node: Node) -> bool:
    """True while schedulers may place something on a node.

    Spec: OBJ-155.
    """
    is_eligible = node.scheduling_eligibility == Eligibility.ELIGIBLE
    return node.status == NodeStatus.READY and is_eligible and not is_draining(node)


def is_draining(node: Node) -> bool:
    """True while a node is being emptied.

    Spec: OBJ-150.
    """
    return node.drain_strategy is not None


def is_down(node: Node) -> bool:
    """True while a node is down, which is its terminal status.

    Spec: OBJ-156.
    """
    return node.status == NodeStatus.DOWN


def is_unresponsive(node: Node) -> bool:
    """True while a node sends no heartbeats.

    Spec: OBJ-156.
    """
    return node.status in UNRESPONSIVE


def is_tainted(node: Node | None) -> bool:
    """True while allocations of a node need another look: it is gone, unresponsive or draining.

    Spec: OBJ-156.
    """
    return node is None or is_unresponsive(node) or is_draining(node)


def is_in_pool(node: Node, pool: str) -> bool:
    """True while a node belongs to a pool, where an alloc that it has is looked at again; "" is no pool.

    Spec: OBJ-156, FEAS-11.
    """
    return pool in {POOL_ALL, node.node_pool}


def is_scanned_in_pool(node: Node, pool: str) -> bool:
    """True while a node is looked at for a new placement of a job in a pool; "" is every pool.

    Spec: FEAS-07.
    """
    return is_every_pool(pool) or node.node_pool == pool


def is_in_datacenters(node: Node, datacenters: Iterable[str]) -> bool:
    """True while a node is in one of some datacenters, whose names may hold stars.

    Spec: OBJ-156.
    """
    return is_datacenter_of(node.datacenter, datacenters)


def is_datacenter_of(name: str, patterns: Iterable[str]) -> bool:
    """True if a datacenter has one of some names, which may hold stars.

    Spec: OBJ-156, FEAS-08.
    """
    return any(_compile_glob(pattern).fullmatch(name) for pattern in patterns)


@cache
def _compile_glob(pattern: str) -> re.Pattern[str]:
    return re.compile(".*".join(re.escape(part) for part in pattern.split("*")), re.DOTALL)


def compute_status_time_s(node: Node) -> int:
    """Read when the status was last written, which one writer stores in nanoseconds.

    Spec: OBJ-005, OBJ-168.
    """
    written = node.status_updated_at_s
    return written // NS_PER_S if written > _LARGEST_SECONDS else written
