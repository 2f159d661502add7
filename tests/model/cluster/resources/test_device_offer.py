"""Devices for a request (RANK-33 to RANK-35)."""

import pytest

from nomadspec.model.cluster.entities import (
    Affinity,
    Constraint,
    Node,
    NodeDevice,
    NodeDeviceResource,
    NodeResources,
    RequestedDevice,
)
from nomadspec.model.cluster.resources.device_offer import (
    DeviceOption,
    compute_device_score,
    list_best_options,
    offer_devices,
)
from nomadspec.model.cluster.resources.devices import Device, DeviceKind
from nomadspec.model.cluster.resources.port_offer import NoOfferError


def make_group(name: str, *ids: str, sick: str = "") -> NodeDeviceResource:
    instances = tuple(NodeDevice(id=device_id, healthy=device_id != sick) for device_id in ids)
    return NodeDeviceResource(vendor="acme", type="gpu", name=name, instances=instances)


NODE = Node(
    node_resources=NodeResources(
        devices=(make_group("small", "s0", "s1", "s2", sick="s0"), make_group("large", "l0", "l1"))
    )
)


def names(options: tuple[DeviceOption, ...]) -> list[str]:
    return [option.group.name for option in options]


def prefer(model: str, weight: int) -> Affinity:
    return Affinity(ltarget="${device.model}", operand="=", rtarget=model, weight=weight)


def test_a_group_needs_enough_healthy_devices_that_are_free() -> None:
    used = {Device(DeviceKind("acme", "gpu", "small"), "s1")}

    assert ["small", "large"] == names(list_best_options(NODE, (), RequestedDevice(name="gpu", count=2)))
    assert ["large"] == names(list_best_options(NODE, used, RequestedDevice(name="gpu", count=2)))
    assert ["small"] == names(list_best_options(NODE, used, RequestedDevice(name="acme/gpu/small", count=1)))


def test_the_preferred_group_serves() -> None:
    """RANK-34."""
    request = RequestedDevice(name="gpu", count=1, affinities=(prefer("small", -20), prefer("large", 5)))
    (option,) = list_best_options(NODE, (), request)

    assert ("large", 5 / 25) == (option.group.name, option.preference)


def test_constraints_on_ids_hold_for_each_device() -> None:
    """FEAS-59."""
    listed = Constraint(ltarget="${device.ids}", operand="set_contains_any", rtarget="s2,l1")
    request = RequestedDevice(name="gpu", count=1, constraints=(listed,))

    with pytest.raises(NoOfferError, match="no devices match request"):
        list_best_options(NODE, (), RequestedDevice(name="gpu", count=2, constraints=(listed,)))
    for option in list_best_options(NODE, (), request):
        assert option.free_ids in {("s2",), ("l1",)}


def test_devices_come_from_one_group() -> None:
    device, option = offer_devices(NODE, (), RequestedDevice(name="gpu", count=2))

    assert ("acme", "gpu", "small", ("s1", "s2")) == (
        device.vendor,
        device.type,
        device.name,
        device.device_ids,
    )
    assert option.group.name == device.name


@pytest.mark.parametrize(
    ("node", "request_", "reason"),
    [
        (Node(), RequestedDevice(name="gpu", count=1), "no devices available"),
        (NODE, RequestedDevice(name="gpu", count=0), "invalid request of zero devices"),
        (NODE, RequestedDevice(name="fpga", count=1), "no devices match request"),
        (NODE, RequestedDevice(name="gpu", count=3), "no devices match request"),
    ],
)
def test_refusals(node: Node, request_: RequestedDevice, reason: str) -> None:
    with pytest.raises(NoOfferError, match=reason):
        offer_devices(node, (), request_)


@pytest.mark.parametrize(
    ("chosen", "score"),
    [
        ([(90, 90)], 1.0),
        ([(40, 130)], 40 / 130),
        ([(-20, 20)], -1.0),
        ([(50, 50), (30, 50)], 0.8),
        ([(0, 60)], 0.0),
        ([(0, 0)], None),
        ([], None),
    ],
)
def test_the_score_of_all_requests(chosen: list[tuple[int, int]], score: float | None) -> None:
    """The table of RANK-35."""
    group = make_group("x")

    assert score == compute_device_score(DeviceOption(group, (), *pair) for pair in chosen)
