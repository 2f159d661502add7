"""The network of a task (NET-18 to NET-20)."""

import pytest
from msgspec.structs import replace

from nomadspec.model.cluster.entities import NetworkResource, Node, NodeResources, Port
from nomadspec.model.cluster.resources.port_index import index_node
from nomadspec.model.cluster.resources.port_offer import NoOfferError
from nomadspec.model.cluster.resources.task_network import list_places, offer_task_network

NODE = Node(
    node_resources=NodeResources(
        networks=(
            NetworkResource(device="", cidr="10.9.0.0/30"),
            NetworkResource(device="eth0", cidr="10.0.0.2/31", mbits=10),
            NetworkResource(device="eth1", cidr="10.0.0.5", mbits=1000),
            NetworkResource(device="eth1", cidr="nonsense/8", mbits=1000),
            NetworkResource(device="eth2", cidr="10.0.1.1/32", mbits=100),
        ),
        min_dynamic_port=20000,
        max_dynamic_port=20001,
    )
)
PLACES = [("eth0", "10.0.0.2"), ("eth0", "10.0.0.3"), ("eth2", "10.0.1.1")]


def ask(*fixed: int, free: int = 0, mbits: int = 0) -> NetworkResource:
    return NetworkResource(
        mbits=mbits,
        reserved_ports=tuple(Port(label="http", value=value) for value in fixed),
        dynamic_ports=tuple(Port(label=f"d{at}", to=-1) for at in range(free)),
    )


def offer(network: NetworkResource, *used: tuple[str, int], mbits: int = 0) -> NetworkResource:
    index = index_node(NODE)
    index.used_mbits["eth0"] = mbits
    for ip, port in used:
        index.mark(ip, port)
    return offer_task_network(index, NODE, network)


def test_addresses_are_tried_from_the_lowest_device_by_device() -> None:
    assert PLACES == list(list_places(NODE))


@pytest.mark.parametrize(
    "cidr", ["", "10.0.0.2", "10.0.0.2/255.255.255.254", "fe80::2%eth0/127", "x/31", "10.0.0.2/33"]
)
def test_what_is_no_range_of_addresses_has_none(cidr: str) -> None:
    """NET-18."""
    networks = (NetworkResource(device="eth0", cidr=cidr), NetworkResource(device="eth1", cidr="fe80::2/127"))
    node = replace(NODE, node_resources=NodeResources(networks=networks))

    assert [("eth1", "fe80::2"), ("eth1", "fe80::3")] == list(list_places(node))


def test_the_first_address_that_has_all_is_taken() -> None:
    given = offer(ask(80, free=1), ("10.0.0.2", 80))

    assert ("eth0", "10.0.0.3", 80) == (given.device, given.ip, given.reserved_ports[0].value)
    assert (Port(label="d0", value=20000, to=20000),) == given.dynamic_ports


def test_bandwidth_is_looked_at_device_by_device() -> None:
    assert "eth2" == offer(ask(mbits=6), mbits=5).device
    assert "eth0" == offer(ask(mbits=5), mbits=5).device
    with pytest.raises(NoOfferError, match="bandwidth exceeded"):
        offer(ask(mbits=101))


def test_free_ports_are_no_fixed_ones() -> None:
    assert [20001] == [port.value for port in offer(ask(20000, free=1)).dynamic_ports]
    with pytest.raises(NoOfferError, match="dynamic port selection failed"):
        offer(ask(20000, free=2))


def test_the_last_refusal_is_told() -> None:
    with pytest.raises(NoOfferError, match="reserved port collision http=80"):
        offer(ask(80), *((ip, 80) for _, ip in PLACES))
    with pytest.raises(NoOfferError, match="out of range"):
        offer(ask(70000))


def test_a_node_without_devices_has_no_networks() -> None:
    bare = replace(NODE, node_resources=None)

    with pytest.raises(NoOfferError, match="no networks available"):
        offer_task_network(index_node(bare), bare, ask())
