"""Recorded metrics tell which visits may follow, and how a search may end."""

import pytest

from nomadspec.checkers.oracle.relation.expected import Expected, find_of_node, list_new, pair_requests
from nomadspec.model.cluster.entities import AllocDeploymentStatus, AllocMetric, NodeScoreMeta, Plan
from nomadspec.model.cluster.scheduler.reasons import Dropped, Exhausted, Filtered, Requested, Scored, Visit
from tests.model.cluster.scheduler.made import make_alloc

FILTERED = Filtered(node_id="f", rule="FEAS-26", text="missing drivers")
FULL = Exhausted(node_id="x", rule="RANK-30", dimension="memory")
METRICS = AllocMetric(
    nodes_evaluated=4,
    nodes_filtered=1,
    nodes_exhausted=1,
    constraint_filtered={"missing drivers": 1},
    dimension_exhausted={"memory": 1},
    class_filtered={"big": 1},
    score_meta_data=(NodeScoreMeta(node_id="a", norm_score=0.5), NodeScoreMeta(node_id="b", norm_score=0.25)),
)


def make_scored(node_id: str, score: float) -> Scored:
    return Scored(node_id=node_id, scores={}, norm_score=score)


def expect() -> Expected:
    return Expected.of(make_alloc(node_id="a", metrics=METRICS))


def test_a_search_as_recorded_is_admitted() -> None:
    """FEAS-86."""
    expected = expect()
    visits: list[Visit] = [FILTERED, FULL, make_scored("b", 0.25), make_scored("a", 0.5)]

    assert expected.unscored_left == 2
    assert all(expected.admits(visit, "big" if visit is FILTERED else "") for visit in visits)
    assert expected.unscored_left == 0
    assert expected.admits_end("a")
    assert not expected.admits_end("b")


@pytest.mark.parametrize(
    ("visits", "node_class"),
    [
        ([FILTERED, FILTERED], ""),
        ([FULL, FULL], ""),
        ([FILTERED], "small"),
        ([make_scored("a", 0.4)], ""),
        ([make_scored("c", 0.1)], ""),
        ([Dropped(node_id=name, rule="NET-09") for name in "12345"], ""),
    ],
    ids=range(6),
)
def test_what_was_not_counted_is_not_admitted(visits: list[Visit], node_class: str) -> None:
    """FEAS-86."""
    expected = expect()

    assert not all(expected.admits(visit, node_class) for visit in visits)


def test_a_search_that_missed_a_node_may_not_end() -> None:
    expected = expect()
    for name in "1234":
        expected.admits(Dropped(node_id=name, rule="NET-09"), "")

    assert not expected.admits_end("a")


def test_who_may_be_visited_next_depends_on_what_is_left() -> None:
    expected = expect()

    assert expected.has_room_for("big")
    assert expected.has_room_for("")
    assert not expected.has_room_for("small")
    assert not expected.may_follow(make_scored("a", 0.5), "")
    assert expected.may_follow(FILTERED, "big")
    assert not expected.may_follow(FILTERED, "small")
    assert expected.may_follow(Dropped(node_id="d", rule="NET-09"), "")


def test_requests_are_paired_by_what_they_ask_for() -> None:
    canary = make_alloc("c", create_index=0, deployment_status=AllocDeploymentStatus(canary=True))
    after = make_alloc("p", create_index=0, previous_allocation="old")
    other = make_alloc("o", create_index=0, name="j.web[7]")
    plan = Plan(node_allocation={"n1": (make_alloc("update"), canary, after, other)})

    def ask(name: str, previous: str = "", *, is_canary: bool = False) -> Requested:
        return Requested(group="web", alloc_name=name, previous=previous, is_canary=is_canary)

    requests = [ask("j.web[0]", "old"), ask("j.web[0]"), ask("j.web[0]", is_canary=True), ask("j.web[1]")]

    assert [alloc.id for alloc in list_new(plan)] == ["c", "p", "o"]
    paired = [alloc.id if alloc else None for alloc in pair_requests(requests, list_new(plan))]
    assert paired == ["p", "o", "c", None]


def test_a_request_for_one_node_is_found_on_it() -> None:
    plan = Plan(node_allocation={"n1": (make_alloc("x", create_index=0),)})

    def find(node_id: str) -> str | None:
        found = find_of_node(Requested(group="web", alloc_name="j.web[0]", node_id=node_id), plan)
        return found.id if found else None

    assert (find("n1"), find("n2")) == ("x", None)
