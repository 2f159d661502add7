"""Gives a task the devices that it asks for: all of one request from one group, the best that serves it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence

import msgspec

from nomadspec.model.cluster.constraints.devices import is_instance_wanted, is_met_by_group, is_wanted
from nomadspec.model.cluster.entities import (
    AllocatedDevice,
    Constraint,
    Node,
    NodeDeviceResource,
    RequestedDevice,
)
from nomadspec.model.cluster.resources.devices import Device, kind_of
from nomadspec.model.cluster.resources.port_offer import NoOfferError


class DeviceOption(msgspec.Struct, frozen=True):
    """A group of devices that can serve a request."""

    group: NodeDeviceResource
    free_ids: tuple[str, ...]
    """Its devices that may be given; at least as many as are asked for."""
    satisfied: int = 0
    """The sum of the weights of the affinities that it satisfies."""
    weight: int = 0
    """The sum of the weights of all affinities, without their signs."""

    @property
    def preference(self) -> float:
        """How much it is preferred, from -1 to 1."""
        return self.satisfied / self.weight if self.weight else 0.0


ChooseDevices = Callable[[Sequence[DeviceOption], int], tuple[DeviceOption, tuple[str, ...]]]
"""Chooses one of several options that are equally good, and so many of its devices."""


def choose_first(options: Sequence[DeviceOption], count: int) -> tuple[DeviceOption, tuple[str, ...]]:
    """Choose the first group and its first devices."""
    return options[0], options[0].free_ids[:count]


def offer_devices(
    node: Node, used: Collection[Device], request: RequestedDevice, choose: ChooseDevices = choose_first
) -> tuple[AllocatedDevice, DeviceOption]:
    """Offer devices for a request, with the option that they come from; who is refused is told the reason.

    Spec: RANK-33.
    """
    best = list_best_options(node, used, request)
    option, ids = choose(best, request.count)
    kind = kind_of(option.group)
    return AllocatedDevice(vendor=kind.vendor, type=kind.type, name=kind.name, device_ids=ids), option


def list_best_options(
    node: Node, used: Collection[Device], request: RequestedDevice
) -> tuple[DeviceOption, ...]:
    """List the groups that serve a request best; which of them does is open.

    Spec: RANK-33, RANK-34.
    """
    groups = node.node_resources.devices if node.node_resources else ()
    if not groups:
        raise NoOfferError("no devices available")
    if request.count == 0:
        raise NoOfferError("invalid request of zero devices")
    options = [_weigh(group, used, request) for group in groups if is_wanted(request, group)]
    usable = [option for option in options if len(option.free_ids) >= request.count]
    if not usable:
        most = max((len(option.free_ids) for option in options), default=0)
        raise NoOfferError("no devices match request", request.count, most)
    greatest = max(option.preference for option in usable)
    return tuple(option for option in usable if option.preference == greatest)


def _weigh(group: NodeDeviceResource, used: Collection[Device], request: RequestedDevice) -> DeviceOption:
    kind = kind_of(group)
    free = tuple(
        instance.id
        for instance in group.instances
        if instance.healthy
        and Device(kind, instance.id) not in used
        and is_instance_wanted(request.constraints, group, instance.id)
    )
    satisfied = sum(
        each.weight
        for each in request.affinities
        if is_met_by_group(
            Constraint(ltarget=each.ltarget, rtarget=each.rtarget, operand=each.operand), group
        )
    )
    return DeviceOption(group, free, satisfied, sum(abs(each.weight) for each in request.affinities))


def compute_device_score(options: Iterable[DeviceOption]) -> float | None:
    """Score the devices that a group of tasks was given; None where no request prefers any.

    Spec: RANK-35.
    """
    chosen = tuple(options)
    weight = sum(option.weight for option in chosen)
    return sum(option.satisfied for option in chosen) / weight if weight else None
