"""Steps in arrays."""

from nomadspec.checkers.native.edges import Edges
from tests.checkers.explore.graphs import make_edges


def test_the_steps_of_each_world_lie_together() -> None:
    edges = make_edges({0: [1, 2], 2: [0]}, 3)

    assert [[1, 2], [], [0]] == [[edges.targets[place] for place in edges.span(world)] for world in range(3)]


def test_positions_are_narrow_where_they_can_be() -> None:
    assert [2, 2, 4] == [Edges(count).positions.itemsize for count in (1, 1 << 16, (1 << 16) + 1)]
