"""Nodes of one computed class that differ all the same: the first that is checked decides for the others."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from nomadspec.model.cluster.entities import Node
from nomadspec.model.cluster.resources.devices import kind_of


def list_unequal_mates(nodes: Sequence[Node]) -> list[Node]:
    """List the nodes that have a mate in their class which the checks of a class may see with other eyes.

    Spec: FEAS-18, FEAS-22.
    """
    classes: defaultdict[str, list[Node]] = defaultdict(list)
    for node in nodes:
        classes[node.computed_class].append(node)
    return [
        node
        for mates in classes.values()
        if any(_tell_apart(mate) != _tell_apart(mates[0]) for mate in mates[1:])
        for node in mates
    ]


def _tell_apart(node: Node) -> tuple[object, ...]:
    """Give what the checks look at that is taken to hold for a class."""
    drivers = {name: (info.detected, info.healthy) for name, info in node.drivers.items() if info}
    own = [
        {name: text for name, text in each.items() if _is_shared(name)}
        for each in (node.attributes, node.meta)
    ]
    there = node.node_resources
    if there is None:
        return drivers, own
    devices = [
        (kind_of(group), dict(group.attributes), sum(each.healthy for each in group.instances))
        for group in there.devices
    ]
    modes = [each.mode for each in there.networks]
    aliases = {address.alias for each in there.node_networks for address in each.addresses}
    return drivers, own, devices, modes, aliases


def _is_shared(name: str) -> bool:
    return not name.startswith("unique.")
