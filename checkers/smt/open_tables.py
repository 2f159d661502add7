"""Tables and totals of an open world, as rules and properties see them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Never

from nomadspec.checkers.smt.sums import Tally
from nomadspec.model.errors import StyleError
from nomadspec.model.language.logic import Value

if TYPE_CHECKING:
    from nomadspec.checkers.smt.open_frame import OpenFrame
    from nomadspec.checkers.smt.state import Function
    from nomadspec.checkers.smt.update import Keys
    from nomadspec.model.language.domain import Domain
    from nomadspec.model.language.world import Field, Ids, Total, World


class OpenRow:
    """A table, or the part of one below a partial index; it is read with ``table[i, j]``."""

    __slots__ = ("_domain", "_frame", "_function", "_index", "_prefix", "held")

    def __init__(
        self,
        frame: OpenFrame,
        index: tuple[Ids, ...],
        domain: Domain,
        function: Function,
        prefix: Keys = (),
        held: Callable[[], Function] | None = None,
    ) -> None:
        """Keep the function of the whole table, and the ids that are given already."""
        self.held = held
        """For a whole table whose cells are counted, the function of the total."""
        self._frame = frame
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
            return OpenRow(self._frame, self._index, self._domain, self._function, keys)
        return self._frame.look_up(self._index, self._function, keys, lowest_of(self._domain))

    def __iter__(self) -> Never:
        """Refuse: a table is visited through its sets."""
        raise StyleError("A table is visited through its sets: write for i in s.set, and index it.")

    def value_at(self, *rest: Value) -> Value:
        """Read a cell of the row for a copy of it."""
        lowest = lowest_of(self._domain)
        return self._frame.look_up(self._index, self._function, self._prefix, lowest, rest)


class OpenWriter:
    """A table of the world after the step: it is only assigned to."""

    __slots__ = ("_field", "_frame", "_world")

    def __init__(self, frame: OpenFrame, world: World, declared: Field) -> None:
        """Keep the field and the world that is being written."""
        self._frame = frame
        self._world = world
        self._field = declared

    def __setitem__(self, key: Keys | Value, value: Value) -> None:
        """Assign to a cell, or to every cell below a partial index."""
        self._frame.assign(self._world, self._field, key if isinstance(key, tuple) else (key,), value)


class OpenSums:
    """How many cells of a field hold an id, as the ghost that the engine carries along."""

    __slots__ = ("_frame", "_holders", "_tally")

    def __init__(self, frame: OpenFrame, declared: Total, world: World) -> None:
        """Keep the function of the total, and that of the cells that are counted."""
        self._frame = frame
        self._holders = declared.members
        sets = tuple((ids, frame.length(ids)) for ids in declared.of.index)
        fields, totals = world.cells.fields, world.cells.totals
        self._tally = Tally(declared.name, sets, fields[declared.of.name], totals[declared.name])

    def __getitem__(self, member: Value) -> Value:
        """Count the cells that hold the id; none holds NONE."""
        if any(size == 0 for _, size in self._tally.sets if isinstance(size, int)):
            return 0
        if self._frame.is_open(self._holders):
            self._frame.binder.note_total(self._tally, self._holders, self._frame.length(self._holders))
        return self._frame.look_up((self._holders,), self._tally.held, (member,), 0)


def lowest_of(domain: Domain) -> Value:
    """Give what a read at NONE gives."""
    return False if domain.is_flag else domain.low
