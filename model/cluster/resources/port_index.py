"""Which ports of a node are in use, address by address."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from nomadspec.model.cluster.entities import (
    AllocatedPort,
    AllocatedResources,
    Allocation,
    NetworkResource,
    Node,
    NodeNetworkAddress,
)
from nomadspec.model.cluster.entities.allocation import is_client_terminal
from nomadspec.model.cluster.memo import remember_each
from nomadspec.model.cluster.resources.given import find_given
from nomadspec.model.cluster.resources.port_text import PORT_LIMIT, PortTextError, read_ports

DEFAULT_DYNAMIC_PORTS: Final = (20000, 32000)
"""The range that free ports are given from, unless the node says otherwise."""

_COLLISION: Final = "collision when reserving port for"

_NO_PORTS: Final[frozenset[int]] = frozenset()


class BadNodePortsError(ValueError):
    """A node whose own lists of ports cannot be read."""


@dataclass(slots=True)
class PortIndex:
    """The ports in use on one node: those that it keeps for itself, and those of allocations.

    Spec: NET-01.
    """

    kept: Mapping[str, frozenset[int]]
    """By address, what the node keeps for itself."""
    taken: dict[str, set[int]] = field(default_factory=dict)
    """By address, what allocations have; also of addresses that the node does not have."""
    used_mbits: dict[str, int] = field(default_factory=dict)
    """By device, the bandwidth of networks of the old form."""

    def is_used(self, ip: str, port: int) -> bool:
        """True while a port is in use on an address."""
        return port in self.kept.get(ip, _NO_PORTS) or port in self.taken.get(ip, _NO_PORTS)

    def list_used(self) -> dict[str, frozenset[int]]:
        """List the ports in use by address, addresses without any included."""
        addresses = (*self.kept, *(ip for ip in self.taken if ip not in self.kept))
        return {ip: self.kept.get(ip, _NO_PORTS) | self.taken.get(ip, set()) for ip in addresses}

    def copy(self) -> PortIndex:
        """Copy the index, so that an ask can be tried without a trace."""
        taken = {ip: set(ports) for ip, ports in self.taken.items()}
        return PortIndex(self.kept, taken, dict(self.used_mbits))

    def mark(self, ip: str, port: int) -> str:
        """Mark a port as used on an address; the answer says what is wrong with that, if anything."""
        if not is_port(port):
            return f"invalid port {port}"
        ports = self.taken.get(ip)
        if ports is None:
            ports = self.taken[ip] = set()
        if port in ports or port in self.kept.get(ip, _NO_PORTS):
            return f"port {port} already in use"
        ports.add(port)
        return ""


def index_node(node: Node) -> PortIndex:
    """Start an index with what the node keeps for itself.

    Spec: NET-02, NET-03, NET-04, PLAN-56.
    """
    return PortIndex(compute_kept_ports(node))


def compute_kept_ports(node: Node) -> dict[str, frozenset[int]]:
    """Compute which ports a node keeps for itself on each of its addresses."""
    there = node.node_resources
    if there is None:
        return {}
    text = node.reserved_resources.networks.reserved_host_ports if node.reserved_resources else ""
    everywhere = _read(text, "error parsing reserved_ports") if text else _NO_PORTS
    kept = {network.ip: everywhere for network in there.networks if network.device}
    for address in list_addresses(node):
        kept.setdefault(address.address, everywhere)
        if address.reserved_ports:
            own = _read(address.reserved_ports, f'error parsing reserved_ports for network "{address.alias}"')
            kept[address.address] |= own
    return kept


def _read(text: str, blame: str) -> frozenset[int]:
    try:
        return read_ports(text)
    except PortTextError as error:
        raise BadNodePortsError(f"{blame}: {error}") from None


def list_addresses(node: Node) -> Iterator[NodeNetworkAddress]:
    """List the addresses of a node in the order in which they are tried."""
    if node.node_resources is not None:
        for network in node.node_resources.node_networks:
            yield from network.addresses


def find_dynamic_range(node: Node) -> tuple[int, int]:
    """Find the first and the last port that a node gives where any port will do.

    Spec: NET-05.
    """
    first, last = DEFAULT_DYNAMIC_PORTS
    there = node.node_resources
    if there is None:
        return first, last
    own_first, own_last = there.min_dynamic_port, there.max_dynamic_port
    return own_first if own_first > 0 else first, own_last if own_last > 0 else last


def add_allocs(index: PortIndex, allocs: Iterable[Allocation]) -> str:
    """Mark the ports of allocations; the answer names the last collision, if there was one.

    Spec: NET-06, NET-07, NET-08, PLAN-56.
    """
    problem = ""
    for alloc in allocs:
        if not is_client_terminal(alloc):
            problem = add_alloc(index, alloc) or problem
    return problem


def add_alloc(index: PortIndex, alloc: Allocation) -> str:
    """Mark the ports of one allocation that still runs: those of its group, or else those of the old form.

    Spec: NET-06, 06/S-19.
    """
    given = find_given(alloc)
    if given is None or not has_networks(given):
        return ""
    if given.shared.ports:
        return _add_ports(index, given.shared.ports, alloc.id)
    problem = ""
    for network in given.shared.networks:
        blame = f"{_COLLISION} network {network.ip} in alloc {alloc.id}"
        problem = add_network(index, network, blame) or problem
    for name, task in given.tasks.items():
        if task.networks:
            network = task.networks[0]
            blame = (
                f"collision when reserving port for network {network.ip} in task {name} of alloc {alloc.id}"
            )
            problem = add_network(index, network, blame) or problem
    return problem


@remember_each
def has_networks(given: AllocatedResources) -> bool:
    """True if ports or bandwidth were given at all: most allocations have none."""
    return bool(
        given.shared.ports or given.shared.networks or any(task.networks for task in given.tasks.values())
    )


def _add_ports(index: PortIndex, ports: Iterable[AllocatedPort], alloc_id: str) -> str:
    problems = []
    for port in ports:
        problem = index.mark(port.host_ip, port.value)
        if problem and not (port.ignore_collision and is_port(port.value)):
            problems.append(problem)
    return f"{_COLLISION} alloc {alloc_id}: [{' '.join(problems)}]" if problems else ""


def add_network(index: PortIndex, network: NetworkResource, blame: str = "") -> str:
    """Mark the ports and the bandwidth of a network of the old form; the answer tells of a collision."""
    ports = (*network.reserved_ports, *network.dynamic_ports)
    problems = [problem for port in ports if (problem := index.mark(network.ip, port.value))]
    index.used_mbits[network.device] = index.used_mbits.get(network.device, 0) + network.mbits
    return f"{blame}: [{' '.join(problems)}]" if problems else ""


def is_port(value: int) -> bool:
    """True if a number is a port at all."""
    return 0 <= value < PORT_LIMIT
