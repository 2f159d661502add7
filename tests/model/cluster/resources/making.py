"""Makes nodes and allocations in few words."""

from collections.abc import Mapping, Sequence

from nomadspec.model.cluster.entities import (
    AllocatedCpu,
    AllocatedMemory,
    AllocatedPort,
    AllocatedResources,
    AllocatedShared,
    AllocatedTask,
    Allocation,
    Core,
    CpuTopology,
    Lifecycle,
    NetworkResource,
    Node,
    NodeDiskResources,
    NodeMemoryResources,
    NodeNetworkAddress,
    NodeNetworkResource,
    NodeProcessorResources,
    NodeReservedResources,
    NodeResources,
    ReservedNetworks,
)

IP = "10.0.0.1"
OTHER_IP = "10.0.0.2"
NOTHING_SHARED = AllocatedShared()


def make_cores(count: int, mhz: int = 1000, disabled: Sequence[int] = ()) -> tuple[Core, ...]:
    """Make cores of one speed."""
    return tuple(Core(id=number, base_speed=mhz, disable=number in disabled) for number in range(count))


def make_node(  # noqa: PLR0913 -- each test names what it is about
    *,
    cores: tuple[Core, ...] = make_cores(4),
    memory_mb: int = 4096,
    disk_mb: int = 10_000,
    addresses: Sequence[NodeNetworkAddress] = (NodeNetworkAddress(alias="default", address=IP),),
    kept_ports: str = "",
    dynamic: tuple[int, int] = (0, 0),
    max_allocs: int = 0,
    node_id: str = "n1",
) -> Node:
    """Make a node that is ready, with one address unless others are given."""
    return Node(
        id=node_id,
        status="ready",
        scheduling_eligibility="eligible",
        node_max_allocs=max_allocs,
        node_resources=NodeResources(
            processors=NodeProcessorResources(topology=CpuTopology(cores=cores)),
            memory=NodeMemoryResources(memory_mb=memory_mb),
            disk=NodeDiskResources(disk_mb=disk_mb),
            networks=(NetworkResource(mode="host", device="eth0", ip=IP, mbits=1000, cidr=f"{IP}/32"),),
            node_networks=(NodeNetworkResource(mode="host", device="eth0", addresses=tuple(addresses)),),
            min_dynamic_port=dynamic[0],
            max_dynamic_port=dynamic[1],
        ),
        reserved_resources=NodeReservedResources(networks=ReservedNetworks(reserved_host_ports=kept_ports)),
    )


def make_task(
    cpu_mhz: int = 100, memory_mb: int = 0, memory_max_mb: int = 0, cores: Sequence[int] = ()
) -> AllocatedTask:
    """Make what one task was given."""
    return AllocatedTask(
        cpu=AllocatedCpu(cpu_shares=cpu_mhz, reserved_cores=tuple(cores)),
        memory=AllocatedMemory(memory_mb=memory_mb, memory_max_mb=memory_max_mb),
    )


def make_alloc(
    alloc_id: str = "a1",
    *,
    tasks: Mapping[str, AllocatedTask] | None = None,
    lifecycles: Mapping[str, Lifecycle | None] | None = None,
    shared: AllocatedShared = NOTHING_SHARED,
    client_status: str = "running",
    desired_status: str = "run",
) -> Allocation:
    """Make an allocation of one task that runs on the node n1."""
    return Allocation(
        id=alloc_id,
        node_id="n1",
        client_status=client_status,
        desired_status=desired_status,
        allocated_resources=AllocatedResources(
            tasks={"web": make_task()} if tasks is None else tasks,
            task_lifecycles=lifecycles or {},
            shared=shared,
        ),
    )


def make_ports(*ports: AllocatedPort) -> AllocatedShared:
    """Make what an allocation shares, when that is ports."""
    return AllocatedShared(ports=ports)
