"""Networks: a node needs one of the group's mode, and an address of each host network that ports name."""

from __future__ import annotations

from typing import Final

from nomadspec.model.cluster.constraints.quoting import quote
from nomadspec.model.cluster.constraints.targets import resolve
from nomadspec.model.cluster.constraints.versions import is_version_within, parse_version
from nomadspec.model.cluster.entities import NetworkResource, Node, Port
from nomadspec.model.cluster.resources.port_index import list_addresses
from nomadspec.model.cluster.scheduler.feasibility.refusal import refuse
from nomadspec.model.cluster.scheduler.reasons import Filtered

MISSING_NETWORK: Final = "missing network"

_HOST: Final = "host"
_NONE: Final = "none"
_BRIDGE: Final = "bridge"
_VERSION: Final = "nomad.version"
_BEFORE_BRIDGES: Final = "< 0.12"
"""Clients so old make bridges, and do not tell of them."""


def check_network(node: Node, network: NetworkResource) -> Filtered | None:
    """Refuse a node that has no network of a mode, or none of the host networks that ports name.

    Spec: FEAS-77, FEAS-78, FEAS-79, FEAS-80, FEAS-83.
    """
    mode = network.mode or _HOST
    if mode == _NONE:
        return None
    if not has_network(node, mode):
        if mode == _BRIDGE and _is_older_than_bridges(node):
            return None
        return refuse(node, "FEAS-79", MISSING_NETWORK, mode=mode)
    return _check_ports(node, network)


def has_network(node: Node, mode: str) -> bool:
    """True if a node has a network of a mode.

    Spec: FEAS-79, FEAS-84.
    """
    networks = node.node_resources.networks if node.node_resources else ()
    return any((network.mode or _HOST) == mode for network in networks)


def _is_older_than_bridges(node: Node) -> bool:
    version = node.attributes.get(_VERSION, "")
    return parse_version(version, strict=True) is not None and is_version_within(version, _BEFORE_BRIDGES)


def _check_ports(node: Node, network: NetworkResource) -> Filtered | None:
    """Refuse a node that has no address under the name that a port asks for; free ports come first.

    Spec: FEAS-81.
    """
    aliases = {address.alias for address in list_addresses(node)}
    for port in (*network.dynamic_ports, *network.reserved_ports):
        problem = _find_problem(node, port, aliases) if port.host_network else ""
        if problem:
            return refuse(node, "FEAS-81", problem, port=port.label, host_network=port.host_network)
    return None


def _find_problem(node: Node, port: Port, aliases: set[str]) -> str:
    name = resolve(port.host_network, node)
    if name is None:
        return f"invalid host network {quote(port.host_network)} template for port {quote(port.label)}"
    if name not in aliases:
        return f"missing host network {quote(name)} for port {quote(port.label)}"
    return ""
