"""Evictions for devices (PREEMPT-20 to PREEMPT-22), by the worked example."""

from collections.abc import Sequence

from nomadspec.model.cluster.entities import AllocatedDevice, Allocation, Node, RequestedDevice
from nomadspec.model.cluster.resources.devices import list_used_devices
from nomadspec.model.cluster.scheduler.choices import ReplayedChoices
from nomadspec.model.cluster.scheduler.preemption.devices import (
    Holder,
    choose_preempted,
    count_free,
    keep_largest,
    list_options,
)
from tests.model.cluster.scheduler.made import make_job
from tests.model.cluster.scheduler.ranking.hosts import make_devices, make_host, make_tenant

JOB = make_job(priority=70)
FIRST = make_devices("G1", "a", "b", "c", "d")
SECOND = make_devices("G2", "p", "q", "r", "s", "t")
NODE = make_host(devices=[FIRST, SECOND])


def make_holder(alloc_id: str, group: str, devices: str, priority: int = 30) -> Allocation:
    held = AllocatedDevice(vendor="acme", type="gpu", name=group, device_ids=tuple(devices))
    return make_tenant(alloc_id, devices=[held], priority=priority)


THERE = (
    make_holder("t1", "G1", "ab"),
    make_holder("t2", "G1", "cd", 40),
    make_holder("t3", "G2", "pq"),
    make_holder("t4", "G2", "rs"),
    make_holder("t5", "G2", "t"),
)


def choose(there: Sequence[Allocation], count: int, node: Node = NODE) -> list[str]:
    used = frozenset(list_used_devices(there))
    request = RequestedDevice(name="gpu", count=count)
    victims = choose_preempted(there, JOB, node, used, request, ReplayedChoices())
    return [alloc.id for alloc in victims]


def test_the_cheapest_option_is_taken() -> None:
    """PREEMPT-22: 30 and 40 on the one, twice 30 on the other."""
    assert ["t3", "t4"] == choose(THERE, 4)


def test_options_stop_where_there_is_enough() -> None:
    """PREEMPT-21."""
    used = frozenset(list_used_devices(THERE))
    request = RequestedDevice(name="gpu", count=2)
    options = list(list_options(THERE, JOB, NODE, used, request, ReplayedChoices()))

    assert [["t1"], ["t3"]] == [[holder.alloc.id for holder in option] for option in options]


def test_free_devices_count() -> None:
    """PREEMPT-21."""
    node = make_host(devices=[FIRST])

    assert count_free(FIRST, frozenset(list_used_devices(THERE[:1]))) == 2
    assert ["t1"] == choose(THERE[:1], 4, node)


def test_nobody_goes_where_that_does_not_help() -> None:
    """PREEMPT-22."""
    assert [] == choose(THERE, 6)
    assert [] == choose([make_holder("t1", "G1", "abcd", 65)], 1, make_host(devices=[FIRST]))


def test_those_that_hold_most_are_kept() -> None:
    """PREEMPT-22."""
    option = [Holder(alloc, count) for alloc, count in zip(THERE, (1, 3, 2), strict=False)]

    assert [3, 2] == [holder.count for holder in keep_largest(option, 4)]
