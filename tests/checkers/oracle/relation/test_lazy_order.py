"""An order is decided place by place, and stays as it was decided."""

from collections.abc import Sequence

from nomadspec.checkers.oracle.relation.lazy_order import LazyOrder
from nomadspec.model.cluster.entities import Node
from tests.model.cluster.scheduler.made import make_node


def test_places_are_decided_when_they_are_looked_at() -> None:
    asked: list[int] = []

    def choose(place: int, left: Sequence[Node]) -> Node:
        asked.append(place)
        return left[-1]

    order = LazyOrder([make_node("a"), make_node("b"), make_node("c")], choose)

    assert len(order) == 3
    assert order[1].id == "b"
    assert asked == [0, 1]
    assert [node.id for node in order[:]] == ["c", "b", "a"]
    assert asked == [0, 1, 2]
