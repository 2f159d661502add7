"""Devices: a node needs enough healthy ones for all requests of a group, used or not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from nomadspec.model.cluster.constraints.devices import is_wanted
from nomadspec.model.cluster.entities import Node, NodeDeviceResource, RequestedDevice
from nomadspec.model.cluster.resources.devices import kind_of
from nomadspec.model.cluster.scheduler.choices import Choices
from nomadspec.model.cluster.scheduler.feasibility.refusal import refuse
from nomadspec.model.cluster.scheduler.reasons import Filtered

MISSING_DEVICES: Final = "missing devices"


def check_devices(node: Node, requests: Sequence[RequestedDevice], choices: Choices) -> Filtered | None:
    """Refuse a node whose healthy devices cannot serve the requests one after the other.

    One request may take from several groups of devices, though a single group has to serve it in the end.

    Spec: FEAS-52, FEAS-53, 06/S-17.
    """
    if not requests:
        return None
    left = _count_healthy(node, choices)
    for request in requests:
        missing = request.count
        for at, (group, count) in enumerate(left):
            if missing and count and is_wanted(request, group):
                taken = min(count, missing)
                left[at] = (group, count - taken)
                missing -= taken
        if missing:
            return refuse(node, "FEAS-52", MISSING_DEVICES, request=request.name, missing=missing)
    return None


def _count_healthy(node: Node, choices: Choices) -> list[tuple[NodeDeviceResource, int]]:
    """Count the healthy devices of each group, in the order in which a map of groups is visited."""
    groups = node.node_resources.devices if node.node_resources else ()
    by_kind = {tuple(kind_of(group)): group for group in groups}
    visited = (by_kind[kind] for kind in choices.ordered(by_kind))
    return [(group, sum(instance.healthy for instance in group.instances)) for group in visited]
