"""Offers of ports (NET-09 to NET-15), by the worked examples of the chapter."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nomadspec.model.cluster.entities import AllocatedPort, NetworkResource, NodeNetworkAddress, Port
from nomadspec.model.cluster.resources.port_index import index_node
from nomadspec.model.cluster.resources.port_offer import (
    Ask,
    FreePorts,
    NoOfferError,
    list_refusals,
    offer_ports,
    prepare_ask,
)
from tests.model.cluster.resources.making import IP, OTHER_IP, make_node

ADDRESSES = (
    NodeNetworkAddress(alias="default", address=IP),
    NodeNetworkAddress(alias="default", address=OTHER_IP),
)
BOTH = (IP, OTHER_IP)


def ask(
    *,
    fixed: tuple[int, ...] = (),
    free: int = 0,
    used: tuple[tuple[str, int], ...] = (),
    alias: str = "default",
    ignore_collision: bool = False,
) -> Ask:
    """Ask a node of two addresses, which gives the ports 20000 to 20002."""
    node = make_node(addresses=ADDRESSES, dynamic=(20000, 20002))
    index = index_node(node)
    for ip, port in used:
        index.mark(ip, port)
    reserved = tuple(
        Port(label="http", value=value, host_network=alias, ignore_collision=ignore_collision)
        for value in fixed
    )
    dynamic = tuple(Port(label=f"d{at}", to=-1, host_network=alias) for at in range(free))
    return prepare_ask(index, node, NetworkResource(reserved_ports=reserved, dynamic_ports=dynamic))


def places(offer: tuple[AllocatedPort, ...]) -> list[tuple[str, int]]:
    """Show where the ports of an offer are."""
    return [(port.host_ip, port.value) for port in offer]


def test_a_fixed_port_goes_to_the_first_address_where_it_is_free() -> None:
    assert [(OTHER_IP, 8080)] == places(offer_ports(ask(fixed=(8080,), used=((IP, 8080),))))


def test_a_fixed_port_that_is_used_everywhere_is_refused() -> None:
    wanted = ask(fixed=(8080,), used=tuple((ip, 8080) for ip in BOTH))

    with pytest.raises(NoOfferError, match=r"^reserved port collision http=8080$"):
        offer_ports(wanted)


def test_a_fixed_port_that_ignores_collisions_goes_to_the_first_address() -> None:
    wanted = ask(fixed=(8080,), used=tuple((ip, 8080) for ip in BOTH), ignore_collision=True)

    assert [(IP, 8080)] == places(offer_ports(wanted))


def test_free_ports_are_different() -> None:
    """NET-13, NET-15: and the port inside follows the port outside where it is asked to."""
    offer = offer_ports(ask(free=2))

    assert [(IP, 20000), (IP, 20001)] == places(offer)
    assert [20000, 20001] == [port.to for port in offer]


def test_free_ports_avoid_fixed_ones_of_the_same_network_on_all_addresses() -> None:
    wanted = ask(fixed=(20000,), free=3)

    assert {"dynamic port selection failed"} == list_refusals(wanted)
    with pytest.raises(NoOfferError, match=r"^dynamic port selection failed$"):
        offer_ports(wanted)


def test_a_free_port_goes_to_the_next_address_where_the_first_is_full() -> None:
    full = tuple((IP, port) for port in (20000, 20001, 20002))

    assert [(OTHER_IP, 20000)] == places(offer_ports(ask(free=1, used=full)))


@pytest.mark.parametrize(
    "wanted", [ask(alias="public", fixed=(80,)), ask(alias="public", free=1)], ids=["fixed", "free"]
)
def test_a_network_without_addresses_is_told(wanted: Ask) -> None:
    assert {"no addresses available for public network"} == list_refusals(wanted)
    with pytest.raises(NoOfferError, match="no addresses available for public network"):
        offer_ports(wanted)


@pytest.mark.parametrize("value", [-1, 65536])
def test_what_is_no_port_is_refused(value: int) -> None:
    """NET-10."""
    with pytest.raises(NoOfferError, match="out of range"):
        offer_ports(ask(fixed=(value,)))


def test_a_choice_can_leave_nothing_for_a_later_port() -> None:
    """NET-14: one port is free on the second network, and both ports may have it."""
    node = make_node(
        addresses=(ADDRESSES[0], NodeNetworkAddress(alias="lab", address=OTHER_IP)), dynamic=(20000, 20001)
    )
    index = index_node(node)
    index.mark(OTHER_IP, 20001)
    network = NetworkResource(dynamic_ports=(Port(host_network="default"), Port(host_network="lab")))
    wanted = prepare_ask(index, node, network)

    def choose_highest(free: FreePorts) -> int:
        return max(free)

    assert {"dynamic port selection failed"} == list_refusals(wanted)
    assert [(IP, 20001), (OTHER_IP, 20000)] == places(offer_ports(wanted, choose_highest))


@given(st.integers(0, 3), st.sets(st.tuples(st.sampled_from(BOTH), st.integers(20000, 20002))))
def test_an_offer_is_free_and_refusals_are_foretold(free: int, used: set[tuple[str, int]]) -> None:
    wanted = ask(free=free, used=tuple(used))
    refusals = list_refusals(wanted)
    try:
        offer = offer_ports(wanted)
    except NoOfferError:
        assert {"dynamic port selection failed"} == refusals
    else:
        assert not used & set(places(offer))
        assert free == len({port.value for port in offer})
