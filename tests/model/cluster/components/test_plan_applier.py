"""The evaluation of a plan (PLAN-40 to PLAN-57)."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from nomadspec.model.cluster.components.plan_applier import (
    evaluate_plan,
    is_result_no_op,
    list_nodes,
)
from nomadspec.model.cluster.components.plan_error import VerdictError
from nomadspec.model.cluster.entities import (
    Allocation,
    Deployment,
    DeploymentState,
    DeploymentStatusUpdate,
    Plan,
    PlanResult,
)
from nomadspec.model.cluster.entities.plan import is_full_commit, is_no_op
from nomadspec.model.specification.profiles import NOMAD_2_0
from tests.model.cluster.components.planning import make_alloc, make_node, make_plan, make_state


def ids(allocs: Sequence[Allocation]) -> list[str]:
    return [alloc.id for alloc in allocs]


def test_everything_of_a_rejected_node_is_left_out_and_nothing_of_others() -> None:
    """PLAN-45, PLAN-46 and the trace T2: the stop on the full node does not happen."""
    old = make_alloc("b0", "n1", 5)
    state = make_state(old, make_alloc("a1", "n1", 5))
    plan = make_plan(make_alloc("b1", "n1", 10), make_alloc("b2", "n2", 5), stops=[old])
    result = evaluate_plan(state, plan, profile=NOMAD_2_0)

    assert ("n1",) == result.rejected_nodes
    assert {} == result.node_update
    assert {"n2": ["b2"]} == {node: ids(allocs) for node, allocs in result.node_allocation.items()}
    assert 100 == result.refresh_index
    assert not is_full_commit(plan, result)


def test_all_or_nothing_leaves_nothing() -> None:
    """PLAN-47 and the trace T3."""
    update = DeploymentStatusUpdate(deployment_id="d")
    plan = make_plan(make_alloc("b1", "n1", 11), make_alloc("b2", "n2"), all_at_once=True)
    plan = replace(plan, deployment=Deployment(id="d"), deployment_updates=(update,))
    result = evaluate_plan(make_state(), plan, profile=NOMAD_2_0)

    assert PlanResult(rejected_nodes=("n1",), refresh_index=100) == result
    assert is_result_no_op(result)


def test_all_or_nothing_names_the_first_rejected_node_that_was_handled() -> None:
    plan = make_plan(make_alloc("b1", "n1", 11), make_alloc("b2", "n2", 11), all_at_once=True)

    assert ("n2",) == evaluate_plan(make_state(), plan, order=("n2", "n1"), profile=NOMAD_2_0).rejected_nodes


def test_the_dead_are_not_preempted() -> None:
    """PLAN-44: the node keeps its entry, which may be empty."""
    dead = make_alloc("d", "n1", client_status="complete")
    live = make_alloc("l", "n2")
    plan = make_plan(make_alloc("b1", "n1"), make_alloc("b2", "n2"), preempts=[dead, live])
    result = evaluate_plan(make_state(dead, live), plan, profile=NOMAD_2_0)

    assert {"n1": [], "n2": ["l"]} == {node: ids(each) for node, each in result.node_preemptions.items()}


def test_preemptions_on_other_nodes_are_lost() -> None:
    """PLAN-42."""
    live = make_alloc("l", "n2")
    plan = make_plan(make_alloc("b1", "n1"), preempts=[live])

    assert ("n1",) == list_nodes(plan)
    assert {} == evaluate_plan(make_state(live), plan, profile=NOMAD_2_0).node_preemptions


def test_canaries_that_are_not_placed_now_are_trimmed() -> None:
    """PLAN-49: only if something was rejected."""
    canaries = DeploymentState(placed_canaries=("b2", "old", "b1"), desired_canaries=3)
    deployment = Deployment(task_groups={"g": canaries, "idle": None})
    whole = replace(make_plan(make_alloc("b1", "n1")), deployment=deployment)
    partial = replace(make_plan(make_alloc("b1", "n1"), make_alloc("b2", "n2", 11)), deployment=deployment)
    trimmed = evaluate_plan(make_state(), partial, profile=NOMAD_2_0).deployment

    assert evaluate_plan(make_state(), whole, profile=NOMAD_2_0).deployment == deployment
    assert trimmed is not None
    assert {"g": replace(canaries, placed_canaries=("b1",)), "idle": None} == trimmed.task_groups


def test_a_deployment_survives_when_every_node_is_rejected() -> None:
    """PLAN-48."""
    plan = replace(make_plan(make_alloc("b1", "n1", 11)), deployment=Deployment(id="d"))
    result = evaluate_plan(make_state(), plan, profile=NOMAD_2_0)

    assert result.deployment is not None
    assert not is_result_no_op(result)


def test_too_many_allocations_fail_the_whole_plan() -> None:
    """03/S7."""
    small = replace(make_node("n1"), node_max_allocs=1)
    plan = make_plan(make_alloc("a", "n1"), make_alloc("b", "n1"), make_alloc("c", "n2"))

    with pytest.raises(VerdictError, match=r"1 error occurred:\n.* plan exceeds max allocation"):
        evaluate_plan(make_state(nodes=[small, make_node("n2")]), plan, profile=NOMAD_2_0)


def test_a_refusal_without_an_index_to_wait_for_is_an_error() -> None:
    """PLAN-57."""
    plan = make_plan(make_alloc("a", "n1", 11))

    with pytest.raises(VerdictError, match="partialCommit with RefreshIndex of 0"):
        evaluate_plan(make_state(index=0), plan, profile=NOMAD_2_0)


@pytest.mark.parametrize(
    ("plan", "is_empty"),
    [
        (Plan(), True),
        (make_plan(preempts=[make_alloc("a", "n1")]), True),
        (Plan(node_update={"n1": ()}), False),
        (Plan(deployment=Deployment()), False),
    ],
)
def test_a_plan_without_changes(plan: Plan, is_empty: bool) -> None:
    """PLAN-02: a node with an empty list makes a difference, a preemption does not."""
    assert is_empty == is_no_op(plan)


def test_a_result_that_only_marks_a_node_is_committed() -> None:
    """PLAN-87."""
    assert not is_result_no_op(PlanResult(ineligible_nodes=("n1",)))


SIZES = st.integers(1, 12)
PLACED = st.lists(st.tuples(st.sampled_from(["n1", "n2", "n3"]), SIZES), max_size=6)


@given(PLACED, PLACED, st.booleans())
def test_what_is_taken_fits_node_by_node(
    there: list[tuple[str, int]],
    wanted: list[tuple[str, int]],
    all_at_once: bool,
) -> None:
    """The invariants 2 to 5 of the chapter, and that no node is filled beyond what it has."""
    stored = [make_alloc(f"s{at}", node, size) for at, (node, size) in enumerate(there)]
    placed = [make_alloc(f"p{at}", node, size) for at, (node, size) in enumerate(wanted)]
    state = make_state(*stored, nodes=[make_node("n1"), make_node("n2")])
    plan = make_plan(*placed, all_at_once=all_at_once)
    result = evaluate_plan(state, plan, profile=NOMAD_2_0)

    for node, allocs in result.node_allocation.items():
        sizes = [size for name, size in [*there, *wanted] if name == node]
        assert sum(sizes) <= 10
        assert plan.node_allocation[node] == allocs
    assert bool(result.rejected_nodes) == bool(result.refresh_index)
    if all_at_once:
        assert result.node_allocation in ({}, plan.node_allocation)
    else:
        assert {*result.node_allocation, *result.rejected_nodes} == set(plan.node_allocation)
    assert is_full_commit(plan, result) == (not result.rejected_nodes)
