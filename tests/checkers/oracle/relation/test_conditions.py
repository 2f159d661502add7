"""What was recorded of a search is held against how every node would fare."""

from collections.abc import Mapping
from typing import Any

import pytest

from nomadspec.checkers.oracle.relation.conditions import find_breach
from nomadspec.checkers.oracle.relation.probing import Stretch
from nomadspec.model.cluster.entities import Allocation, AllocMetric, NodeScoreMeta
from nomadspec.model.cluster.scheduler.reasons import Dropped, Exhausted, Filtered, Scored, Visit
from tests.model.cluster.scheduler.made import make_node

NODES = [make_node(name, node_class="thin" if name == "c" else "") for name in "abcd"]
VERDICTS: Mapping[str, Visit] = {
    "a": Scored(node_id="a", scores={"binpack": 0.5}, norm_score=0.5),
    "b": Scored(node_id="b", scores={"binpack": 0.4}, norm_score=0.4),
    "c": Filtered(node_id="c", rule="FEAS-26", text="missing drivers"),
    "d": Exhausted(node_id="d", rule="RANK-30", dimension="memory"),
}
GOOD: dict[str, Any] = {
    "nodes_evaluated": 4,
    "nodes_filtered": 1,
    "nodes_exhausted": 1,
    "class_filtered": {"thin": 1},
    "constraint_filtered": {"missing drivers": 1},
    "dimension_exhausted": {"memory": 1},
    "score_meta_data": (
        NodeScoreMeta(node_id="a", scores={"binpack": 0.5}, norm_score=0.5),
        NodeScoreMeta(node_id="b", scores={"binpack": 0.4}, norm_score=0.4),
    ),
}


def make_stretch(node_id: str, **changed: Any) -> Stretch:
    metrics = AllocMetric(**{**GOOD, **changed})
    return Stretch("web", VERDICTS, Allocation(node_id=node_id, metrics=metrics), 2)


def test_what_can_be_is_no_breach() -> None:
    assert find_breach(make_stretch("a"), NODES) is None


@pytest.mark.parametrize(
    ("node_id", "rule", "reason"),
    [
        ("b", "RANK-20", "scored 0.4, outscored by a"),
        ("c", "FEAS-26", "infeasible: missing drivers"),
        ("d", "RANK-30", "no room: memory"),
        ("e", "RANK-20", "no candidate"),
    ],
)
def test_a_node_that_cannot_be_taken_is_a_breach(node_id: str, rule: str, reason: str) -> None:
    breach = find_breach(make_stretch(node_id), NODES)

    assert breach is not None
    assert (breach.rule, breach.reason) == (rule, reason)


@pytest.mark.parametrize(
    "changed",
    [
        {"nodes_evaluated": 5},
        {"nodes_evaluated": 3},
        {"nodes_filtered": 2, "constraint_filtered": {"missing drivers": 2}},
        {"nodes_filtered": 0},
        {"nodes_exhausted": 2},
        {"class_filtered": {"thin": 2}},
        {"class_filtered": {}},
        {"dimension_exhausted": {"disk": 1}},
        {"dimension_exhausted": {}},
        {"constraint_filtered": {}},
        {"score_meta_data": ()},
        {"score_meta_data": (NodeScoreMeta(node_id="a", scores={"binpack": 0.5}, norm_score=0.6),)},
        {"score_meta_data": (NodeScoreMeta(node_id="c", norm_score=0.6),)},
    ],
    ids=str,
)
def test_counts_that_do_not_add_up_are_a_breach(changed: dict[str, Any]) -> None:
    """FEAS-86, RANK-74."""
    assert find_breach(make_stretch("a", **changed), NODES) is not None


def test_a_node_that_leaves_no_trace_cannot_be_taken() -> None:
    stretch = make_stretch("a")
    dropped = {**VERDICTS, "a": Dropped(node_id="a", rule="NET-09")}

    breach = find_breach(Stretch("web", dropped, stretch.alloc, 2), NODES)

    assert breach is not None
    assert breach.rule == "NET-09"


def test_nothing_is_placed_where_nobody_can_take_it() -> None:
    full = {"d": VERDICTS["d"]}

    assert find_breach(Stretch("web", full), NODES) is None
    assert find_breach(Stretch("web", VERDICTS), NODES) is not None
    assert find_breach(Stretch("web", VERDICTS, is_aside=True), NODES) is None
