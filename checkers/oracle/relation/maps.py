"""The orders in which one run visits its maps: sorted, but for those visits of which it is told otherwise."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise, permutations
from typing import Any, Final, NamedTuple

import xxhash

from nomadspec.model.cluster.scheduler.choices import Key

MOST_PERMUTED: Final = 4
"""Of maps with more keys than this only some orders are tried."""
_MOST_SWAPPED: Final = 12


class MapVisit(NamedTuple):
    """One visit of a map with several keys: in which attempt, of which keys, and for the how many-th time."""

    turn: int
    keys: tuple[Any, ...]
    number: int


Told = Mapping[MapVisit, tuple[Any, ...]]
"""Visits with the order in which they are made."""


@dataclass(slots=True)
class MapOrders:
    """Orders maps for one run, and keeps what was visited."""

    is_descending: bool = False
    seed: int | None = None
    """Shuffles all that nothing is told of; None sorts."""
    told: Told = field(default_factory=dict)
    idle: frozenset[str] = frozenset()
    """Allocations whose order on a node decides nothing."""
    used: dict[MapVisit, tuple[Any, ...]] = field(default_factory=dict)
    """The visits that were made, and how."""
    _seen: Counter[Hashable] = field(default_factory=Counter)

    def again(self) -> MapOrders:
        """Give the same orders for another run."""
        return MapOrders(self.is_descending, self.seed, self.told, self.idle)

    def with_told(self, told: Told) -> MapOrders:
        """Give the same orders but for some visits."""
        return MapOrders(self.is_descending, self.seed, {**self.told, **told}, self.idle)

    def order(self, turn: int, keys: Iterable[Key], rank: Callable[[Key], int] = lambda _: 0) -> list[Key]:
        """Put the keys of a map into the order of this visit.

        Where it is not told, keys of least rank come first.
        """
        known = sorted(keys)
        if len(known) <= 1:
            return known
        place = turn, tuple(known)
        visit = MapVisit(*place, self._seen[place])
        self._seen[place] += 1
        ordered = self._order(visit, known, rank)
        self.used[visit] = tuple(ordered)
        return ordered

    def _order(self, visit: MapVisit, known: list[Key], rank: Callable[[Key], int]) -> list[Key]:
        if visit in self.told:
            return list(self.told[visit])
        if self.seed is not None:
            return sorted(known, key=lambda key: _digest(self.seed, visit, key))
        return sorted(known[::-1] if self.is_descending else known, key=rank)


def list_orders(visit: MapVisit) -> Iterator[tuple[Any, ...]]:
    """List orders of a map that differ as much as orders can: all of a small one."""
    keys = visit.keys
    if len(keys) <= MOST_PERMUTED:
        yield from permutations(keys)
        return
    yield keys
    yield keys[::-1]
    for left, right in list(pairwise(range(len(keys))))[:_MOST_SWAPPED]:
        yield (*keys[:left], keys[right], keys[left], *keys[right + 1 :])
    for key in keys[1:_MOST_SWAPPED]:
        yield (key, *(each for each in keys if each != key))


def _digest(seed: int | None, visit: MapVisit, key: object) -> int:
    place = visit.turn, visit.number, len(visit.keys)
    return xxhash.xxh3_64_intdigest(f"{seed} {place} {key}".encode())
