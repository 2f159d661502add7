"""Volumes: what a group asks for, and what nodes and storage plugins offer."""

from collections.abc import Mapping
from enum import StrEnum

from msgspec import Struct

from nomadspec.model.cluster.entities.scalar import Instant, Uint64


class VolumeType(StrEnum):
    """Who provides a volume."""

    HOST = "host"
    CSI = "csi"


class AccessMode(StrEnum):
    """How many nodes and writers a volume allows."""

    SINGLE_NODE_READER = "single-node-reader-only"
    SINGLE_NODE_WRITER = "single-node-writer"
    SINGLE_NODE_SINGLE_WRITER = "single-node-single-writer"
    SINGLE_NODE_MULTI_WRITER = "single-node-multi-writer"
    MULTI_NODE_READER = "multi-node-reader-only"
    MULTI_NODE_SINGLE_WRITER = "multi-node-single-writer"
    MULTI_NODE_MULTI_WRITER = "multi-node-multi-writer"


class HostVolumeState(StrEnum):
    """Whether a dynamic host volume can be used."""

    PENDING = "pending"
    READY = "ready"
    UNAVAILABLE = "unavailable"


class MountOptions(Struct, frozen=True, kw_only=True):
    """How a volume is mounted."""

    fs_type: str = ""
    mount_flags: tuple[str, ...] = ()


class VolumeRequest(Struct, frozen=True, kw_only=True):
    """A volume that a group asks for."""

    name: str = ""
    type: str = ""
    source: str = ""
    read_only: bool = False
    sticky: bool = False
    access_mode: str = ""
    attachment_mode: str = ""
    mount_options: MountOptions | None = None
    per_alloc: bool = False


class VolumeCapability(Struct, frozen=True, kw_only=True):
    """A way in which a volume may be used."""

    attachment_mode: str = ""
    access_mode: str = ""


class HostVolume(Struct, frozen=True, kw_only=True):
    """A dynamic host volume, as the state keeps it."""

    namespace: str = ""
    id: str = ""
    name: str = ""
    plugin_id: str = ""
    node_pool: str = ""
    node_id: str = ""
    constraints: tuple[Mapping[str, object], ...] = ()
    capacity_bytes: int = 0
    requested_capacity_min_bytes: int = 0
    requested_capacity_max_bytes: int = 0
    requested_capabilities: tuple[VolumeCapability, ...] = ()
    parameters: Mapping[str, str] = {}
    host_path: str = ""
    create_index: Uint64 = 0
    create_time_ns: int = 0
    modify_index: Uint64 = 0
    modify_time_ns: int = 0
    state: str = ""


class HostVolumeClaim(Struct, frozen=True, kw_only=True):
    """A group's hold on a sticky volume."""

    id: str = ""
    namespace: str = ""
    job_id: str = ""
    task_group_name: str = ""
    alloc_id: str = ""
    volume_id: str = ""
    volume_name: str = ""
    create_index: Uint64 = 0
    modify_index: Uint64 = 0


class Topology(Struct, frozen=True, kw_only=True):
    """Where a storage volume can be reached from."""

    segments: Mapping[str, str] = {}


class TopologyRequest(Struct, frozen=True, kw_only=True):
    """Where a storage volume should, or must, be made."""

    required: tuple[Topology, ...] = ()
    preferred: tuple[Topology, ...] = ()


class CSIVolumeClaim(Struct, frozen=True, kw_only=True):
    """An allocation's hold on a storage volume."""

    allocation_id: str = ""
    node_id: str = ""
    external_node_id: str = ""
    mode: int = 0
    access_mode: str = ""
    attachment_mode: str = ""
    state: int = 0


class CSIVolume(Struct, frozen=True, kw_only=True):
    """A volume of a storage plugin, as the state keeps it."""

    id: str = ""
    name: str = ""
    external_id: str = ""
    namespace: str = ""
    topologies: tuple[Topology, ...] = ()
    requested_topologies: TopologyRequest | None = None
    access_mode: str = ""
    attachment_mode: str = ""
    mount_options: MountOptions | None = None
    secrets: Mapping[str, str] = {}
    parameters: Mapping[str, str] = {}
    context: Mapping[str, str] = {}
    capacity: int = 0
    requested_capacity_min: int = 0
    requested_capacity_max: int = 0
    requested_capabilities: tuple[VolumeCapability, ...] = ()
    clone_id: str = ""
    snapshot_id: str = ""
    allocations: tuple[Mapping[str, object], ...] = ()
    read_allocs: Mapping[str, object] = {}
    write_allocs: Mapping[str, object] = {}
    read_claims: Mapping[str, CSIVolumeClaim] = {}
    write_claims: Mapping[str, CSIVolumeClaim] = {}
    past_claims: Mapping[str, CSIVolumeClaim] = {}
    schedulable: bool = False
    plugin_id: str = ""
    provider: str = ""
    provider_version: str = ""
    controller_required: bool = False
    controllers_healthy: int = 0
    controllers_expected: int = 0
    nodes_healthy: int = 0
    nodes_expected: int = 0
    resource_exhausted_ns: Instant = 0
    create_index: Uint64 = 0
    modify_index: Uint64 = 0
    create_time_ns: int = 0
    modify_time_ns: int = 0


class CSINodeInfo(Struct, frozen=True, kw_only=True):
    """What the node part of a storage plugin says of itself."""

    id: str = ""
    max_volumes: int = 0
    accessible_topology: Topology | None = None
    requires_node_stage_volume: bool = False
    supports_stats: bool = False
    supports_expand: bool = False
    supports_condition: bool = False


class CSIInfo(Struct, frozen=True, kw_only=True):
    """What a storage plugin on a node says of itself."""

    plugin_id: str = ""
    alloc_id: str = ""
    healthy: bool = False
    health_description: str = ""
    update_time_ns: Instant = 0
    provider: str = ""
    provider_version: str = ""
    requires_controller_plugin: bool = False
    requires_topologies: bool = False
    controller_info: Mapping[str, object] | None = None
    node_info: CSINodeInfo | None = None


class CSIPlugin(Struct, frozen=True, kw_only=True):
    """A storage plugin, put together from what its nodes say."""

    id: str = ""
    provider: str = ""
    version: str = ""
    controller_required: bool = False
    controllers: Mapping[str, CSIInfo] = {}
    nodes: Mapping[str, CSIInfo] = {}
    allocations: tuple[Mapping[str, object], ...] = ()
    controller_jobs: Mapping[str, object] = {}
    node_jobs: Mapping[str, object] = {}
    controllers_healthy: int = 0
    controllers_expected: int = 0
    nodes_healthy: int = 0
    nodes_expected: int = 0
    create_index: Uint64 = 0
    modify_index: Uint64 = 0
    create_time_ns: int = 0
    modify_time_ns: int = 0
