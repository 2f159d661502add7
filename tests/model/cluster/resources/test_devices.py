"""Devices in use (PLAN-54 (f))."""

import pytest

from nomadspec.model.cluster.entities import (
    AllocatedDevice,
    AllocatedTask,
    Allocation,
    Node,
    NodeDevice,
    NodeDeviceResource,
    NodeResources,
)
from nomadspec.model.cluster.resources.devices import has_device_used_twice
from tests.model.cluster.resources.making import make_alloc

NODE = Node(
    node_resources=NodeResources(
        devices=(
            NodeDeviceResource(
                vendor="acme",
                type="gpu",
                name="x1",
                instances=(NodeDevice(id="0", healthy=True), NodeDevice(id="1")),
            ),
        )
    )
)


def using(alloc_id: str, device_id: str, name: str = "x1", client_status: str = "running") -> Allocation:
    """Make an allocation that uses a device."""
    device = AllocatedDevice(vendor="acme", type="gpu", name=name, device_ids=(device_id,))
    return make_alloc(alloc_id, tasks={"web": AllocatedTask(devices=(device,))}, client_status=client_status)


@pytest.mark.parametrize(
    ("allocs", "is_twice"),
    [
        ([using("a1", "0")], False),
        ([using("a1", "0"), using("a2", "0")], True),
        ([using("a1", "1"), using("a2", "1")], False),
        ([using("a1", "7"), using("a2", "7")], False),
        ([using("a1", "0"), using("a2", "0", name="x2")], False),
        ([using("a1", "0"), using("a2", "0", client_status="complete")], False),
    ],
    ids=["once", "twice", "unhealthy", "unheard-of", "other model", "ended"],
)
def test_only_healthy_devices_of_the_node_are_counted(allocs: list[Allocation], is_twice: bool) -> None:
    assert is_twice == has_device_used_twice(NODE, allocs)
