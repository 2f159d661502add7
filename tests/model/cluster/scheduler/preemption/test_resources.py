"""Evictions for processor time, memory and disk (PREEMPT-09 to PREEMPT-14), by the worked examples."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nomadspec.model.cluster.entities import Allocation
from nomadspec.model.cluster.resources.amounts import Amounts
from nomadspec.model.cluster.scheduler.preemption.resources import (
    choose_preempted,
    compute_distance,
    compute_free,
    is_enough,
)
from tests.model.cluster.scheduler.ranking.hosts import make_tenant

CAPACITY = Amounts(cpu_mhz=3900, memory_mb=7936, disk_mb=98_304)
NO_PENALTY = 0.0
AMOUNTS = st.tuples(st.integers(0, 4), st.integers(0, 4), st.integers(0, 4))


def choose(
    classes: Sequence[Sequence[Allocation]], ask: tuple[int, int, int], *stay: Allocation
) -> list[str]:
    free = compute_free(CAPACITY, [*stay, *(alloc for each in classes for alloc in each)])
    victims = choose_preempted(classes, free, make_amounts(ask), lambda _: NO_PENALTY)
    return [alloc.id for alloc in victims]


def make_amounts(of: tuple[int, int, int]) -> Amounts:
    return Amounts(cpu_mhz=of[0], memory_mb=of[1], disk_mb=of[2])


@pytest.mark.parametrize(
    ("need", "have", "distance"),
    [
        ((2048, 512, 4096), (2048, 512, 4096), 0.0),
        ((2048, 512, 4096), (1024, 400, 1024), 0.927551379978),
        ((2048, 512, 4096), (8192, 200, 1024), 3.151799151378),
        ((2048, 512, 4096), (2048, 500, 4096), 0.0234375),
        ((2048, 512, 4096), (500, 256, 300), 1.296226615143),
        ((-100, 0, 0), (500, 256, 300), 0.0),
    ],
)
def test_distance(need: tuple[int, int, int], have: tuple[int, int, int], distance: float) -> None:
    """PREEMPT-12."""
    assert compute_distance(make_amounts(need), make_amounts(have)) == pytest.approx(distance, abs=1e-12)


def test_no_more_than_needed_go() -> None:
    """PREEMPT-14, worked example A."""
    important = make_tenant("H", 1800, 2256, 4096, priority=100)
    lesser = [make_tenant("P", 1500, 256, 5120), make_tenant("Q", 600, 256, 5120)]

    assert ["P"] == choose([lesser], (1000, 256, 5120), important)


def test_three_are_picked_one_after_the_other() -> None:
    """PREEMPT-11, PREEMPT-14, worked example B."""
    important = make_tenant("H", 2800, 2256, 40_960, priority=100)
    lesser = [
        make_tenant("a1", 200, 256, 4096),
        make_tenant("a2", 200, 512, 25_600),
        make_tenant("a3", 700, 276, 20_480),
    ]

    assert ["a1", "a2", "a3"] == choose([lesser], (1000, 3000, 51_200), important)


def test_a_class_is_used_up_before_the_next() -> None:
    """PREEMPT-11."""
    least, more = make_tenant("t1", 1000), make_tenant("t2", 2900, priority=40)

    assert ["t2"] == choose([[least], [more]], (1500, 0, 0))
    assert ["t1"] == choose([[least], [more]], (1000, 0, 0))


def test_nobody_goes_where_that_does_not_help() -> None:
    """PREEMPT-11."""
    assert [] == choose([[make_tenant("t1", 1000)]], (3901, 0, 0))


def test_one_always_goes() -> None:
    """PREEMPT-11, 07/S-21: there would be enough."""
    assert ["t1"] == choose([[make_tenant("t1", 10), make_tenant("t2", 10)]], (10, 0, 0))


def test_the_last_takes_the_place_of_who_was_picked() -> None:
    """PREEMPT-11: which decides between t1 and t2, that are equal."""
    lesser = [make_tenant("t0", 1000), make_tenant("t1", 500), make_tenant("t2", 500)]

    assert ["t2", "t0"] == choose([lesser], (1300, 0, 0), make_tenant("H", 1900, priority=100))


@pytest.mark.parametrize(
    ("free", "asked", "expected"), [((), (1,), True), ((1, 2), (1,), True), ((2,), (1,), False)]
)
def test_cores(free: tuple[int, ...], asked: tuple[int, ...], expected: bool) -> None:
    """PREEMPT-10."""
    assert expected == is_enough(Amounts(cores=frozenset(free)), Amounts(cores=frozenset(asked)))


@given(st.lists(AMOUNTS, max_size=5), AMOUNTS, AMOUNTS)
def test_who_goes_makes_room(
    tenants: list[tuple[int, int, int]], left: tuple[int, int, int], ask: tuple[int, int, int]
) -> None:
    """Whoever goes is enough, and nobody goes only where all together are not."""
    lesser = [make_tenant(f"t{at}", *amounts) for at, amounts in enumerate(tenants)]
    free = make_amounts(left)
    victims = choose_preempted([lesser], free, make_amounts(ask), lambda _: NO_PENALTY)
    freed = [tenants[int(alloc.id[1:])] for alloc in (victims or lesser)]
    cpu, memory, disk = map(sum, zip(left, *freed, strict=True))

    assert is_enough(make_amounts((cpu, memory, disk)), make_amounts(ask)) == bool(victims) or not lesser
