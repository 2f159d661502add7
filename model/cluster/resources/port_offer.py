"""Gives the ports that a group asks for: fixed ones first, then free ones out of the node's range."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final

from nomadspec.model.cluster.entities import AllocatedPort, NetworkResource, Node, Port
from nomadspec.model.cluster.resources.port_index import (
    PortIndex,
    find_dynamic_range,
    is_port,
    list_addresses,
)


class NoOfferError(ValueError):
    """A node cannot give what is asked for; the message says what is short."""

    def __init__(self, short: str, asked: int | None = None, free: int | None = None) -> None:
        """Say what is short, and by how much where that is a number."""
        super().__init__(short)
        self.asked = asked
        self.free = free


NO_FREE_PORT: Final = "dynamic port selection failed"


@dataclass(frozen=True, slots=True)
class FreePorts:
    """The ports that may be given on one address: those of the range that nobody has or asks for.

    Spec: NET-05, NET-13, NET-14.
    """

    index: PortIndex
    ip: str
    bounds: tuple[int, int]
    spoken_for: frozenset[int] = frozenset()

    def __contains__(self, port: int) -> bool:
        first, last = self.bounds
        is_in_range = first <= port <= max(first, last)
        return is_in_range and port not in self.spoken_for and not self.index.is_used(self.ip, port)

    def __iter__(self) -> Iterator[int]:
        first, last = self.bounds
        return (port for port in range(first, max(first, last) + 1) if port in self)

    def find_lowest(self) -> int | None:
        """Find the lowest of them; None where there is none."""
        return next(iter(self), None)


Choose = Callable[[FreePorts], int | None]
"""Chooses one of the ports that may be given on an address; None where there is none."""


def choose_lowest(free: FreePorts) -> int | None:
    """Choose the lowest port that may be given."""
    return free.find_lowest()


@dataclass(frozen=True, slots=True)
class Ask:
    """What a group asks for, against the ports of one node."""

    index: PortIndex
    network: NetworkResource
    """With host networks that are names, no longer templates."""
    addresses: dict[str, tuple[str, ...]]
    """The addresses of the node by their alias, in the order in which they are tried."""
    bounds: tuple[int, int]


def prepare_ask(index: PortIndex, node: Node, network: NetworkResource) -> Ask:
    """Put what a group asks for against the ports of a node."""
    addresses: dict[str, tuple[str, ...]] = {}
    for address in list_addresses(node):
        addresses[address.alias] = (*addresses.get(address.alias, ()), address.address)
    return Ask(index, network, addresses, find_dynamic_range(node))


def offer_ports(ask: Ask, choose: Choose = choose_lowest) -> tuple[AllocatedPort, ...]:
    """Offer ports for an ask: the fixed ones in order, then the free ones in order.

    Spec: NET-09, NET-10, NET-11, NET-12, NET-13, NET-14, NET-15.
    """
    offer = [_offer_fixed(ask, port) for port in ask.network.reserved_ports]
    chosen: set[int] = set()
    for port in ask.network.dynamic_ports:
        given = _offer_free(ask, port, chosen, choose)
        chosen.add(given.value)
        offer.append(given)
    return tuple(offer)


def _offer_free(ask: Ask, port: Port, chosen: Iterable[int], choose: Choose) -> AllocatedPort:
    for free in list_free_ports(ask, port, chosen):
        value = choose(free)
        if value is not None:
            to = value if port.to == -1 else port.to
            return AllocatedPort(label=port.label, value=value, to=to, host_ip=free.ip)
    raise NoOfferError(NO_FREE_PORT)


def _offer_fixed(ask: Ask, port: Port) -> AllocatedPort:
    addresses = ask.addresses.get(port.host_network, ())
    for ip in addresses:
        if not is_port(port.value):
            raise NoOfferError(f"invalid port {port.value} (out of range)")
        if port.ignore_collision or not ask.index.is_used(ip, port.value):
            return AllocatedPort(
                label=port.label,
                value=port.value,
                to=port.to,
                host_ip=ip,
                ignore_collision=port.ignore_collision,
            )
    if addresses:
        raise NoOfferError(f"reserved port collision {port.label}={port.value}")
    raise NoOfferError(f"no addresses available for {port.host_network} network")


def list_free_ports(ask: Ask, port: Port, chosen: Iterable[int]) -> tuple[FreePorts, ...]:
    """List what may be given for a free port on each address, in the order in which they are tried."""
    addresses = ask.addresses.get(port.host_network, ())
    if not addresses:
        raise NoOfferError(f"no addresses available for {port.host_network} network")
    spoken_for = _list_fixed(ask).union(chosen)
    return tuple(FreePorts(ask.index, ip, ask.bounds, spoken_for) for ip in addresses)


def find_free_ports(ask: Ask, port: Port, chosen: Iterable[int]) -> FreePorts:
    """Find what may be given for a free port, on the first address where something is left."""
    for free in list_free_ports(ask, port, chosen):
        if free.find_lowest() is not None:
            return free
    raise NoOfferError(NO_FREE_PORT)


def list_refusals(ask: Ask) -> frozenset[str]:
    """List how an ask may be refused: a choice for one port can leave nothing for a later one.

    Spec: NET-14.
    """
    try:
        for port in ask.network.reserved_ports:
            _offer_fixed(ask, port)
    except NoOfferError as refusal:
        return frozenset({str(refusal)})
    return frozenset(_walk_refusals(ask))


def _walk_refusals(ask: Ask) -> Iterator[str]:
    scarce = _list_scarce(ask)
    reached = {frozenset[int]()}
    for port in ask.network.dynamic_ports:
        following: set[frozenset[int]] = set()
        for chosen in reached:
            try:
                free = find_free_ports(ask, port, chosen)
            except NoOfferError as refusal:
                yield str(refusal)
                continue
            following.update(chosen | {value} for value in scarce if value in free)
            if any(value not in scarce for value in free):
                following.add(chosen)
        reached = following


def _list_scarce(ask: Ask) -> frozenset[int]:
    """List the values of which a port has so few that the other ports of the ask can use them up."""
    wanted = len(ask.network.dynamic_ports)
    fixed = _list_fixed(ask)
    scarce: set[int] = set()
    for port in ask.network.dynamic_ports:
        values: set[int] = set()
        for ip in ask.addresses.get(port.host_network, ()):
            values.update(islice(FreePorts(ask.index, ip, ask.bounds, fixed), wanted))
        if len(values) < wanted:
            scarce |= values
    return frozenset(scarce)


def _list_fixed(ask: Ask) -> frozenset[int]:
    """List the fixed ports that are asked for; they are given first, and no free port may be one of them."""
    return frozenset(port.value for port in ask.network.reserved_ports)
