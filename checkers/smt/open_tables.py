"""Tables and totals of an open world, as rules and properties see them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Never

from nomadspec.checkers.smt.sums import Tally
from nomadspec.model.errors import StyleError
from nomadspec.model.language.logic import Value

if TYPE_CHECKING:
    from nomadspec.checkers.smt.open_sets import OpenSets
    from nomadspec.checkers.smt.state import Function
    from nomadspec.checkers.smt.update import Keys
    from nomadspec.model.language.domain import Domain
    from nomadspec.model.language.sets import Ids
    from nomadspec.model.language.world import Total, World


class OpenRow:
    """A table, or the part of one below a partial index; it is read with ``table[i, j]``."""

    __slots__ = ("_domain", "_function", "_index", "_prefix", "_sets", "held")

    def __init__(
        self,
        sets: OpenSets,
        index: tuple[Ids, ...],
        domain: Domain,
        function: Function,
        prefix: Keys = (),
        held: Callable[[], Function] | None = None,
    ) -> None:
        """Keep the function of the whole table, and the ids that are given already."""
        self.held = held
        """For a whole table whose cells are counted, the function of the total."""
        self._sets = sets
        self._index = index
        self._domain = domain
        self._function = function
        self._prefix = prefix

    @property
    def rest(self) -> tuple[Ids, ...]:
        """The sets over which it is a table."""
        return self._index[len(self._prefix) :]

    def __getitem__(self, key: Keys | Value) -> Value:
        """Read a cell, or the row below a partial index."""
        keys = (*self._prefix, *(key if isinstance(key, tuple) else (key,)))
        if len(keys) < len(self._index):
            return OpenRow(self._sets, self._index, self._domain, self._function, keys)
        return self._sets.look_up(self._index, self._function, keys, lowest_of(self._domain))

    def __iter__(self) -> Never:
        """Refuse: a table is visited through its sets."""
        raise StyleError("A table is visited through its sets: write for i in s.set, and index it.")

    def value_at(self, *rest: Value) -> Value:
        """Read a cell of the row for a copy of it."""
        lowest = lowest_of(self._domain)
        return self._sets.look_up(self._index, self._function, self._prefix, lowest, rest)


class OpenWriter:
    """A table of the world after the step: it is only assigned to."""

    __slots__ = ("_assign",)

    def __init__(self, assign: Callable[[Keys, Value], None]) -> None:
        """Keep who writes the field."""
        self._assign = assign

    def __setitem__(self, key: Keys | Value, value: Value) -> None:
        """Assign to a cell, or to every cell below a partial index."""
        self._assign(key if isinstance(key, tuple) else (key,), value)


class OpenSums:
    """How many cells of a field hold an id, as the ghost that the engine carries along."""

    __slots__ = ("_holders", "_sets", "_tally")

    def __init__(self, sets: OpenSets, declared: Total, world: World) -> None:
        """Keep the function of the total, and that of the cells that are counted."""
        self._sets = sets
        self._holders = declared.members
        counted = tuple((ids, sets.length(ids)) for ids in declared.of.index)
        fields, totals = world.cells.fields, world.cells.totals
        self._tally = Tally(declared.name, counted, fields[declared.of.name], totals[declared.name])

    def __getitem__(self, member: Value) -> Value:
        """Count the cells that hold the id; none holds NONE."""
        if any(size == 0 for _, size in self._tally.sets if isinstance(size, int)):
            return 0
        if self._sets.is_open(self._holders):
            self._sets.binder.note_total(self._tally, self._holders, self._sets.length(self._holders))
        return self._sets.look_up((self._holders,), self._tally.held, (member,), 0)


def lowest_of(domain: Domain) -> Value:
    """Give what a read at NONE gives."""
    return False if domain.is_flag else domain.low
