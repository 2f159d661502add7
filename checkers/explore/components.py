"""Strongly connected components: where a path can go round for ever.

Tarjan's algorithm without recursion, so that a long path is no trouble.
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from nomadspec.checkers.native.edges import Edges


class Components:
    """Finds components in parts of one graph, again and again in the same arrays."""

    def __init__(self, edges: Edges) -> None:
        """Take the steps; room for every world is made once somebody asks, for most graphs have no cycle."""
        self._edges = edges
        self._is_member = bytearray()
        self._is_open = bytearray()
        self._order = array("I")
        self._lowest = array("I")

    def find(self, members: Iterable[int]) -> list[list[int]]:
        """List the components of two or more worlds among the members, each in the order of numbers."""
        chosen = list(members)
        if chosen and not self._is_member:
            self._make_room(len(self._edges.ends))
        for world in chosen:
            self._is_member[world] = 1
            self._order[world] = 0
        found = [component for root in chosen if not self._order[root] for component in self._visit(root)]
        for world in chosen:
            self._is_member[world] = 0
        return found

    def _make_room(self, count: int) -> None:
        self._is_member, self._is_open = bytearray(count), bytearray(count)
        self._order, self._lowest = array("I", bytes(4 * count)), array("I", bytes(4 * count))

    def _visit(self, root: int) -> Iterator[list[int]]:
        order, lowest, is_open = self._order, self._lowest, self._is_open
        seen = 0
        waiting: list[int] = []
        path: list[tuple[int, Iterator[int]]] = []
        fresh: int | None = root
        while fresh is not None or path:
            if fresh is not None:
                seen += 1
                order[fresh] = lowest[fresh] = seen
                is_open[fresh] = 1
                waiting.append(fresh)
                path.append((fresh, iter(self._edges.span(fresh))))
            world, places = path[-1]
            fresh = self._find_fresh(world, places)
            if fresh is None:
                path.pop()
                if path:
                    above = path[-1][0]
                    lowest[above] = min(lowest[above], lowest[world])
                if lowest[world] == order[world]:
                    component = self._close(waiting, world)
                    if len(component) > 1:
                        yield component

    def _find_fresh(self, world: int, places: Iterator[int]) -> int | None:
        """Find the next world after this one that was not visited, noting the visited ones on the way."""
        targets, order = self._edges.targets, self._order
        for place in places:
            target = targets[place]
            if self._is_member[target]:
                if not order[target]:
                    return target
                if self._is_open[target] and order[target] < self._lowest[world]:
                    self._lowest[world] = order[target]
        return None

    def _close(self, waiting: list[int], root: int) -> list[int]:
        """Take the component that ends at its root from the stack of open worlds."""
        at = len(waiting) - 1
        while waiting[at] != root:
            at -= 1
        component = sorted(waiting[at:])
        del waiting[at:]
        for world in component:
            self._is_open[world] = 0
        return component
