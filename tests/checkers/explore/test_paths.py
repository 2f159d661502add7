"""Walks over kept steps, on graphs small enough to see."""

from nomadspec.checkers.explore.paths import PlainPaths
from nomadspec.checkers.native.edges import Edges


def make_edges(steps: list[list[tuple[int, int]]]) -> Edges:
    edges = Edges(3)
    for after in steps:
        for target, position in after:
            edges.add(target, position)
        edges.close()
    return edges


def test_worlds_on_or_behind_a_cycle_are_listed() -> None:
    paths = PlainPaths(make_edges([[(1, 0)], [(2, 0)], [(1, 0), (3, 0)], [(4, 0)], [], [(4, 0)]]))

    assert [1, 2, 3, 4] == paths.list_cyclic()


def test_worlds_from_which_nothing_fair_leads_are_listed() -> None:
    paths = PlainPaths(make_edges([[(1, 0), (2, 2)], [(2, 0)], [(0, 1), (1, 2)], []]))

    assert [1, 3] == paths.list_lingering([False, True, True])
    assert [0, 1, 2, 3] == paths.list_lingering([False] * 3)
    assert [3] == paths.list_lingering([True] * 3)
