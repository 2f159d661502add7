"""The network of a group, against those of a node."""

import pytest

from nomadspec.model.cluster.entities import (
    NetworkResource,
    Node,
    NodeNetworkAddress,
    NodeNetworkResource,
    NodeResources,
    Port,
)
from nomadspec.model.cluster.scheduler.feasibility.networks import check_network, has_network
from tests.model.cluster.scheduler.made import make_node


def make_network_node(*modes: str, version: str = "1.9.0") -> Node:
    """Make a node with networks, and with addresses that go by default and public."""
    aliases = tuple(NodeNetworkAddress(alias=alias) for alias in ("default", "public"))
    return make_node(
        attributes={"nomad.version": version, "net": "public"},
        node_resources=NodeResources(
            networks=tuple(NetworkResource(mode=mode) for mode in modes),
            node_networks=(NodeNetworkResource(), NodeNetworkResource(addresses=aliases)),
        ),
    )


def find_reason(node: Node, network: NetworkResource) -> str:
    """Give the reason of a refusal; empty when there is none."""
    refused = check_network(node, network)
    return refused.text if refused else ""


@pytest.mark.parametrize(
    ("asked", "offered", "expected"),
    [
        ("", "host", True),
        ("host", "", True),
        ("bridge", "host", False),
        ("bridge", "bridge", True),
        ("cni/a", "cni/a", True),
        ("cni/a", "cni/b", False),
        ("none", "bridge", True),
    ],
)
def test_a_node_needs_a_network_of_the_mode(asked: str, offered: str, expected: bool) -> None:
    """FEAS-77, FEAS-78, FEAS-79."""
    reason = find_reason(make_network_node(offered), NetworkResource(mode=asked))

    assert ("" if expected else "missing network") == reason


def test_a_node_without_resources_has_no_network() -> None:
    """FEAS-79."""
    assert not has_network(make_node(), "host")
    assert "missing network" == find_reason(make_node(), NetworkResource())


@pytest.mark.parametrize(
    ("version", "reason"),
    [
        ("0.11.9", ""),
        ("0.12.0", "missing network"),
        ("0.12.0-beta1", "missing network"),
        ("0.11.0beta1", "missing network"),
        ("", "missing network"),
    ],
)
def test_old_clients_do_not_tell_of_bridges(version: str, reason: str) -> None:
    """FEAS-80: ports are not looked at either."""
    ask = NetworkResource(mode="bridge", dynamic_ports=(Port(host_network="nowhere"),))

    assert reason == find_reason(make_network_node("host", version=version), ask)


def test_every_port_needs_an_address_of_its_host_network() -> None:
    """FEAS-81, FEAS-83: free ports come first."""
    node = make_network_node("host")
    good = (Port(), Port(host_network="default"), Port(host_network="${attr.net}"))
    private = Port(label="a", host_network="private")
    template = Port(label="b", host_network="${attr.nothing}")

    assert not find_reason(node, NetworkResource(dynamic_ports=good, reserved_ports=good))
    assert 'missing host network "private" for port "a"' == find_reason(
        node, NetworkResource(dynamic_ports=(private,), reserved_ports=(template,))
    )
    assert 'invalid host network "${attr.nothing}" template for port "b"' == find_reason(
        node, NetworkResource(dynamic_ports=good, reserved_ports=(template,))
    )
    assert not find_reason(node, NetworkResource(mode="none", reserved_ports=(template,)))
