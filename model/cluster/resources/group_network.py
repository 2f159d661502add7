"""The network of a group: what it asks of a node, and what the allocation is told of it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from msgspec.structs import replace

from nomadspec.model.cluster.constraints.targets import resolve
from nomadspec.model.cluster.entities import AllocatedPort, NetworkResource, Node, Port
from nomadspec.model.cluster.resources.port_index import PortIndex

_HOST: Final = "host"


def resolve_host_networks(node: Node, network: NetworkResource) -> NetworkResource | None:
    """Put the names of host networks in place of templates; None where the node has no value for one.

    Spec: NET-09.
    """
    reserved = _resolve_ports(node, network.reserved_ports)
    dynamic = _resolve_ports(node, network.dynamic_ports)
    if reserved is None or dynamic is None:
        return None
    return replace(network, reserved_ports=reserved, dynamic_ports=dynamic)


def _resolve_ports(node: Node, ports: Iterable[Port]) -> tuple[Port, ...] | None:
    resolved = []
    for port in ports:
        name = resolve(port.host_network, node)
        if name is None:
            return None
        resolved.append(replace(port, host_network=name))
    return tuple(resolved)


def fill_network(node: Node, network: NetworkResource, offer: Iterable[AllocatedPort]) -> NetworkResource:
    """Tell an allocation of its group's network: the ask with the free ports that were given, and an address.

    The address is that of the node and need not be one that a port is bound to. Of ports that share a label,
    fixed ones included, the first says what each of them is told.

    Spec: NET-16.
    """
    given: dict[str, AllocatedPort] = {}
    for port in offer:
        given.setdefault(port.label, port)
    dynamic = tuple(
        replace(port, value=given[port.label].value, to=given[port.label].to) if port.label in given else port
        for port in network.dynamic_ports
    )
    return replace(network, dynamic_ports=dynamic, ip=find_host_ip(node))


def find_host_ip(node: Node) -> str:
    """Find the address of a node by which allocations are told of their group's network."""
    there = node.node_resources
    if there is None:
        return ""
    if there.node_networks:
        hosts = (network for network in there.node_networks if network.mode == _HOST)
        first = next(hosts, None)
        return first.addresses[0].address if first and first.addresses else ""
    return next((network.ip for network in reversed(there.networks) if network.mode == _HOST), "")


def mark_offer(index: PortIndex, offer: Iterable[AllocatedPort]) -> None:
    """Mark what was offered as used; that some of it was used before does not matter.

    Spec: NET-17, NET-21.
    """
    for port in offer:
        index.mark(port.host_ip, port.value)
