"""Nodes with something on them, and groups that ask for it."""

from collections.abc import Sequence
from typing import Any

from nomadspec.model.cluster.entities import (
    AllocatedCpu,
    AllocatedDevice,
    AllocatedMemory,
    AllocatedPort,
    AllocatedResources,
    AllocatedShared,
    AllocatedTask,
    Allocation,
    Core,
    CpuTopology,
    EphemeralDisk,
    Job,
    NetworkResource,
    Node,
    NodeDevice,
    NodeDeviceResource,
    NodeDiskResources,
    NodeMemoryResources,
    NodeNetworkAddress,
    NodeNetworkResource,
    NodeProcessorResources,
    NodeReservedResources,
    NodeResources,
    ReservedCpu,
    ReservedDisk,
    ReservedMemory,
    Resources,
    Task,
    TaskGroup,
)
from tests.model.cluster.scheduler.made import make_alloc, make_group, make_job, make_node

IP = "10.0.0.1"
KEPT = NodeReservedResources(
    cpu=ReservedCpu(cpu_shares=100), memory=ReservedMemory(memory_mb=256), disk=ReservedDisk(disk_mb=4096)
)


def make_host(
    node_id: str = "n1",
    *,
    devices: Sequence[NodeDeviceResource] = (),
    mbits: int = 1000,
    dynamic: tuple[int, int] = (20000, 20001),
    **fields: Any,
) -> Node:
    """Make a node of 4000 MHz, 8192 MB and 102400 MB of disk, of which it keeps some for itself."""
    address = NodeNetworkAddress(alias="default", address=IP)
    network = NetworkResource(mode="host", device="eth0", ip=IP, cidr=f"{IP}/32", mbits=mbits)
    resources = NodeResources(
        processors=NodeProcessorResources(
            topology=CpuTopology(cores=tuple(Core(id=core, base_speed=1000) for core in range(4)))
        ),
        memory=NodeMemoryResources(memory_mb=8192),
        disk=NodeDiskResources(disk_mb=102_400),
        networks=(network,),
        node_networks=(NodeNetworkResource(mode="host", device="eth0", addresses=(address,)),),
        devices=tuple(devices),
        min_dynamic_port=dynamic[0],
        max_dynamic_port=dynamic[1],
    )
    return make_node(
        node_id,
        **{"node_resources": resources, "reserved_resources": KEPT, "attributes": {"driver.exec": "1"}}
        | fields,
    )


def make_devices(name: str, *ids: str) -> NodeDeviceResource:
    """Make a group of healthy devices."""
    instances = tuple(NodeDevice(id=each, healthy=True) for each in ids)
    return NodeDeviceResource(vendor="acme", type="gpu", name=name, instances=instances)


def make_asking(
    cpu_mhz: int = 500, memory_mb: int = 256, disk_mb: int = 0, *, networks: Any = (), **fields: Any
) -> TaskGroup:
    """Make a group of one task that asks for something."""
    usual = {"count": 3} | {
        name: fields.pop(name) for name in ("name", "count", "spreads", "affinities") if name in fields
    }
    task = Task(
        name="main", driver="exec", resources=Resources(cpu_mhz=cpu_mhz, memory_mb=memory_mb, **fields)
    )
    disk = EphemeralDisk(size_mb=disk_mb)
    return make_group(tasks=(task,), ephemeral_disk=disk, networks=tuple(networks), **usual)


def make_tenant(  # noqa: PLR0913 -- each test names what it is about
    alloc_id: str,
    cpu_mhz: int = 0,
    memory_mb: int = 0,
    disk_mb: int = 0,
    *,
    priority: int = 30,
    cores: Sequence[int] = (),
    ports: Sequence[int] = (),
    networks: Sequence[NetworkResource] = (),
    devices: Sequence[AllocatedDevice] = (),
    **fields: Any,
) -> Allocation:
    """Make an allocation of another job that holds something."""
    task = AllocatedTask(
        cpu=AllocatedCpu(cpu_shares=cpu_mhz, reserved_cores=tuple(cores)),
        memory=AllocatedMemory(memory_mb=memory_mb),
        networks=tuple(networks),
        devices=tuple(devices),
    )
    shared = AllocatedShared(
        disk_mb=disk_mb, ports=tuple(AllocatedPort(value=port, host_ip=IP) for port in ports)
    )
    given = AllocatedResources(tasks={"main": task}, shared=shared)
    usual: dict[str, Any] = {"job_id": "other", "job": make_other_job(priority)}
    return make_alloc(alloc_id, allocated_resources=given, **usual | fields)


def make_other_job(priority: int) -> Job:
    """Make a job that others may take precedence over."""
    return make_job(id="other", priority=priority)
