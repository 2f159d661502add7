"""What a task asks for, in the form that jobs and old allocations carry."""

from msgspec import Struct

from nomadspec.model.cluster.entities.constraint import Affinity, Constraint
from nomadspec.model.cluster.entities.network import NetworkResource
from nomadspec.model.cluster.entities.scalar import Uint64


class RequestedDevice(Struct, frozen=True, kw_only=True):
    """A number of devices of one kind that a task asks for.

    Spec: OBJ-123.
    """

    name: str = ""
    count: Uint64 = 0
    constraints: tuple[Constraint, ...] = ()
    affinities: tuple[Affinity, ...] = ()


class NUMA(Struct, frozen=True, kw_only=True):
    """How cores and devices of a task should lie together."""

    affinity: str = ""
    devices: tuple[str, ...] = ()


class Resources(Struct, frozen=True, kw_only=True):
    """What a task asks for."""

    cpu_mhz: int = 0
    cores: int = 0
    memory_mb: int = 0
    memory_max_mb: int = 0
    disk_mb: int = 0
    iops: int = 0
    networks: tuple[NetworkResource, ...] = ()
    devices: tuple[RequestedDevice, ...] = ()
    numa: NUMA | None = None
    secrets_mb: int = 0
