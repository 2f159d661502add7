"""Which steps disturb which: found once for a scope, as masks of instances.

Two steps are independent where neither writes what the other reads or writes, or where their guards never
hold together: then neither can happen while the other is about to.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from nomadspec.checkers.explore.partial_order.choices import can_write, find_admitted, find_demands
from nomadspec.checkers.explore.partial_order.footprints import Footprint, find_users

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nomadspec.checkers.explore.partial_order.facts import Facts
    from nomadspec.model.language.term import Term


class Relations:
    """Who disturbs whom, and who can make a flag true."""

    def __init__(self, facts: Facts, footprints: Sequence[Footprint]) -> None:
        """Compare footprints and guards."""
        self._facts = facts
        self._readers, self._writers = find_users(footprints, len(facts.cells))
        apart = _find_apart(facts)
        self.disturbing = tuple(
            self._find_clashes(footprint) & ~apart[at] & ~(1 << at) for at, footprint in enumerate(footprints)
        )
        """For each instance those that it disturbs or that disturb it, though both may be possible."""
        self._enablers: dict[int, int] = {}

    def find_enablers(self, flag: Term) -> int:
        """Find the instances that can make a flag of a guard true where it is false."""
        known = self._enablers.get(flag.id)
        if known is None:
            known = self._enablers[flag.id] = self._list_enablers(flag)
        return known

    def _find_clashes(self, footprint: Footprint) -> int:
        found = 0
        for cell in footprint.writes:
            found |= self._readers[cell] | self._writers[cell]
        for cell in footprint.reads:
            found |= self._writers[cell]
        return found

    def _list_enablers(self, flag: Term) -> int:
        found = 0
        for cell in flag.reads:
            found |= self._writers[cell]
        if len(flag.reads) > 1:
            return found
        (cell,) = flag.reads
        wanted = find_admitted(flag, cell, self._facts)
        if wanted is None:
            return found
        for at, traced in enumerate(self._facts.traced):
            if found >> at & 1 and cell in traced.writes and not can_write(traced.writes[cell], cell, wanted):
                found &= ~(1 << at)
        return found


def _find_apart(facts: Facts) -> list[int]:
    """Find for each instance those that are never possible in the same world: they want other values."""
    demands = [find_demands(traced, facts) for traced in facts.traced]
    alike: dict[int, dict[frozenset[int], int]] = {}
    for at, wanted in enumerate(demands):
        for cell, values in wanted.items():
            groups = alike.setdefault(cell, {})
            groups[values] = groups.get(values, 0) | 1 << at
    apart = []
    for wanted in demands:
        found = 0
        for cell, values in wanted.items():
            for others, members in alike[cell].items():
                found |= members if values.isdisjoint(others) else 0
        apart.append(found)
    return apart
