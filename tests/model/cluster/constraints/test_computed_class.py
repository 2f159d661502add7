import pytest
from msgspec.structs import replace

from nomadspec.model.cluster.constraints.attributes import parse_attribute
from nomadspec.model.cluster.constraints.computed_class import compute_class, compute_identity
from nomadspec.model.cluster.entities import DriverInfo, Node, NodeDevice, NodeDeviceResource, NodeResources

GPU = NodeDeviceResource(vendor="acme", type="gpu", name="x", attributes={"memory": parse_attribute("8 GiB")})
DISK = NodeDeviceResource(vendor="acme", type="disk", name="y")
NODE = Node(
    datacenter="dc1",
    node_class="birch",
    node_pool="mills",
    attributes={"os": "linux", "unique.host": "h1"},
    meta={"tier": "gold"},
    node_resources=NodeResources(devices=(GPU, DISK)),
)


def with_devices(*devices: NodeDeviceResource) -> Node:
    return replace(NODE, node_resources=NodeResources(devices=devices))


@pytest.mark.parametrize(
    "other",
    [
        replace(NODE, datacenter="dc2"),
        replace(NODE, node_class=""),
        replace(NODE, node_pool="default"),
        replace(NODE, attributes={"os": "linux", "empty": ""}),
        replace(NODE, attributes={}),
        replace(NODE, meta={"tier": "tin"}),
        replace(NODE, attributes={"os": "linux", "tier": "gold"}, meta={}),
        replace(NODE, node_resources=None),
        with_devices(DISK, GPU),
        with_devices(replace(GPU, name="z"), DISK),
        with_devices(replace(GPU, attributes={"memory": parse_attribute("8 GB")}), DISK),
        with_devices(replace(GPU, attributes={"memory": parse_attribute("8.0 GiB")}), DISK),
    ],
)
def test_what_enters_the_class(other: Node) -> None:
    """FEAS-16, OBJ-162."""
    assert compute_class(NODE) != compute_class(other)


@pytest.mark.parametrize(
    "other",
    [
        replace(NODE, id="n2", name="host", status="ready"),
        replace(NODE, attributes={"unique.host": "h2", "os": "linux"}),
        replace(NODE, meta={"tier": "gold", "unique.serial": "1"}),
        replace(NODE, drivers={"docker": DriverInfo()}),
        with_devices(replace(GPU, instances=(NodeDevice(id="d1"),)), DISK),
        with_devices(replace(GPU, attributes={**GPU.attributes, "unique.x": None}), DISK),
    ],
)
def test_what_does_not(other: Node) -> None:
    """FEAS-17."""
    assert compute_identity(NODE) == compute_identity(other)
    assert compute_class(NODE) == compute_class(other)


def test_a_class_is_a_number_behind_its_format() -> None:
    """FEAS-16."""
    beginning, number = compute_class(NODE).split(":")

    assert "v1" == beginning
    assert 0 <= int(number) < 2**64
