"""Which devices of a node are in use, and whether one of them is used twice."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from nomadspec.model.cluster.entities import (
    AllocatedDevice,
    AllocatedResources,
    Allocation,
    Node,
    NodeDeviceResource,
)
from nomadspec.model.cluster.entities.allocation import is_client_terminal
from nomadspec.model.cluster.memo import remember_each


class DeviceKind(NamedTuple):
    """What names a group of equal devices."""

    vendor: str
    type: str
    name: str


class Device(NamedTuple):
    """What names one device of a node."""

    kind: DeviceKind
    id: str


def kind_of(device: AllocatedDevice | NodeDeviceResource) -> DeviceKind:
    """Name the group that a device belongs to."""
    return DeviceKind(device.vendor, device.type, device.name)


def list_devices(node: Node) -> frozenset[Device]:
    """List the devices of a node that are healthy."""
    groups = node.node_resources.devices if node.node_resources else ()
    return frozenset(
        Device(kind_of(group), instance.id)
        for group in groups
        for instance in group.instances
        if instance.healthy
    )


def list_used_devices(allocs: Iterable[Allocation]) -> Iterator[Device]:
    """List the devices of allocations that still run, each as often as it is used."""
    for alloc in allocs:
        given = alloc.allocated_resources
        if given is None or not has_devices(given) or is_client_terminal(alloc):
            continue
        for task in given.tasks.values():
            for device in task.devices:
                kind = kind_of(device)
                for device_id in device.device_ids:
                    yield Device(kind, device_id)


@remember_each
def has_devices(given: AllocatedResources) -> bool:
    """True if devices were given at all: most allocations have none."""
    return any(task.devices for task in given.tasks.values())


def has_device_used_twice(node: Node, allocs: Iterable[Allocation]) -> bool:
    """True if a healthy device of a node is used twice; others are not counted.

    Spec: PLAN-54, RANK-31.
    """
    seen: set[Device] = set()
    healthy: frozenset[Device] | None = None
    for device in list_used_devices(allocs):
        healthy = list_devices(node) if healthy is None else healthy
        if device in healthy:
            if device in seen:
                return True
            seen.add(device)
    return False
