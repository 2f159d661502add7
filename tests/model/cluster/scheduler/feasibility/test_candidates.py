"""The nodes that a job may use."""

from typing import Any

import pytest

from nomadspec.model.cluster.entities import DrainStrategy
from nomadspec.model.cluster.scheduler.feasibility.candidates import find_candidates
from tests.model.cluster.scheduler.made import make_job, make_node, make_snapshot


@pytest.mark.parametrize(
    "fields",
    [{"status": "down"}, {"scheduling_eligibility": "ineligible"}, {"drain_strategy": DrainStrategy()}],
)
def test_only_ready_nodes_are_candidates(fields: dict[str, Any]) -> None:
    """FEAS-06, FEAS-09."""
    found = find_candidates(make_snapshot(make_node(), make_node("n2", **fields)), make_job())

    assert ["n1"] == [node.id for node in found.nodes]
    assert frozenset({"n2"}) == found.not_ready


@pytest.mark.parametrize(
    ("pool", "ids"), [("default", ["n1"]), ("gpu", ["n2"]), ("all", ["n1", "n2"]), ("", ["n1", "n2"])]
)
def test_a_pool_is_that_of_the_job_or_all(pool: str, ids: list[str]) -> None:
    """FEAS-07, FEAS-10."""
    snapshot = make_snapshot(make_node("n2", node_pool="gpu"), make_node())

    assert ids == [node.id for node in find_candidates(snapshot, make_job(node_pool=pool)).nodes]


@pytest.mark.parametrize(
    ("pattern", "ids"),
    [
        ("dc1", ["n1"]),
        ("dc*", ["n1", "n2"]),
        ("*dc1", ["n1", "n3"]),
        ("*", ["n1", "n2", "n3", "n4"]),
        ("d*1", ["n1"]),
        ("", ["n4"]),
        ("DC1", []),
        ("dc.", []),
    ],
)
def test_only_a_star_is_special_in_a_datacenter(pattern: str, ids: list[str]) -> None:
    """FEAS-08."""
    places = ("dc1", "dc10", "east-dc1", "")
    nodes = [make_node(f"n{number}", datacenter=place) for number, place in enumerate(places, 1)]

    assert ids == [
        node.id for node in find_candidates(make_snapshot(*nodes), make_job(datacenters=(pattern,))).nodes
    ]


def test_candidates_are_counted_by_their_datacenter() -> None:
    """FEAS-09."""
    nodes = [
        make_node("n1", datacenter="a1"),
        make_node("n2", datacenter="a2"),
        make_node("n3", datacenter="a2"),
        make_node("n4", datacenter="a3", status="down"),
        make_node("n5", datacenter="b", status="down"),
        make_node("n6", node_pool="gpu", status="down"),
    ]

    found = find_candidates(make_snapshot(*nodes), make_job(datacenters=("a*",)))

    assert {"a1": 1, "a2": 2} == found.by_datacenter
    assert frozenset({"n4", "n5"}) == found.not_ready
