"""How often values of an attribute are used (FEAS-47, FEAS-48, RANK-59, RANK-62)."""

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from nomadspec.model.cluster.entities import Allocation
from nomadspec.model.cluster.scheduler.context import Context
from nomadspec.model.cluster.scheduler.ranking.value_counts import ValueCounts
from nomadspec.model.specification.profiles import INTENDED
from tests.model.cluster.scheduler.made import make_alloc, make_context, make_job, make_node, make_snapshot

RACK = "${meta.rack}"
RACKS = ("r0", "r1", "r2")


def make_here(alloc_id: str, host: int, **fields: str) -> Allocation:
    return make_alloc(alloc_id, node_id=f"n{host}", **fields)


def begin(there: Sequence[Allocation] = (), *targets: str) -> tuple[Context, ValueCounts]:
    """Count on four nodes, of which the last is in no rack."""
    nodes = [make_node(f"n{at}", meta={"rack": rack}) for at, rack in enumerate(RACKS)]
    snapshot = make_snapshot(make_job(), *nodes, make_node("n3"), *there)
    context = make_context(snapshot, make_job())
    return context, ValueCounts.of(context, RACK, "web", frozenset(targets), there)


def test_only_the_group_and_nodes_with_a_value_count() -> None:
    """FEAS-47."""
    there = [make_here("a", 0), make_here("b", 3), make_here("c", 9), make_here("d", 1, task_group="api")]
    context, counts = begin(there)
    context.plan.append_alloc(make_here("new", 1, client_status="pending"))
    context.plan.append_alloc(make_here("failed", 2, client_status="failed"))
    counts.count_plan()

    assert {"r0": 1, "r1": 1} == counts.used
    assert (1, 0) == (counts.count_used("r0"), counts.count_used("r2"))


def test_others_are_folded() -> None:
    """RANK-59."""
    _, counts = begin([make_here("a", 0), make_here("b", 1), make_here("c", 2)], "r1")
    counts.count_plan()

    assert {"r1": 1, "*": 2} == counts.used
    assert ("r1", "*") == (counts.fold("r1"), counts.fold("r2"))


def test_a_value_that_was_cleared_still_occurs() -> None:
    """RANK-65."""
    context, counts = begin([make_here("a", 0)])
    context.plan.append_stop(make_here("a", 0), "")
    counts.count_plan()

    assert {"r0": 0} == counts.used


def test_what_is_taken_back_counts_no_more() -> None:
    """FEAS-47: a stop was only tried."""
    context, counts = begin([make_here("a", 0)])
    context.plan.append_stop(make_here("a", 0), "")
    counts.count_plan()
    context.plan.pop_stop(make_here("a", 0))
    counts.count_plan()

    assert {"r0": 1} == counts.used


def test_an_update_counts_twice_unless_that_is_mended() -> None:
    """06/S-04."""
    context, counts = begin([make_here("a", 0)])
    context.plan.append_alloc(make_here("a", 0))
    counts.count_plan()
    assert {"r0": 2} == counts.used

    context.profile = INTENDED
    counts.count_plan()
    assert {"r0": 1} == counts.used


@given(st.lists(st.tuples(st.sampled_from(["place", "stop", "count"]), st.integers(0, 3)), max_size=20))
def test_following_is_counting_anew(steps: list[tuple[str, int]]) -> None:
    """FEAS-47: a plan that is counted step by step, and one that is counted in the end."""
    there = [make_here(f"a{at}", at % 4) for at in range(8)]
    context, followed = begin(there, "r0")
    followed.count_plan()
    for at, (step, host) in enumerate(steps):
        if step == "place":
            context.plan.append_alloc(make_here(f"new{at}", host, client_status="pending"))
        elif step == "stop":
            context.plan.append_stop(make_here(f"a{host}", host), "")
        else:
            followed.count_plan()
    anew = ValueCounts.of(context, RACK, "web", frozenset({"r0"}), there)
    anew.count_plan()
    anew.count_plan()
    followed.count_plan()

    assert anew.used == followed.used
