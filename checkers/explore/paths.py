"""Which worlds an endless path can end in, by plain walks over the kept steps."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from nomadspec.checkers.native.edges import Edges


class Paths(Protocol):
    """Who walks over the steps of a graph."""

    def list_lingering(self, is_fair: Iterable[bool]) -> Sequence[int]:
        """List the worlds from which no fair instance leads away, given which instances are fair."""
        ...

    def list_cyclic(self) -> Sequence[int]:
        """List the worlds on or behind a cycle."""
        ...


class PlainPaths:
    """The walks in Python."""

    def __init__(self, edges: Edges) -> None:
        """Take the steps."""
        self._edges = edges

    def list_lingering(self, is_fair: Iterable[bool]) -> list[int]:
        """List the worlds from which no fair instance leads away, given which instances are fair."""
        fair, edges = list(is_fair), self._edges
        worlds = range(len(edges.ends))
        return [
            world for world in worlds if not any(fair[edges.positions[place]] for place in edges.span(world))
        ]

    def list_cyclic(self) -> list[int]:
        """List the worlds on or behind a cycle: those that no order exhausts."""
        edges = self._edges
        count = len(edges.ends)
        awaited = array("I", bytes(4 * count))
        begin = 0
        for end in edges.ends:
            for target in edges.targets[begin:end]:
                awaited[target] += 1
            begin = end
        free = [world for world in range(count) if not awaited[world]]
        while free:
            world = free.pop()
            for target in edges.targets[edges.span(world).start : edges.span(world).stop]:
                awaited[target] -= 1
                if not awaited[target]:
                    free.append(target)
        return [world for world in range(count) if awaited[world]]
