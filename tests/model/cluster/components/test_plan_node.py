"""The check of one node (PLAN-51 to PLAN-53)."""

import pytest
from msgspec.structs import replace

from nomadspec.model.cluster.components.plan_node import judge_node
from nomadspec.model.cluster.entities import Allocation, DisconnectStrategy, Job, Plan, TaskGroup
from nomadspec.model.specification.profiles import INTENDED, NOMAD_2_0
from tests.model.cluster.components.planning import make_alloc, make_node, make_plan, make_state


def with_replace(alloc: Allocation, *, replaces: bool | None) -> Allocation:
    """Give an allocation a job whose group says whether it wants a replacement."""
    group = TaskGroup(name="g", disconnect=DisconnectStrategy(replace=replaces))
    return replace(alloc, task_group="g", job=Job(task_groups=(group,)))


KEPT = with_replace(make_alloc("k", "n1", client_status="unknown"), replaces=False)


@pytest.mark.parametrize(
    ("status", "eligibility", "placed", "reason"),
    [
        ("disconnected", "eligible", [make_alloc("a", "n1", client_status="unknown")], ""),
        (
            "disconnected",
            "eligible",
            [make_alloc("a", "n1", client_status="unknown"), make_alloc("b", "n1", client_status="lost")],
            "node is disconnected and contains invalid updates",
        ),
        ("down", "eligible", [make_alloc("a", "n1", client_status="lost"), KEPT], ""),
        (
            "down",
            "eligible",
            [make_alloc("a", "n1", client_status="unknown")],
            "node is down and contains invalid updates",
        ),
        ("initializing", "eligible", [make_alloc("a", "n1")], "node is not ready for placements"),
        ("ready", "ineligible", [make_alloc("a", "n1")], "node is not eligible"),
        ("ready", "eligible", [make_alloc("a", "n1", 11)], "memory"),
        ("ready", "eligible", [make_alloc("a", "n1", 10)], ""),
        ("ready", "ineligible", [], ""),
    ],
)
def test_the_first_row_that_matches_decides(
    status: str, eligibility: str, placed: list[Allocation], reason: str
) -> None:
    """PLAN-51."""
    state = make_state(nodes=[make_node("n1", status=status, eligibility=eligibility)])
    verdict = judge_node(state, make_plan(*placed), "n1", profile=NOMAD_2_0)

    assert (not reason, reason, "") == (verdict.fits, verdict.reason, verdict.error)


def test_a_node_that_is_not_there_can_only_lose_something() -> None:
    state = make_state()

    assert (
        "node does not exist"
        == judge_node(state, make_plan(make_alloc("a", "n9")), "n9", profile=NOMAD_2_0).reason
    )
    assert judge_node(state, make_plan(stops=[make_alloc("a", "n9")]), "n9", profile=NOMAD_2_0).fits


def test_an_update_in_place_is_not_checked_even_if_it_grows() -> None:
    """03/S8: nor is the eligibility of its node."""
    state = make_state(make_alloc("a", "n1"), nodes=[make_node("n1", eligibility="ineligible")])

    assert judge_node(state, make_plan(make_alloc("a", "n1", 99)), "n1", profile=NOMAD_2_0).fits


def test_what_is_written_of_an_allocation_that_has_ended_counts_as_new() -> None:
    """PLAN-51: so a node that is not eligible refuses it."""
    ended = make_alloc("a", "n1", client_status="failed")
    state = make_state(ended, nodes=[make_node("n1", eligibility="ineligible")])

    assert "node is not eligible" == judge_node(state, make_plan(ended), "n1", profile=NOMAD_2_0).reason


@pytest.mark.parametrize(("status", "eligibility"), [("ready", "ineligible"), ("down", "eligible")])
def test_what_is_only_noted_of_what_has_ended_was_meant_to_be_taken(status: str, eligibility: str) -> None:
    """X-56: but nothing new goes with it."""
    ended = make_alloc("a", "n1", client_status="failed")
    state = make_state(ended, nodes=[make_node("n1", status=status, eligibility=eligibility)])
    new = make_plan(ended, make_alloc("b", "n1"))

    assert judge_node(state, make_plan(ended), "n1", profile=INTENDED).fits
    assert not judge_node(state, make_plan(ended), "n1", profile=NOMAD_2_0).fits
    assert not judge_node(state, new, "n1", profile=INTENDED).fits


def test_one_new_placement_brings_the_check_of_all() -> None:
    state = make_state(make_alloc("a", "n1"))

    assert not judge_node(
        state, make_plan(make_alloc("a", "n1", 10), make_alloc("b", "n1")), "n1", profile=NOMAD_2_0
    ).fits


@pytest.mark.parametrize(
    ("stored", "plan", "fits"),
    [
        (make_alloc("a", "n1"), make_plan(make_alloc("b", "n1", 10)), False),
        (make_alloc("a", "n1", desired_status="stop"), make_plan(make_alloc("b", "n1", 10)), True),
        (make_alloc("a", "n1", client_status="unknown"), make_plan(make_alloc("b", "n1", 10)), False),
        (make_alloc("a", "n1"), make_plan(make_alloc("b", "n1", 10), stops=[make_alloc("a", "n1")]), True),
        (make_alloc("a", "n1"), make_plan(make_alloc("b", "n1", 10), preempts=[make_alloc("a", "n1")]), True),
        (make_alloc("a", "n1", 9), make_plan(make_alloc("a", "n1", 2), make_alloc("b", "n1", 8)), True),
    ],
    ids=["taken", "told to stop", "unknown", "stopped by the plan", "preempted", "replaced"],
)
def test_what_goes_makes_room(stored: Allocation, plan: Plan, fits: bool) -> None:
    """PLAN-53: an allocation that was told to stop does not count, even while it runs."""
    assert fits == judge_node(make_state(stored), plan, "n1", profile=NOMAD_2_0).fits
