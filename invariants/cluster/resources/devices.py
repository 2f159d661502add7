"""Devices: each healthy one used once."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import Final

from nomadspec.invariants.cluster.resources.claim import Claim, part
from nomadspec.invariants.cluster.resources.draw import Draw
from nomadspec.invariants.cluster.resources.need import ALIVE_OR_ENDED, is_ended
from nomadspec.model.cluster.entities import (
    AllocatedDevice,
    AllocatedResources,
    AllocatedTask,
    Allocation,
    Node,
    NodeDevice,
    NodeDeviceResource,
    NodeResources,
)
from nomadspec.model.cluster.resources.devices import has_device_used_twice
from nomadspec.model.language.logic import Value, all_of, any_of, iff

DEVICES: Final = "devices"

_KINDS: Final = ("gpu", "fpga")


def draw_node_with_devices(draw: Draw, instances: int) -> Node:
    """Draw a node with two groups of devices, the first of so many, the second of one."""
    sizes = (instances, 1)
    groups = tuple(_draw_group(draw, kind, size) for kind, size in zip(_KINDS, sizes, strict=True))
    return Node(id="node", node_resources=NodeResources(devices=groups))


def _draw_group(draw: Draw, kind: str, size: int) -> NodeDeviceResource:
    instances = tuple(
        NodeDevice(id=draw.text(f"{kind}{at}"), healthy=draw.pick(f"{kind}{at}.healthy", (True, False)))
        for at in range(size)
    )
    return NodeDeviceResource(vendor="vendor", type=kind, name="model", instances=instances)


def draw_alloc_with_devices(draw: Draw, name: str, devices: int) -> Allocation:
    """Draw an allocation whose one task has so many devices of one kind."""
    ids = tuple(draw.text(f"{name}.device{at}") for at in range(devices))
    device = AllocatedDevice(
        vendor="vendor", type=draw.pick(f"{name}.kind", _KINDS), name="model", device_ids=ids
    )
    return Allocation(
        id=name,
        client_status=draw.pick(f"{name}.client_status", ALIVE_OR_ENDED),
        allocated_resources=AllocatedResources(tasks={"task": AllocatedTask(devices=(device,))}),
    )


def say_twice_used_is_found(*sizes: int, instances: int) -> Callable[[Draw], Value]:
    """True while a set of allocations uses a device twice if and only if a healthy one is named twice."""

    def say(draw: Draw) -> Value:
        node = draw_node_with_devices(draw, instances)
        allocs = [draw_alloc_with_devices(draw, f"alloc{at}", size) for at, size in enumerate(sizes, 1)]
        used = [
            (device.type, device_id)
            for alloc in allocs
            if not is_ended(alloc) and alloc.allocated_resources is not None
            for task in alloc.allocated_resources.tasks.values()
            for device in task.devices
            for device_id in device.device_ids
        ]
        is_twice = any_of(
            *[
                all_of(kind == other, one == two, is_healthy(node, kind, one))
                for (kind, one), (other, two) in combinations(used, 2)
            ]
        )
        return iff(has_device_used_twice(node, allocs), is_twice)

    return say


def is_healthy(node: Node, kind: str, device_id: str) -> Value:
    """True while a device of a kind is on a node, and healthy."""
    groups = node.node_resources.devices if node.node_resources is not None else ()
    return any_of(
        *[
            device_id == instance.id
            for group in groups
            if group.type == kind
            for instance in group.instances
            if instance.healthy
        ]
    )


DEVICE_CLAIMS: Final = (
    Claim(
        "devices_are_never_used_twice",
        DEVICES,
        "a device belongs to one task; one that is not healthy or not there is not looked at",
        ("PLAN-54", "RANK-31"),
        "up to 3 allocations of one device each, or 2 of two; 2 groups of up to 2 devices on the node",
        (
            part("one allocation of two devices", say_twice_used_is_found(2, instances=2)),
            part("two allocations of one and two devices", say_twice_used_is_found(1, 2, instances=1)),
            part("three allocations of one device", say_twice_used_is_found(1, 1, 1, instances=1)),
        ),
        is_unbounded=False,
    ),
)
