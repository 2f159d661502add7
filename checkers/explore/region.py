"""Where an ``eventually`` is still owed: on paths that have met the premise and not yet the goal."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, Final

from nomadspec.checkers.explore.levels import list_levels

if TYPE_CHECKING:
    from collections.abc import Callable

    from nomadspec.checkers.explore.graph import Graph

_NOWHERE: Final = (1 << 32) - 1


class Region:
    """The worlds in which the goal is owed, nearest to an initial world first, with the way to each."""

    def __init__(
        self, graph: Graph, is_source: Callable[[int], bool], is_goal: Callable[[int], bool]
    ) -> None:
        """Walk level by level from the worlds where the premise holds, never into the goal."""
        self._explored = graph.explored
        count = len(self._explored.worlds)
        self.worlds: list[int] = []
        self._before = array("I", [_NOWHERE]) * count
        frontier: list[int] = []
        for level in list_levels(self._explored.parents):
            frontier = self._take(frontier, level, is_source, is_goal)
            frontier = self._spread(graph, frontier, is_goal)
        while frontier:
            self.worlds += frontier
            frontier = self._spread(graph, frontier, is_goal)

    def __contains__(self, world: int) -> bool:
        """True if the goal is owed in a world."""
        return self._before[world] != _NOWHERE

    def path_to(self, world: int) -> list[int]:
        """List the worlds from an initial one through one where the premise holds to a world."""
        path = [world]
        while self._before[path[-1]] != path[-1]:
            path.append(self._before[path[-1]])
        return [*self._explored.path_to(path[-1])[:-1], *path[::-1]]

    def _take(
        self,
        reached: list[int],
        level: range,
        is_source: Callable[[int], bool],
        is_goal: Callable[[int], bool],
    ) -> list[int]:
        """Add the worlds reached at a level, and those where the premise begins to hold there."""
        for world in level:
            if self._before[world] == _NOWHERE and is_source(world) and not is_goal(world):
                self._before[world] = world
                reached.append(world)
        self.worlds += reached
        return reached

    def _spread(self, graph: Graph, frontier: list[int], is_goal: Callable[[int], bool]) -> list[int]:
        found = []
        targets = graph.edges.targets
        for world in frontier:
            for place in graph.edges.span(world):
                target = targets[place]
                if self._before[target] == _NOWHERE and not is_goal(target):
                    self._before[target] = world
                    found.append(target)
        return found
