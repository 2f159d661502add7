"""The sum over allocations (RANK-26)."""

import pytest

from nomadspec.model.cluster.resources.load import compute_load
from tests.model.cluster.resources.making import make_alloc, make_task


def test_who_has_ended_counts_as_a_member_only() -> None:
    """OBJ-261: the limit of allocations is compared with the whole list."""
    load = compute_load([make_alloc(), make_alloc("a2", client_status="failed")])

    assert (100, 2) == (load.used.cpu_mhz, load.members)


def test_who_was_told_to_stop_still_takes() -> None:
    assert 100 == compute_load([make_alloc(desired_status="stop")]).used.cpu_mhz


@pytest.mark.parametrize(("second", "is_shared"), [((1, 2), True), ((2, 3), False)])
def test_a_core_of_two_members_is_noticed(second: tuple[int, ...], is_shared: bool) -> None:
    allocs = [
        make_alloc(tasks={"web": make_task(cores=[0, 1])}),
        make_alloc("a2", tasks={"web": make_task(cores=second)}),
    ]

    assert is_shared == compute_load(allocs).has_shared_core


def test_a_core_of_two_tasks_of_one_member_is_not_noticed() -> None:
    """PLAN-54 (b)."""
    twice = make_alloc(tasks={"web": make_task(cores=[1]), "log": make_task(cores=[1])})

    assert not compute_load([twice]).has_shared_core


def test_a_load_grows_one_by_one() -> None:
    allocs = [make_alloc(), make_alloc("a2"), make_alloc("a3")]

    assert compute_load(allocs) == compute_load(allocs[2:], compute_load(allocs[:2]))
