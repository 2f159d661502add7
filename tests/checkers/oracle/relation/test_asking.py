"""A recorded allocation that nobody asked for is found."""

from nomadspec.checkers.oracle.relation.asking import has_doubles, list_unasked
from nomadspec.model.cluster.entities import Allocation, Plan
from nomadspec.model.cluster.scheduler.reasons import Requested
from tests.model.cluster.scheduler.made import make_alloc

FIRST = make_alloc("x", create_index=0, name="j.web[0]", node_id="b")
ASKED = Requested(group="web", alloc_name="j.web[0]")
NAME = ("plans", "0", "NodeAllocation", "j.web[0]", "Request")


def find(
    *allocs: Allocation, requests: tuple[Requested, ...] = (ASKED,), is_doubled: bool = False
) -> set[object]:
    plan = Plan(node_allocation={"b": allocs})
    return set(dict(list_unasked(0, plan, requests, is_doubled=is_doubled)))


def test_what_was_asked_for_is_not_told() -> None:
    assert find(FIRST) == set()


def test_each_request_is_for_one_allocation() -> None:
    """GENERIC-35."""
    assert find(FIRST, FIRST) == {NAME}


def test_another_name_was_not_asked_for_unless_names_are_taken_twice() -> None:
    """GENERIC-36."""
    other = Requested(group="web", alloc_name="j.web[1]")

    assert find(FIRST, requests=(other,)) == {NAME}
    assert find(FIRST, requests=(other, other)) == set()
    assert find(FIRST, requests=(other,), is_doubled=True) == set()


def test_where_nodes_are_asked_each_request_is_for_its_own() -> None:
    """SYSTEM-33."""
    here, there = (Requested(group="web", alloc_name="j.web[0]", node_id=node) for node in "bc")

    assert find(FIRST, requests=(here,)) == set()
    assert find(FIRST, requests=(there,)) == {NAME}


def test_names_of_a_job_may_be_taken_twice() -> None:
    allocs = [make_alloc(each, name="j.web[0]", job_id="j", task_group="web") for each in "ab"]

    assert has_doubles(allocs, "j")
    assert not has_doubles(allocs, "k")
    assert not has_doubles(allocs[:1], "j")
