"""A run follows what was recorded, and gives up where it no longer can."""

import pytest

from nomadspec.checkers.oracle.relation.decision_tree import Backtrack, Script
from nomadspec.checkers.oracle.relation.maps import MapOrders
from nomadspec.checkers.oracle.relation.pursuit import Knowledge, Pursuit, explain
from nomadspec.model.cluster.entities import (
    AllocatedPort,
    AllocatedResources,
    AllocatedShared,
    AllocMetric,
    NodeScoreMeta,
    Plan,
)
from nomadspec.model.cluster.scheduler.choices import IdKind
from nomadspec.model.cluster.scheduler.reasons import Exhausted, Filtered, Requested, Scored
from tests.model.cluster.scheduler.made import make_alloc, make_job, make_node

PLACED = make_alloc(
    "x",
    create_index=0,
    node_id="b",
    metrics=AllocMetric(nodes_evaluated=1, score_meta_data=(NodeScoreMeta(node_id="b", norm_score=0.5),)),
    allocated_resources=AllocatedResources(
        shared=AllocatedShared(ports=(AllocatedPort(label="http", value=22, host_ip="10.0.0.1"),))
    ),
)
REQUEST = Requested(group="web", alloc_name="j.web[0]")
SCORED = Scored(node_id="b", scores={}, norm_score=0.5)


def make_pursuit(knowledge: Knowledge | None = None) -> Pursuit:
    plan = Plan(job=make_job(), node_allocation={"b": (PLACED,)})
    return Pursuit([plan], Script(), knowledge or Knowledge(), MapOrders(), may_evict=False)


def begin(pursuit: Pursuit) -> Pursuit:
    pursuit.note_requests([REQUEST])
    pursuit.begin_request(REQUEST)
    return pursuit


def test_the_recorded_node_is_visited() -> None:
    pursuit = make_pursuit()
    pursuit.note_requests([REQUEST])
    order = pursuit.next_node_order([make_node("a"), make_node("b"), make_node("c")])
    pursuit.begin_request(REQUEST)

    assert order[0].id == "b"


def test_a_search_as_recorded_goes_on() -> None:
    pursuit = begin(make_pursuit())
    pursuit.note_visit(SCORED)
    pursuit.end_selection("web", "j.web[0]", "b")
    pursuit.end_turn()

    assert pursuit.next_id(IdKind.ALLOCATION)


def test_another_visit_is_given_up() -> None:
    with pytest.raises(Backtrack):
        begin(make_pursuit()).note_visit(Filtered(node_id="a", rule="FEAS-26", text="missing drivers"))


@pytest.mark.parametrize(("chosen", "winners"), [("a", {(0, "j.web[0]"): {"a"}}), ("b", {})])
def test_another_end_is_given_up(chosen: str, winners: dict[tuple[int, str], set[str]]) -> None:
    knowledge = Knowledge()

    with pytest.raises(Backtrack):
        begin(make_pursuit(knowledge=knowledge)).end_selection("web", "j.web[0]", chosen)
    assert knowledge.winners == winners


def test_a_placement_that_was_not_recorded_is_given_up() -> None:
    pursuit, other = make_pursuit(), Requested(group="api", alloc_name="j.api[0]")
    pursuit.note_requests([other])
    pursuit.begin_request(other)

    pursuit.end_selection("api", "j.api[0]", "")
    with pytest.raises(Backtrack):
        pursuit.end_selection("api", "j.api[0]", "a")


def test_where_others_may_be_evicted_a_first_search_may_fail_otherwise() -> None:
    """RANK-14."""
    plan = Plan(job=make_job(), node_allocation={"b": (PLACED,)})
    pursuit = begin(Pursuit([plan], Script(), Knowledge(), MapOrders()))
    pursuit.note_visit(Exhausted(node_id="b", rule="RANK-30", dimension="memory"))
    pursuit.end_selection("web", "j.web[0]", "")
    pursuit.note_visit(SCORED)
    pursuit.end_selection("web", "j.web[0]", "b", may_preempt=True)

    with pytest.raises(Backtrack):
        pursuit.note_visit(SCORED)


def test_a_run_can_be_given_up() -> None:
    with pytest.raises(Backtrack):
        make_pursuit().give_up()


@pytest.mark.parametrize(
    ("visit", "rule", "word"),
    [
        (SCORED, "RANK-20", "scored 0.5, outscored by a"),
        (Filtered(node_id="b", rule="FEAS-26", text="missing drivers"), "FEAS-26", "infeasible"),
        (Exhausted(node_id="b", rule="RANK-30", dimension="memory"), "RANK-30", "no room"),
        (None, "RANK-20", "not taken"),
    ],
    ids=range(4),
)
def test_what_was_met_is_explained(visit: Scored | Filtered | Exhausted | None, rule: str, word: str) -> None:
    knowledge = Knowledge(winners={(0, PLACED.name): {"a"}})
    if visit is not None:
        knowledge.met[0, PLACED.name, "b"] = visit

    told = explain(knowledge, 0, PLACED)

    assert rule == told[0]
    assert told[1].startswith(word)
