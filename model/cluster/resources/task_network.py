"""The network of a task, which is of an older form: a device, one of its addresses, bandwidth and ports."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from ipaddress import ip_network
from itertools import islice
from typing import Final

from msgspec.structs import replace

from nomadspec.model.cluster.entities import NetworkResource, Node, Port
from nomadspec.model.cluster.resources.port_index import PortIndex, find_dynamic_range, is_port
from nomadspec.model.cluster.resources.port_offer import NO_FREE_PORT, FreePorts, NoOfferError

_CIDR: Final = re.compile(r"[0-9A-Fa-f.:]+/[0-9]+")
"""Neither masks nor zones are taken."""

ChooseSome = Callable[[FreePorts, int], tuple[int, ...] | None]
"""Chooses so many of the ports that may be given on an address, each once; None where they are too few."""


def choose_lowest_ports(free: FreePorts, count: int) -> tuple[int, ...] | None:
    """Choose the lowest ports that may be given."""
    ports = tuple(islice(free, count))
    return ports if len(ports) == count else None


def offer_task_network(
    index: PortIndex, node: Node, ask: NetworkResource, choose: ChooseSome = choose_lowest_ports
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
    if not _CIDR.fullmatch(cidr):
        return
    try:
        addresses = ip_network(cidr, strict=False)
    except ValueError:  # what is no range of addresses has none
        return
    yield from map(str, addresses)


def _offer_on(
    index: PortIndex, node: Node, ask: NetworkResource, device: str, ip: str, choose: ChooseSome
) -> NetworkResource:
    free_mbits = _find_mbits(node, device) - index.used_mbits.get(device, 0)
    if ask.mbits > free_mbits:
        raise NoOfferError("bandwidth exceeded", ask.mbits, free_mbits)
    for port in ask.reserved_ports:
        if not is_port(port.value):
            raise NoOfferError(f"invalid port {port.value} (out of range)")
        if index.is_used(ip, port.value):
            raise NoOfferError(f"reserved port collision {port.label}={port.value}")
    fixed = frozenset(port.value for port in ask.reserved_ports)
    values = _choose_ports(FreePorts(index, ip, find_dynamic_range(node), fixed), ask, choose)
    return NetworkResource(
        device=device,
        ip=ip,
        mbits=ask.mbits,
        reserved_ports=ask.reserved_ports,
        dynamic_ports=tuple(map(_give, ask.dynamic_ports, values)),
    )


def _find_mbits(node: Node, device: str) -> int:
    networks = node.node_resources.networks if node.node_resources else ()
    return next((network.mbits for network in reversed(networks) if network.device == device), 0)


def _choose_ports(free: FreePorts, ask: NetworkResource, choose: ChooseSome) -> tuple[int, ...]:
    if not ask.dynamic_ports:
        return ()
    values = choose(free, len(ask.dynamic_ports))
    if values is None:
        raise NoOfferError(NO_FREE_PORT)
    return values


def _give(port: Port, value: int) -> Port:
    return replace(port, value=value, to=value if port.to == -1 else port.to)
