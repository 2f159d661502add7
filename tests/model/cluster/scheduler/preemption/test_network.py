"""Evictions for ports and bandwidth (PREEMPT-15 to PREEMPT-18), by the worked examples."""

from collections.abc import Sequence

import pytest

from nomadspec.model.cluster.entities import Allocation, NetworkResource, Port
from nomadspec.model.cluster.resources.port_index import add_allocs, index_node
from nomadspec.model.cluster.scheduler.choices import ReplayedChoices
from nomadspec.model.cluster.scheduler.preemption.network import (
    NetworkPreemption,
    compute_distance,
    sort_holders,
)
from tests.model.cluster.scheduler.made import make_job
from tests.model.cluster.scheduler.ranking.hosts import make_host, make_tenant

JOB = make_job(priority=70)


def make_holder(
    alloc_id: str, mbits: int, *ports: int, priority: int = 30, device: str = "eth0"
) -> Allocation:
    reserved = tuple(Port(value=port) for port in ports)
    network = NetworkResource(device=device, ip="10.0.0.1", mbits=mbits, reserved_ports=reserved)
    return make_tenant(alloc_id, networks=[network], priority=priority)


def choose(there: Sequence[Allocation], mbits: int, *ports: int) -> list[str]:
    node = make_host()
    index = index_node(node)
    add_allocs(index, there)
    ask = NetworkResource(mbits=mbits, reserved_ports=tuple(Port(value=port) for port in ports))
    search = NetworkPreemption(node, JOB, index, ReplayedChoices(), lambda _: 0.0)
    return [alloc.id for alloc in search.choose_preempted(there, ask)]


@pytest.mark.parametrize(
    ("there", "mbits", "ports", "victims"),
    [
        pytest.param(
            [make_holder("X", 500, 88), make_holder("Y", 200)], 800, (88,), {"X", "Y"}, id="port, then more"
        ),
        pytest.param([make_holder("X", 600, 88), make_holder("Y", 100)], 700, (88,), {"X"}, id="port"),
        pytest.param([make_holder("X", 500), make_holder("Y", 320)], 320, (), {"Y"}, id="nearest"),
        pytest.param([make_holder("X", 800), make_tenant("W")], 840, (), {"X"}, id="no network"),
        pytest.param([make_holder("I", 600, 88, priority=65)], 700, (88,), set(), id="too important"),
    ],
)
def test_worked_examples(
    there: list[Allocation], mbits: int, ports: tuple[int, ...], victims: set[str]
) -> None:
    """PREEMPT-16: beside one that is too important and has 150 Mbit."""
    high = make_holder("H", 150, priority=100)

    assert victims == set(choose([high, *there], mbits, *ports))


def test_more_bandwidth_than_the_device_has_is_never_freed() -> None:
    """PREEMPT-16."""
    assert [] == choose([make_holder("X", 800)], 1001)


def test_a_port_of_one_that_is_too_important_gives_up_the_device() -> None:
    """PREEMPT-15, PREEMPT-16: though another could go."""
    there = [make_holder("X", 100), make_holder("I", 100, 88, priority=65)]

    assert [] == choose(there, 50, 88)
    assert ["X"] == choose(there, 900)


def test_all_of_them_may_be_too_little() -> None:
    """PREEMPT-16."""
    there = [make_holder("I", 800, priority=65), make_holder("X", 100), make_holder("Y", 50)]

    assert [] == choose(there, 300)


def test_a_holder_of_two_ports_is_listed_twice() -> None:
    """PREEMPT-16, 07/S-14."""
    assert ["X", "X"] == choose([make_holder("X", 0, 80, 81)], 0, 80, 81)


def test_of_two_holders_the_last_goes() -> None:
    """PREEMPT-16."""
    assert ["Y"] == choose([make_holder("X", 0, 80), make_holder("Y", 0, 80)], 0, 80)


def test_the_least_important_go_first() -> None:
    """PREEMPT-16."""
    there = [make_holder("X", 400, priority=40), make_holder("Y", 500, priority=20)]

    assert ["Y"] == choose(there, 500)


def test_trimming_can_drop_the_holder_of_the_port() -> None:
    """PREEMPT-17, 07/S-15."""
    there = [make_holder("X", 500, 88), make_holder("Y", 500)]

    assert ["X"] == choose(there, 400, 88)


def test_an_empty_choice_is_none() -> None:
    """PREEMPT-18: nobody has the port as a fixed one."""
    assert [] == choose([make_holder("X", 0, 81)], 0, 80)


def test_only_the_first_network_says_where_an_allocation_belongs() -> None:
    """PREEMPT-15."""
    holders = sort_holders(
        [make_holder("X", 1, device="eth1"), make_holder("Y", 1, 80, priority=65), make_tenant("W")],
        JOB,
        ReplayedChoices(),
    )

    assert ["eth1"] == list(holders.by_device)
    assert {"eth0": {80}} == holders.blocked


@pytest.mark.parametrize(("asked", "mbits", "distance"), [(320, 500, 0.5625), (320, 320, 0.0)])
def test_distance(asked: int, mbits: int, distance: float) -> None:
    """PREEMPT-16."""
    assert distance == compute_distance(asked, mbits)
