"""What a node has, and what of it is set aside."""

from collections.abc import Mapping

from msgspec import Struct

from nomadspec.model.cluster.entities.network import NetworkResource
from nomadspec.model.cluster.entities.scalar import ByteList, Uint16


class NodeCpuResources(Struct, frozen=True, kw_only=True):
    """The older summary of a node's processors."""

    cpu_shares: int = 0
    total_cpu_cores: Uint16 = 0
    reservable_cpu_cores: tuple[Uint16, ...] = ()


class Core(Struct, frozen=True, kw_only=True):
    """One core of a processor, with what is known of its speed."""

    socket_id: int = 0
    node_id: int = 0
    id: int = 0
    grade: bool = False
    disable: bool = False
    base_speed: int = 0
    max_speed: int = 0
    guess_speed: int = 0


class CpuTopology(Struct, frozen=True, kw_only=True):
    """The processors of a node: the cores and what overrides their sum."""

    nodes: ByteList = ()
    distances: tuple[ByteList, ...] = ()
    cores: tuple[Core, ...] = ()
    bus_associativity: Mapping[str, object] = {}
    override_total_compute: int = 0
    override_withold_compute: int = 0


class NodeProcessorResources(Struct, frozen=True, kw_only=True):
    """The authoritative description of a node's processors."""

    topology: CpuTopology | None = None


class NodeMemoryResources(Struct, frozen=True, kw_only=True):
    """A node's memory."""

    memory_mb: int = 0


class NodeDiskResources(Struct, frozen=True, kw_only=True):
    """A node's disk."""

    disk_mb: int = 0


class DeviceAttribute(Struct, frozen=True, kw_only=True):
    """A typed value with a unit: one of the four values is set."""

    float_value: float | None = None
    int_value: int | None = None
    string_value: str | None = None
    bool_value: bool | None = None
    unit: str = ""


class DeviceLocality(Struct, frozen=True, kw_only=True):
    """Where on the bus a device sits."""

    pci_bus_id: str = ""


class NodeDevice(Struct, frozen=True, kw_only=True):
    """One device of a group of equal ones."""

    id: str = ""
    healthy: bool = False
    health_description: str = ""
    locality: DeviceLocality | None = None


class NodeDeviceResource(Struct, frozen=True, kw_only=True):
    """The devices of one vendor, type and name on a node."""

    vendor: str = ""
    type: str = ""
    name: str = ""
    instances: tuple[NodeDevice, ...] = ()
    attributes: Mapping[str, DeviceAttribute | None] = {}


class NodeNetworkAddress(Struct, frozen=True, kw_only=True):
    """An address of a node's network, known to jobs by its alias."""

    family: str = ""
    alias: str = ""
    address: str = ""
    reserved_ports: str = ""
    gateway: str = ""


class NodeNetworkResource(Struct, frozen=True, kw_only=True):
    """A network device of a node."""

    mode: str = ""
    device: str = ""
    mac_address: str = ""
    speed: int = 0
    addresses: tuple[NodeNetworkAddress, ...] = ()


class NodeResources(Struct, frozen=True, kw_only=True):
    """All that a node has."""

    cpu: NodeCpuResources = NodeCpuResources()
    processors: NodeProcessorResources = NodeProcessorResources()
    memory: NodeMemoryResources = NodeMemoryResources()
    disk: NodeDiskResources = NodeDiskResources()
    networks: tuple[NetworkResource, ...] = ()
    node_networks: tuple[NodeNetworkResource, ...] = ()
    devices: tuple[NodeDeviceResource, ...] = ()
    min_dynamic_port: int = 0
    max_dynamic_port: int = 0


class ReservedCpu(Struct, frozen=True, kw_only=True):
    """Processors that the node keeps for itself."""

    cpu_shares: int = 0
    reserved_cpu_cores: tuple[Uint16, ...] = ()


class ReservedMemory(Struct, frozen=True, kw_only=True):
    """Memory that the node keeps for itself."""

    memory_mb: int = 0


class ReservedDisk(Struct, frozen=True, kw_only=True):
    """Disk that the node keeps for itself."""

    disk_mb: int = 0


class ReservedNetworks(Struct, frozen=True, kw_only=True):
    """Ports that the node keeps for itself, as a text of ports and ranges."""

    reserved_host_ports: str = ""


class NodeReservedResources(Struct, frozen=True, kw_only=True):
    """All that a node keeps for itself."""

    cpu: ReservedCpu = ReservedCpu()
    memory: ReservedMemory = ReservedMemory()
    disk: ReservedDisk = ReservedDisk()
    networks: ReservedNetworks = ReservedNetworks()
