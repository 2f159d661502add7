"""What an allocation was given."""

from collections.abc import Mapping

from msgspec import Struct

from nomadspec.model.cluster.entities.network import AllocatedPort, NetworkResource
from nomadspec.model.cluster.entities.scalar import Uint16
from nomadspec.model.cluster.entities.task import Lifecycle


class AllocatedCpu(Struct, frozen=True, kw_only=True):
    """Processor time, and cores of its own, of one task."""

    cpu_shares: int = 0
    reserved_cores: tuple[Uint16, ...] = ()


class AllocatedMemory(Struct, frozen=True, kw_only=True):
    """Memory of one task."""

    memory_mb: int = 0
    memory_max_mb: int = 0


class AllocatedDevice(Struct, frozen=True, kw_only=True):
    """Devices of one kind that a task was given."""

    vendor: str = ""
    type: str = ""
    name: str = ""
    device_ids: tuple[str, ...] = ()


class AllocatedTask(Struct, frozen=True, kw_only=True):
    """What one task was given."""

    cpu: AllocatedCpu = AllocatedCpu()
    memory: AllocatedMemory = AllocatedMemory()
    networks: tuple[NetworkResource, ...] = ()
    devices: tuple[AllocatedDevice, ...] = ()


class AllocatedShared(Struct, frozen=True, kw_only=True):
    """What the tasks of an allocation share."""

    networks: tuple[NetworkResource, ...] = ()
    disk_mb: int = 0
    ports: tuple[AllocatedPort, ...] = ()


class AllocatedResources(Struct, frozen=True, kw_only=True, weakref=True):
    """All that an allocation was given."""

    tasks: Mapping[str, AllocatedTask] = {}
    task_lifecycles: Mapping[str, Lifecycle | None] = {}
    shared: AllocatedShared = AllocatedShared()
