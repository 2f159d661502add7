"""Made-up nodes: few kinds, so that some are of one class, and little room, so that it runs out."""

from __future__ import annotations

from typing import Final

from hypothesis import strategies as st
from msgspec.structs import replace

from nomadspec.model.cluster.constraints.computed_class import compute_class
from nomadspec.model.cluster.entities import (
    ClientHostVolume,
    Core,
    CpuTopology,
    DriverInfo,
    NetworkResource,
    Node,
    NodeDevice,
    NodeDeviceResource,
    NodeDiskResources,
    NodeMemoryResources,
    NodeNetworkAddress,
    NodeNetworkResource,
    NodeProcessorResources,
    NodeResources,
    NodeStatus,
)

DRIVER: Final = "exec"
DATACENTERS: Final = ("dc1", "dc2")
RACKS: Final = ("r1", "r2")
ADDRESS: Final = "10.0.0.1"
DEVICE: Final = "gpu"
VOLUME: Final = "data"

_DEVICES: Final = NodeDeviceResource(
    vendor="vendor",
    type=DEVICE,
    name="one",
    instances=(NodeDevice(id="device-1", healthy=True), NodeDevice(id="device-2", healthy=True)),
)


def make_node(
    *,
    cpu_mhz: int = 1000,
    datacenter: str = "dc1",
    rack: str = "r1",
    number: str = "0",
    works: bool = True,
    is_rich: bool = False,
) -> Node:
    """Make a node of a kind; neither its unique number nor whether its driver works enters its class.

    A rich one has two devices and a volume.
    """
    resources = NodeResources(
        processors=NodeProcessorResources(topology=CpuTopology(cores=(Core(base_speed=cpu_mhz),))),
        memory=NodeMemoryResources(memory_mb=1024),
        disk=NodeDiskResources(disk_mb=10_000),
        networks=(NetworkResource(mode="host", device="eth0", ip=ADDRESS, cidr=f"{ADDRESS}/32", mbits=100),),
        node_networks=(
            NodeNetworkResource(
                mode="host", device="eth0", addresses=(NodeNetworkAddress(alias="default", address=ADDRESS),)
            ),
        ),
        min_dynamic_port=20000,
        max_dynamic_port=20009,
        devices=(_DEVICES,) if is_rich else (),
    )
    node = Node(
        datacenter=datacenter,
        meta={"rack": rack},
        attributes={"unique.number": number},
        drivers={DRIVER: DriverInfo(detected=True, healthy=works)},
        node_resources=resources,
        host_volumes={VOLUME: ClientHostVolume(name=VOLUME, path="/data")} if is_rich else {},
        status=NodeStatus.READY,
    )
    return replace(node, computed_class=compute_class(replace(node, node_pool="default")))


def nodes(*, may_be_broken: bool = False) -> st.SearchStrategy[Node]:
    """Draw a node; whether its driver may be out of order has to be said."""
    return st.builds(
        make_node,
        cpu_mhz=st.sampled_from((1000, 2000)),
        datacenter=st.sampled_from(DATACENTERS),
        rack=st.sampled_from(RACKS),
        number=st.sampled_from(("0", "1")),
        works=st.booleans() if may_be_broken else st.just(value=True),
        is_rich=st.booleans(),
    )
