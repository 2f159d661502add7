"""Devices that a group asks for, against those that a node has."""

import pytest

from nomadspec.model.cluster.entities import (
    Constraint,
    DeviceAttribute,
    Node,
    NodeDevice,
    NodeDeviceResource,
    NodeResources,
    RequestedDevice,
)
from nomadspec.model.cluster.scheduler.choices import ReplayedChoices
from nomadspec.model.cluster.scheduler.feasibility.devices import check_devices
from tests.model.cluster.scheduler.made import make_node


def make_devices(name: str, healthy: int, *, broken: int = 0, vendor: str = "nvidia") -> NodeDeviceResource:
    """Make a group of graphics cards, whose memory is told by its name."""
    states = [True] * healthy + [False] * broken
    return NodeDeviceResource(
        vendor=vendor,
        type="gpu",
        name=name,
        instances=tuple(NodeDevice(id=f"{name}-{at}", healthy=is_well) for at, is_well in enumerate(states)),
        attributes={"memory": DeviceAttribute(int_value=int(name), unit="GiB")},
    )


def make_device_node(*groups: NodeDeviceResource) -> Node:
    """Make a node with devices."""
    return make_node(node_resources=NodeResources(devices=groups))


def is_feasible(node: Node, *requests: RequestedDevice, descending: bool = False) -> bool:
    """Tell whether a node passes."""
    return check_devices(node, requests, ReplayedChoices(is_descending=descending)) is None


@pytest.mark.parametrize(("healthy", "count", "expected"), [(2, 2, True), (2, 3, False), (0, 1, False)])
def test_only_healthy_devices_count(healthy: int, count: int, expected: bool) -> None:
    """FEAS-52."""
    node = make_device_node(make_devices("8", healthy, broken=3))

    assert expected == is_feasible(node, RequestedDevice(name="gpu", count=count))


def test_a_node_without_devices_serves_only_who_asks_for_none() -> None:
    """FEAS-52."""
    assert is_feasible(make_node())
    assert not is_feasible(make_node(), RequestedDevice(name="gpu", count=1))
    assert not is_feasible(make_device_node(), RequestedDevice(name="gpu", count=1))


def test_one_request_may_take_from_several_groups() -> None:
    """FEAS-52, 06/S-17."""
    node = make_device_node(make_devices("8", 1), make_devices("16", 1))

    assert is_feasible(node, RequestedDevice(name="nvidia/gpu", count=2))
    assert not is_feasible(node, RequestedDevice(name="amd/gpu", count=1))


def test_what_one_request_takes_is_gone_for_the_next() -> None:
    """FEAS-52: the order in which groups are visited decides."""
    node = make_device_node(make_devices("16", 1), make_devices("8", 1))
    large = RequestedDevice(
        name="gpu",
        count=1,
        constraints=(Constraint(ltarget="${device.attr.memory}", operand=">", rtarget="10 GiB"),),
    )
    either = RequestedDevice(name="gpu", count=1)

    assert is_feasible(node, large, either)
    assert not is_feasible(node, either, large)
    assert is_feasible(node, either, large, descending=True)


def test_a_refusal_tells_how_many_are_missing() -> None:
    refused = check_devices(
        make_device_node(make_devices("8", 1)), (RequestedDevice(name="gpu", count=3),), ReplayedChoices()
    )

    assert refused is not None
    assert ("missing devices", {"request": "gpu", "missing": 2}) == (refused.text, refused.operands)
