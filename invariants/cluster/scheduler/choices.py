"""Choices that nothing but the order of names decides."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice

from nomadspec.model.cluster.entities import Node
from nomadspec.model.cluster.resources.port_offer import FreePorts
from nomadspec.model.cluster.scheduler.choices import FreeChoices, Key


class SortedChoices(FreeChoices):
    """Visits everything by its name, from the least; takes the lowest ports; makes IDs by their number."""

    def __init__(self, seed: int, *, is_descending: bool = False) -> None:
        """Begin with a seed, which only IDs depend on; names may also be visited from the greatest."""
        super().__init__(seed)
        self._is_descending = is_descending

    def next_node_order(self, candidates: Sequence[Node]) -> tuple[Node, ...]:
        """Sort the candidates by their IDs."""
        return tuple(sorted(candidates, key=lambda node: node.id, reverse=self._is_descending))

    def ordered(self, keys: Iterable[Key]) -> list[Key]:
        """Sort the keys."""
        return sorted(keys, reverse=self._is_descending)

    def pick_ports(self, free: FreePorts, count: int) -> tuple[int, ...] | None:
        """Pick the lowest ports."""
        ports = tuple(islice(free, count))
        return ports if len(ports) == count else None
