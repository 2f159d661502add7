"""What is known of all reachable worlds before any is visited: which values each cell can have at most.

The values of the initial worlds are there. A step that those values allow adds what it can write, and so on
until nothing is added. Each cell is followed by itself, so that more is thought possible than is; but what is
never possible falls away: rules that never happen in a scope, parts of guards that are always true, cells
that nobody changes. What steps read and write then is much less than what their text names.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from nomadspec.checkers.explore.partial_order.places import number_places
from nomadspec.checkers.explore.partial_order.ranges import FALSE, MOST_VALUES, Ranges, Values
from nomadspec.checkers.explore.partial_order.simplify import Simplifier
from nomadspec.model.language.term import Term

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from nomadspec.model.language.bounded import BoundedModel
    from nomadspec.model.language.logic import Value
    from nomadspec.model.language.trace import TracedInstance


_MOST_KEPT: Final = 4
"""The facts of so many models are kept: a search often asks for those of the search before it."""


@dataclass(frozen=True, slots=True)
class Facts:
    """A bounded model with the values that its cells can have, and its steps as simple as that makes them."""

    bounded: BoundedModel
    cells: tuple[Values, ...]
    traced: tuple[TracedInstance, ...]
    possible: tuple[bool, ...]
    """Whether each instance can happen at all."""
    _simplifiers: dict[int, Simplifier] = field(default_factory=dict)

    def simplify(self, value: Value) -> Value:
        """Give a value that is the same in all reachable worlds."""
        return self.simplify_before(-1, value)

    def simplify_before(self, at: int, value: Value) -> Value:
        """Give a value that is the same where an instance is possible."""
        if at not in self._simplifiers:
            within = self.cells if at < 0 else _restrict(self.bounded.traced[at], self.cells)
            self._simplifiers[at] = Simplifier(Ranges(within or self.cells))
        return self._simplifiers[at].simplify(value)


def take_as_written(bounded: BoundedModel) -> Facts:
    """Think everything possible that the domains of the cells admit."""
    cells = tuple(
        frozenset(range(int(one.low), int(one.high) + 1)) if one.high - one.low < MOST_VALUES else None
        for one in bounded.frame.intervals
    )
    return Facts(bounded, cells, bounded.traced, (True,) * len(bounded.traced))


@lru_cache(_MOST_KEPT)
def find_facts(bounded: BoundedModel, *, is_renamed: bool = False) -> Facts:
    """Find the values that cells can have at most, and simplify the steps by them.

    Where worlds stand for those that differ by names, what is possible for one name is for all.
    """
    cells = _Follower(bounded, is_renamed=is_renamed).follow()
    traced, possible = [], []
    for one in bounded.traced:
        within = _restrict(one, cells)
        possible.append(within is not None)
        traced.append(replace(one, guard=(), writes={}) if within is None else _simplify(one, cells, within))
    return Facts(bounded, tuple(cells), tuple(traced), tuple(possible))


class _Follower:
    """Lets all possible steps add what they write until nothing is added."""

    def __init__(self, bounded: BoundedModel, *, is_renamed: bool) -> None:
        self._bounded = bounded
        self._is_renamed = is_renamed
        self._places = number_places(bounded, is_renamed=is_renamed)
        self._alike: dict[int, list[int]] = defaultdict(list)
        for cell, place in enumerate(self._places):
            self._alike[place].append(cell)
        self._cells: list[Values] = [frozenset()] * len(self._places)
        self._users = _find_users(bounded)

    def follow(self) -> list[Values]:
        for cell, column in enumerate(zip(*self._bounded.initial, strict=True)):
            self._add(cell, frozenset(map(int, column)))
        waiting = dict.fromkeys(range(len(self._bounded.traced)))
        while waiting:
            at = next(iter(waiting))
            del waiting[at]
            for cell, values in _list_written(self._bounded, at, self._cells):
                waiting |= dict.fromkeys(self._add(cell, values))
        return self._cells

    def _add(self, cell: int, values: Values) -> list[int]:
        """Add values to a cell and those that are alike; list the instances that read one of them."""
        joined = _join(self._cells[cell], self._rename(cell, values))
        if joined == self._cells[cell]:
            return []
        alike = self._alike[self._places[cell]]
        for other in alike:
            self._cells[other] = joined
        return [at for other in alike for at in self._users.get(other, ())]

    def _rename(self, cell: int, values: Values) -> Values:
        """Add all names to one that may be exchanged."""
        interval = self._bounded.frame.intervals[cell]
        has_name = values is not None and self._is_renamed and self._bounded.cell_terms[cell].is_name
        if values is None or not has_name or max(values, default=-1) < 0:
            return values
        return values | frozenset(range(int(interval.high) + 1))


def _find_users(bounded: BoundedModel) -> Mapping[int, Sequence[int]]:
    """Find for each cell the instances that read it."""
    users: dict[int, list[int]] = defaultdict(list)
    for at, traced in enumerate(bounded.traced):
        values = [*traced.guard, *traced.writes.values()]
        for cell in frozenset[int]().union(*(one.reads for one in values if isinstance(one, Term))):
            users[cell].append(at)
    return users


def _join(known: Values, more: Values) -> Values:
    """Unite values; cells that come to many are not followed."""
    if known is None or more is None or len(known | more) > MOST_VALUES:
        return None
    return known | more


def _list_written(bounded: BoundedModel, at: int, cells: Sequence[Values]) -> list[tuple[int, Values]]:
    traced = bounded.traced[at]
    within = _restrict(traced, cells)
    if within is None:
        return []
    ranges = Ranges(within)
    return [(cell, _clip(bounded, cell, ranges.find(value))) for cell, value in traced.writes.items()]


def _clip(bounded: BoundedModel, cell: int, values: Values) -> Values:
    """Leave out what would be a fault."""
    interval = bounded.frame.intervals[cell]
    if values is None:
        return None
    return frozenset(value for value in values if interval.low <= value <= interval.high)


def _restrict(traced: TracedInstance, cells: Sequence[Values]) -> list[Values] | None:
    """Keep the values with which an instance is possible; None where there are none."""
    within = list(cells)
    for flag in traced.guard:
        if len(flag.reads) == 1:
            (cell,) = flag.reads
            values = within[cell]
            if values is not None:
                within[cell] = frozenset(value for value in values if _holds(flag, cell, value, within))
                if not within[cell]:
                    return None
    ranges = Ranges(within)
    return None if any(ranges.find(flag) == FALSE for flag in traced.guard) else within


def _holds(flag: Term, cell: int, value: int, cells: list[Values]) -> bool:
    single = list(cells)
    single[cell] = frozenset((value,))
    return Ranges(single).find(flag) != FALSE


def _simplify(traced: TracedInstance, cells: Sequence[Values], within: Sequence[Values]) -> TracedInstance:
    """Leave out what is true anyway, and writes that change nothing."""
    alone, inside = Simplifier(Ranges(cells)), Simplifier(Ranges(within))
    guard: dict[int, Term] = {}
    for flag in traced.guard:
        value = (alone if len(flag.reads) == 1 else inside).simplify(flag)
        parts = value.args if isinstance(value, Term) and value.op == "and" else (value,)
        guard |= {part.id: part for part in parts if isinstance(part, Term)}
    writes = {}
    for cell, written in traced.writes.items():
        value, before = inside.simplify(written), within[cell]
        is_kept = isinstance(value, Term) and value.op == "cell" and cell in value.reads
        if not is_kept and (isinstance(value, Term) or before != frozenset((int(value),))):
            writes[cell] = value
    return replace(traced, guard=tuple(guard.values()), writes=writes)
