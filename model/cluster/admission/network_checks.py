"""Checks of a group's networks: labels, static ports, mappings."""

from collections.abc import Iterable, Iterator
from typing import Final

from nomadspec.model.cluster.admission.complaint import Complaint, complain, complain_freely, complain_where
from nomadspec.model.cluster.entities import NetworkResource, Port, TaskGroup

_MOST_PORT: Final = 65535
_SAME_AS_HOST: Final = -1
_HOST_MODES: Final = frozenset({"", "host"})
_DEFAULT_NETWORK: Final = "default"


def check_networks(group: TaskGroup) -> Iterator[Complaint]:
    """Check the networks of a group and of its tasks together.

    Spec: OBJ-070, OBJ-124, NET-22.
    """
    yield from _check_labels(group)
    yield from _check_static_ports(group)
    for network in group.networks:
        for port in (*network.reserved_ports, *network.dynamic_ports):
            yield from _check_port(port, network)


def _list_networks(group: TaskGroup) -> Iterator[tuple[str, NetworkResource]]:
    for network in group.networks:
        yield "taskgroup network", network
    for task in group.tasks:
        for network in task.resources.networks if task.resources else ():
            yield f"{task.name} network", network


def _check_labels(group: TaskGroup) -> Iterator[Complaint]:
    owners: dict[str, str] = {}
    for owner, network in _list_networks(group):
        for port in (*network.reserved_ports, *network.dynamic_ports):
            if not port.label:
                yield complain_freely("a port needs a label")
            elif port.label in owners:
                yield complain(f"Port label {port.label} already in use by {owners[port.label]}")
            else:
                owners[port.label] = owner


def _check_static_ports(group: TaskGroup) -> Iterator[Complaint]:
    holders: dict[tuple[str, int], str] = {}
    for owner, network in _list_networks(group):
        for port in _list_colliding(network.reserved_ports):
            place = (port.host_network or _DEFAULT_NETWORK, port.value)
            if port.value > _MOST_PORT:
                yield complain(f"Port {port.label} ({port.value}) cannot be greater than {_MOST_PORT}")
            elif place in holders:
                yield complain(f"Static port {port.value} already reserved by {holders[place]}")
            else:
                holders[place] = f"{owner}:{port.label}"


def _list_colliding(ports: Iterable[Port]) -> Iterator[Port]:
    return (port for port in ports if not port.ignore_collision)


def _check_port(port: Port, network: NetworkResource) -> Iterator[Complaint]:
    return complain_where(
        (
            port.to < _SAME_AS_HOST,
            f'Port "{port.label}" cannot be mapped to negative value {port.to}',
        ),
        (
            port.ignore_collision and network.mode not in _HOST_MODES,
            f'Port "{port.label}" collision may not be ignored on non-host network mode "{network.mode}"',
        ),
    )
