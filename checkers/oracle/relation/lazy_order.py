"""An order of nodes that is decided place by place, when a place is first looked at."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import overload

from nomadspec.model.cluster.entities import Node

Choose = Callable[[int, Sequence[Node]], Node]
"""Chooses the node of a place among those that have none yet."""


class LazyOrder(Sequence[Node]):
    """Nodes in an order that becomes known while they are visited."""

    def __init__(self, nodes: Sequence[Node], choose: Choose) -> None:
        """Begin with no place decided."""
        self._left = list(nodes)
        self._fixed: list[Node] = []
        self._choose = choose

    def __len__(self) -> int:
        return len(self._left) + len(self._fixed)

    @overload
    def __getitem__(self, place: int) -> Node: ...

    @overload
    def __getitem__(self, place: slice) -> Sequence[Node]: ...

    def __getitem__(self, place: int | slice) -> Node | Sequence[Node]:
        if isinstance(place, slice):
            return [self[each] for each in range(*place.indices(len(self)))]
        while len(self._fixed) <= place:
            node = self._choose(len(self._fixed), self._left)
            self._left.remove(node)
            self._fixed.append(node)
        return self._fixed[place]
