"""The network of a task, which is of an older form: a device, one of its addresses, bandwidth and ports."""

from __future__ import annotations

from collections.abc import Iterator
from ipaddress import ip_network

from msgspec.structs import replace

from nomadspec.model.entities import NetworkResource, Node, Port
from nomadspec.model.resources.port_index import PortIndex, find_dynamic_range, is_port
from nomadspec.model.resources.port_offer import NO_FREE_PORT, Choose, FreePorts, NoOfferError, choose_lowest


def offer_task_network(
    index: PortIndex, node: Node, ask: NetworkResource, choose: Choose = choose_lowest
) -> NetworkResource:
    """Offer the first device and address on which a task's network can be had.

    Spec: NET-18, NET-19, NET-20.
    """
    refusal = NoOfferError("no networks available")
    for device, ip in list_places(node):
        try:
            return _offer_on(index, node, ask, device, ip, choose)
        except NoOfferError as error:
            refusal = error
    raise refusal


def list_places(node: Node) -> Iterator[tuple[str, str]]:
    """List the devices of a node with each of their addresses, in the order in which they are tried."""
    for network in node.node_resources.networks if node.node_resources else ():
        if network.device:
            yield from ((network.device, ip) for ip in _list_addresses(network.cidr))


def _list_addresses(cidr: str) -> Iterator[str]:
    if "/" not in cidr:
        return
    try:
        addresses = ip_network(cidr, strict=False)
    except ValueError:  # what is no range of addresses has none
        return
    yield from map(str, addresses)


def _offer_on(
    index: PortIndex, node: Node, ask: NetworkResource, device: str, ip: str, choose: Choose
) -> NetworkResource:
    if index.used_mbits.get(device, 0) + ask.mbits > _find_mbits(node, device):
        raise NoOfferError("bandwidth exceeded")
    for port in ask.reserved_ports:
        if not is_port(port.value):
            raise NoOfferError(f"invalid port {port.value} (out of range)")
        if index.is_used(ip, port.value):
            raise NoOfferError(f"reserved port collision {port.label}={port.value}")
    chosen = {port.value for port in ask.reserved_ports}
    dynamic = []
    for port in ask.dynamic_ports:
        value = _choose_port(FreePorts(index, ip, find_dynamic_range(node), frozenset(chosen)), choose)
        chosen.add(value)
        dynamic.append(_give(port, value))
    return NetworkResource(
        device=device, ip=ip, mbits=ask.mbits, reserved_ports=ask.reserved_ports, dynamic_ports=tuple(dynamic)
    )


def _find_mbits(node: Node, device: str) -> int:
    networks = node.node_resources.networks if node.node_resources else ()
    return next((network.mbits for network in reversed(networks) if network.device == device), 0)


def _choose_port(free: FreePorts, choose: Choose) -> int:
    if free.find_lowest() is None:
        raise NoOfferError(NO_FREE_PORT)
    return choose(free)


def _give(port: Port, value: int) -> Port:
    return replace(port, value=value, to=value if port.to == -1 else port.to)
