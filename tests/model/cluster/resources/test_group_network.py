"""The network of a group (NET-09, NET-16, NET-17)."""

from msgspec.structs import replace

from nomadspec.model.cluster.entities import (
    AllocatedPort,
    NetworkResource,
    Node,
    NodeNetworkAddress,
    NodeNetworkResource,
    NodeResources,
    Port,
)
from nomadspec.model.cluster.resources.group_network import (
    fill_network,
    find_host_ip,
    mark_offer,
    resolve_host_networks,
)
from nomadspec.model.cluster.resources.port_index import index_node
from tests.model.cluster.resources.making import IP, make_node

ASK = NetworkResource(
    mode="bridge",
    reserved_ports=(Port(label="fixed", value=80, host_network="default"),),
    dynamic_ports=(Port(label="free", to=-1, host_network="${meta.net}"),),
)


def test_templates_of_host_networks_are_resolved() -> None:
    node = replace(make_node(), meta={"net": "public"})
    resolved = resolve_host_networks(node, ASK)

    assert resolved is not None
    assert ("default", "public") == (
        resolved.reserved_ports[0].host_network,
        resolved.dynamic_ports[0].host_network,
    )
    assert resolve_host_networks(make_node(), ASK) is None


def test_free_ports_are_filled_in_by_their_labels() -> None:
    offer = [
        AllocatedPort(label="fixed", value=80, host_ip="1.1.1.1"),
        AllocatedPort(label="free", value=20001, to=20001, host_ip="1.1.1.1"),
    ]
    filled = fill_network(make_node(), ASK, offer)

    assert (Port(label="free", value=20001, to=20001, host_network="${meta.net}"),) == filled.dynamic_ports
    assert ("bridge", IP, ASK.reserved_ports) == (filled.mode, filled.ip, filled.reserved_ports)


def test_of_two_ports_with_one_label_the_first_is_filled_in() -> None:
    """NET-16."""
    twins = NetworkResource(dynamic_ports=(Port(label="free", to=-1), Port(label="free", to=-1)))
    offer = [AllocatedPort(label="free", value=value, to=value, host_ip=IP) for value in (20001, 20002)]

    filled = fill_network(make_node(), twins, offer)

    assert [20001, 20001] == [port.value for port in filled.dynamic_ports]


def test_the_address_is_that_of_the_first_host_network() -> None:
    bridge = NodeNetworkResource(mode="bridge")
    host = NodeNetworkResource(
        mode="host", addresses=(NodeNetworkAddress(address="1.1.1.1"), NodeNetworkAddress(address="1.1.1.2"))
    )

    assert "1.1.1.1" == find_host_ip(Node(node_resources=NodeResources(node_networks=(bridge, host))))
    assert "" == find_host_ip(Node(node_resources=NodeResources(node_networks=(bridge,))))


def test_an_older_node_tells_the_last_one() -> None:
    networks = tuple(NetworkResource(mode=mode, ip=mode + "-ip") for mode in ("host", "bridge"))
    later = NetworkResource(mode="host", ip="later")

    assert "host-ip" == find_host_ip(Node(node_resources=NodeResources(networks=networks)))
    assert "later" == find_host_ip(Node(node_resources=NodeResources(networks=(*networks, later))))
    assert "" == find_host_ip(Node())


def test_what_is_offered_is_used() -> None:
    index = index_node(make_node())
    port = AllocatedPort(value=80, host_ip=IP)
    mark_offer(index, [port, port])

    assert index.is_used(IP, 80)
