"""Nodes of which each is looked up when its place is visited."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import overload

from nomadspec.model.cluster.entities import Node


class Echo(Sequence[Node]):
    """Nodes of which each place is looked up when it is visited."""

    def __init__(self, nodes: Sequence[Node], find: Callable[[Node], Node]) -> None:
        """Take the nodes, and how the one to be visited in the place of another is found."""
        self._nodes = nodes
        self._find = find

    def __len__(self) -> int:
        return len(self._nodes)

    @overload
    def __getitem__(self, place: int) -> Node: ...

    @overload
    def __getitem__(self, place: slice) -> Sequence[Node]: ...

    def __getitem__(self, place: int | slice) -> Node | Sequence[Node]:
        if isinstance(place, slice):
            return [self._find(node) for node in self._nodes[place]]
        return self._find(self._nodes[place])
