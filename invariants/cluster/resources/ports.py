"""Ports: each given once on each address, and never one that the node keeps for itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from nomadspec.invariants.cluster.resources.claim import Claim, part
from nomadspec.invariants.cluster.resources.draw import Draw
from nomadspec.invariants.cluster.resources.need import ALIVE_OR_ENDED, is_ended, is_in
from nomadspec.model.cluster.entities import (
    AllocatedPort,
    AllocatedResources,
    AllocatedShared,
    AllocatedTask,
    Allocation,
    AllocClient,
    NetworkResource,
    Node,
    NodeNetworkAddress,
    NodeNetworkResource,
    NodeReservedResources,
    NodeResources,
    Port,
    ReservedNetworks,
)
from nomadspec.model.cluster.resources.port_index import PortIndex, add_allocs, index_node
from nomadspec.model.language.logic import Value, all_of, any_of, iff, not_

PORTS: Final = "ports"
PORT_COUNT: Final = 65536

_ADDRESSES: Final = ("192.0.2.1", "192.0.2.2")
_ELSEWHERE: Final = "198.51.100.1"
_TEXTS: Final = (("", ()), ("22", (22,)), ("22,80", (22, 80)), ("8000-8002", (8000, 8001, 8002)))
"""Lists of ports as operators write them, and what they mean."""
_TRIED: Final = (0, 21, 22, 23, 79, 80, 81, 7999, 8000, 8001, 8002, 8003, 65535)


def draw_index(draw: Draw) -> PortIndex:
    """Draw the ports that a node of two addresses keeps, and those that any number of allocations have."""
    return PortIndex(
        {ip: draw.numbers(f"{ip}.kept") for ip in _ADDRESSES},
        {ip: draw.growing(f"{ip}.taken") for ip in _ADDRESSES},
    )


def draw_alloc_with_ports(draw: Draw, name: str, ports: int) -> Allocation:
    """Draw an allocation whose group has so many ports, each on an address of the node or elsewhere."""
    given = tuple(_draw_port(draw, f"{name}.port{number}") for number in range(ports))
    return Allocation(
        id=name,
        node_id="node",
        desired_status="run",
        client_status=draw.pick(f"{name}.client_status", ALIVE_OR_ENDED),
        allocated_resources=AllocatedResources(shared=AllocatedShared(ports=given)),
    )


def _draw_port(draw: Draw, name: str) -> AllocatedPort:
    return AllocatedPort(
        label=name,
        value=draw.number(name),
        host_ip=draw.pick(f"{name}.address", (*_ADDRESSES, _ELSEWHERE)),
        ignore_collision=draw.flag(f"{name}.ignores_collision"),
    )


def say_nothing_is_taken(_draw: Draw) -> Value:
    """True while before any allocation no port is taken."""
    return not index_node(Node(node_resources=NodeResources())).list_used()


def say_kept_ports_are_those_of_the_texts(draw: Draw) -> Value:
    """True while a node keeps on each address what it keeps everywhere and what it keeps there."""
    everywhere, there = draw.pick("everywhere", _TEXTS), draw.pick("there", _TEXTS)
    addresses = (
        NodeNetworkAddress(address=_ADDRESSES[0], reserved_ports=there[0]),
        NodeNetworkAddress(address=_ADDRESSES[1]),
    )
    old = draw.pick("old network", ((), (NetworkResource(device="eth0", ip=_ELSEWHERE),)))
    node = Node(
        node_resources=NodeResources(networks=old, node_networks=(NodeNetworkResource(addresses=addresses),)),
        reserved_resources=NodeReservedResources(
            networks=ReservedNetworks(reserved_host_ports=everywhere[0])
        ),
    )
    index = index_node(node)
    kept = {_ADDRESSES[0]: {*everywhere[1], *there[1]}, _ADDRESSES[1]: {*everywhere[1]}}
    kept |= {_ELSEWHERE: {*everywhere[1]} if old else set()}
    return all(index.is_used(ip, port) == (port in ports) for ip, ports in kept.items() for port in _TRIED)


def say_a_collision_is_found_exactly_where_there_is_one(draw: Draw) -> Value:
    """True while an allocation collides exactly if a port of it is none, taken, kept, or twice its own."""
    index = draw_index(draw)
    alloc = draw_alloc_with_ports(draw, "alloc", ports=2)
    given = alloc.allocated_resources
    ports = () if is_ended(alloc) or given is None else given.shared.ports
    collides = any_of(*[_collides(index, ports, at) for at in range(len(ports))])
    return iff(add_allocs(index, [alloc]) != "", collides)


def _collides(index: PortIndex, ports: Sequence[AllocatedPort], at: int) -> Value:
    port = ports[at]
    is_port = all_of(port.value >= 0, port.value < PORT_COUNT)
    earlier = [other for other in ports[:at] if other.host_ip == port.host_ip]
    is_used = any_of(
        _is_used(index, port.host_ip, port.value), *[other.value == port.value for other in earlier]
    )
    return any_of(not_(is_port), all_of(is_used, not_(port.ignore_collision)))


def _is_used(index: PortIndex, ip: str, port: int) -> Value:
    return any_of(is_in(port, index.kept.get(ip, frozenset())), is_in(port, index.taken.get(ip, set())))


def say_new_ports_are_added(draw: Draw) -> Value:
    """True while after one more allocation its ports are taken as well, and no others."""
    index = draw_index(draw)
    alloc = draw_alloc_with_ports(draw, "alloc", ports=2)
    given = alloc.allocated_resources
    ports = () if is_ended(alloc) or given is None else given.shared.ports
    ip = draw.pick("any address", (*_ADDRESSES, _ELSEWHERE))
    any_port = draw.number("any port")
    is_added = any_of(
        *[
            all_of(port.value == any_port, port.value >= 0, port.value < PORT_COUNT)
            for port in ports
            if port.host_ip == ip
        ]
    )
    was_used = _is_used(index, ip, any_port)
    add_allocs(index, [alloc])
    return iff(_is_used(index, ip, any_port), any_of(was_used, is_added))


def say_old_ports_are_marked(draw: Draw) -> Value:
    """True while ports of the older form count too: of all networks of the group, of a task's first."""
    index = draw_index(draw)
    values = {name: draw.number(name) for name in ("group's port", "task's port", "second network's port")}
    group, first, second = (_make_network(value) for value in values.values())
    alloc = Allocation(
        id="alloc",
        client_status=AllocClient.RUNNING,
        allocated_resources=AllocatedResources(
            tasks={"task": AllocatedTask(networks=(first, second))},
            shared=AllocatedShared(networks=(group,)),
        ),
    )
    any_port = draw.number("any port")
    was_used = _is_used(index, _ADDRESSES[0], any_port)
    add_allocs(index, [alloc])
    marked = (values["group's port"], values["task's port"])
    is_added = any_of(*[all_of(port == any_port, port >= 0, port < PORT_COUNT) for port in marked])
    return iff(_is_used(index, _ADDRESSES[0], any_port), any_of(was_used, is_added))


def _make_network(port: int) -> NetworkResource:
    return NetworkResource(device="eth0", ip=_ADDRESSES[0], reserved_ports=(Port(value=port),))


PORT_CLAIMS: Final = (
    Claim(
        "ports_are_never_given_twice",
        PORTS,
        "a port of an address belongs to one allocation or to the node, unless it is asked for all the same",
        ("PLAN-54", "PLAN-56", "NET-01", "NET-02", "NET-03", "NET-06", "NET-07", "NET-08", "NET-23"),
        "any number of allocations with any ports, the next of up to 2 ports; 2 addresses of the node and "
        "others; ports that the node keeps written in 4 ways",
        (
            part("no allocation", say_nothing_is_taken),
            part("what a node keeps", say_kept_ports_are_those_of_the_texts),
            part("one more of the old form", say_old_ports_are_marked),
            part("one more collides", say_a_collision_is_found_exactly_where_there_is_one),
            part("one more is marked", say_new_ports_are_added),
        ),
    ),
)
