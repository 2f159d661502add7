"""Nodes are suggested for the places where the searches that show them met them."""

from nomadspec.checkers.oracle.relation.windows import suggest_places
from nomadspec.model.cluster.entities import Allocation, AllocMetric, NodeScoreMeta
from tests.model.cluster.scheduler.made import make_node

NODES = [make_node(name) for name in "abcdef"]


def make_placed(node_id: str, visited: int, **scores: float) -> Allocation:
    shown = tuple(NodeScoreMeta(node_id=name, norm_score=score) for name, score in scores.items())
    return Allocation(node_id=node_id, metrics=AllocMetric(nodes_evaluated=visited, score_meta_data=shown))


def test_each_search_begins_where_the_one_before_ended() -> None:
    """RANK-07."""
    placed = [make_placed("a", 2, a=0.9, b=0.5), make_placed("d", 2, d=0.8, c=0.1)]

    assert suggest_places(NODES, placed) == {0: "a", 1: "b", 2: "d", 3: "c"}


def test_a_node_of_two_searches_stands_where_they_meet() -> None:
    """RANK-07: the second search comes round to the first place again."""
    placed = [make_placed("a", 4, a=0.9, b=0.5), make_placed("a", 4, a=0.8, e=0.1)]

    places = {node: place for place, node in suggest_places(NODES, placed).items()}

    assert places["a"] in {0, 1}
    assert places["e"] in {4, 5, 0, 1}


def test_of_all_nodes_only_the_first_of_equals_has_a_place() -> None:
    """RANK-20."""
    whole = make_placed("c", 6, c=0.9, b=0.9, a=0.1)

    assert suggest_places(NODES, [whole]) == {0: "c"}
    assert suggest_places(NODES, [make_placed("c", 6, c=0.9, b=0.8)]) == {}


def test_what_was_not_placed_moves_nothing() -> None:
    assert suggest_places(NODES, [None, make_placed("a", 1, a=0.5)]) == {0: "a"}
