"""Ports in use on a node (NET-01 to NET-07)."""

import pytest

from nomadspec.model.cluster.entities import (
    AllocatedPort,
    AllocatedShared,
    AllocatedTask,
    Allocation,
    NetworkResource,
    Node,
    NodeNetworkAddress,
    Port,
)
from nomadspec.model.cluster.resources.port_index import (
    BadNodePortsError,
    add_allocs,
    find_dynamic_range,
    index_node,
)
from tests.model.cluster.resources.making import IP, OTHER_IP, make_alloc, make_node, make_ports


def network(*values: int, ip: str = IP, mbits: int = 0) -> NetworkResource:
    """Make a network of the old form with fixed ports."""
    ports = tuple(Port(value=value) for value in values)
    return NetworkResource(device="eth0", ip=ip, mbits=mbits, reserved_ports=ports)


def test_what_the_node_keeps_is_kept_on_all_its_addresses() -> None:
    """NET-03: also on the address of an entry that has a device."""
    addresses = [
        NodeNetworkAddress(alias="default", address=OTHER_IP),
        NodeNetworkAddress(alias="private", address="192.168.0.1", reserved_ports="80,22"),
    ]
    index = index_node(make_node(addresses=addresses, kept_ports="22"))

    assert {
        IP: frozenset({22}),
        OTHER_IP: frozenset({22}),
        "192.168.0.1": frozenset({22, 80}),
    } == index.list_used()


@pytest.mark.parametrize(
    ("kept", "own", "problem"),
    [
        ("9-3", "", "^error parsing reserved_ports: invalid range"),
        ("", "x", '^error parsing reserved_ports for network "default": '),
    ],
)
def test_a_text_that_cannot_be_read_makes_the_node_bad(kept: str, own: str, problem: str) -> None:
    """NET-04."""
    address = NodeNetworkAddress(alias="default", address=IP, reserved_ports=own)

    with pytest.raises(BadNodePortsError, match=problem):
        index_node(make_node(addresses=[address], kept_ports=kept))


def test_ports_of_a_group_hide_those_of_its_tasks() -> None:
    """NET-06, 06/S-19."""
    tasks = {"web": AllocatedTask(networks=(network(9000),))}
    alloc = make_alloc(tasks=tasks, shared=make_ports(AllocatedPort(value=80, host_ip=IP)))
    index = index_node(make_node())

    assert "" == add_allocs(index, [alloc])
    assert {IP: frozenset({80})} == index.list_used()


def test_the_old_form_counts_group_networks_and_the_first_of_each_task() -> None:
    tasks = {"web": AllocatedTask(networks=(network(9000, mbits=5), network(9001)))}
    alloc = make_alloc(tasks=tasks, shared=AllocatedShared(networks=(network(8000, mbits=10),)))
    index = index_node(make_node())

    assert "" == add_allocs(index, [alloc])
    assert {IP: frozenset({8000, 9000})} == index.list_used()
    assert {"eth0": 15} == index.used_mbits


@pytest.mark.parametrize("ignoring", [1, 2])
def test_only_the_later_port_must_ignore_a_collision(ignoring: int) -> None:
    """NET-06, NET-08: it depends on the order."""
    allocs = [
        make_alloc(
            f"a{number}",
            shared=make_ports(
                AllocatedPort(value=80, host_ip=IP, ignore_collision=number == ignoring),
            ),
        )
        for number in (1, 2)
    ]

    assert (ignoring == 1) == bool(add_allocs(index_node(make_node()), allocs))


@pytest.mark.parametrize("value", [-1, 65536, 70000])
def test_what_is_no_port_collides_even_if_collisions_are_ignored(value: int) -> None:
    port = AllocatedPort(value=value, host_ip=IP, ignore_collision=True)
    problem = add_allocs(index_node(make_node()), [make_alloc(shared=make_ports(port))])

    assert f"collision when reserving port for alloc a1: [invalid port {value}]" == problem


def test_the_last_collision_is_told_with_all_its_ports() -> None:
    def alloc(name: str, *values: int) -> Allocation:
        return make_alloc(name, shared=make_ports(*(AllocatedPort(value=v, host_ip=IP) for v in values)))

    allocs = [alloc("a1", 1, 1), alloc("a2", 2, 1, 2), alloc("a3", 3)]
    problem = add_allocs(index_node(make_node()), allocs)

    assert "for alloc a2: [port 1 already in use port 2 already in use]" in problem


def test_collisions_of_the_old_form_name_the_address() -> None:
    of_group = make_alloc("a1", shared=AllocatedShared(networks=(network(80, 80),)))
    of_task = make_alloc("a2", tasks={"web": AllocatedTask(networks=(network(80),))})
    index = index_node(make_node())

    assert f"for network {IP} in alloc a1: [" in add_allocs(index, [of_group])
    assert f"for network {IP} in task web of alloc a2: [" in add_allocs(index, [of_task])


def test_who_has_ended_has_no_ports() -> None:
    alloc = make_alloc(client_status="lost", shared=make_ports(AllocatedPort(value=80, host_ip=IP)))
    index = index_node(make_node())
    add_allocs(index, [alloc])

    assert not index.is_used(IP, 80)


def test_who_was_given_nothing_has_no_ports() -> None:
    index = index_node(Node())

    assert "" == add_allocs(index, [Allocation(id="a1")])
    assert {} == index.list_used()


def test_a_copy_leaves_no_trace() -> None:
    index = index_node(make_node())
    index.copy().mark(IP, 80)

    assert not index.is_used(IP, 80)


def test_the_range_of_free_ports() -> None:
    """NET-05: each end on its own."""
    assert (20000, 32000) == find_dynamic_range(make_node())
    assert (30000, 32000) == find_dynamic_range(make_node(dynamic=(30000, 0)))
    assert (20000, 32000) == find_dynamic_range(Node())
