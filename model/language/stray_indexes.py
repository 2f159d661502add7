"""Strays: where a text reads or writes a table at what is no member of its set.

Texts are computed as a whole, so that a place behind the last one may stand in a condition that is not
decisive: ``all_of(i < n, s.on[i])``. So a stray read is no slip by itself. While a model is read, whoever
reads a text is told that there is one (``noting_strays``); then the text is read again with a mark for each
(``marking_strays``), and what was made of the marks says in which worlds it matters (definedness.py).

NONE in a cell that holds ids means nobody, and is no stray: what is read there is the least value.
"""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from nomadspec.model.language.domain import SKIP
from nomadspec.model.language.logic import all_of
from nomadspec.model.language.subterms import list_leaves
from nomadspec.model.language.term import Term, TermTable, is_same

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from nomadspec.model.language.domain import Interval
    from nomadspec.model.language.logic import Value
    from nomadspec.model.language.sets import Ids
    from nomadspec.model.language.world import Field

STRAY: Final = "stray"
"""The operator of a term that stands for what a table has not."""


@dataclass(frozen=True, slots=True)
class Stray:
    """A table that is read or written at a key that may be no member of its set."""

    field: Field
    ids: Ids
    extent: int
    key: Value
    condition: Value = True
    """Where it is written, what has to hold for that."""
    is_write: bool = False

    @property
    def is_nobody(self) -> bool:
        """True if a key that is less than all members means nobody."""
        return is_nobody(self.ids, self.key)

    @property
    def is_member(self) -> Value:
        """True while the key is a member."""
        return all_of(self.is_nobody or self.key >= 0, self.key < self.extent)

    def tell(self, key: int) -> str:
        """Say what is asked for, at a key that is no member."""
        verb = "writes" if self.is_write else "reads"
        at = self.ids.name_of(key) if key >= 0 else f"number {key} of its {self.ids.name}"
        return f"{verb} {self.field.name} at {at}, but {self.ids.name} has {self.extent}"


class Strays:
    """What was met while a text was read; marks are made in a table, if there is one."""

    def __init__(self, table: TermTable | None = None) -> None:
        """Meet nothing yet."""
        self._table = table
        self.reads: list[Stray] = []
        self.writes: list[Stray] = []
        self.number: Stray | None = None
        """A read of an index at a number that no set bounds, whether it may be a stray or not."""

    def __bool__(self) -> bool:
        """True if anything was met."""
        return bool(self.reads or self.writes)

    def mark(self, stray: Stray, interval: Interval, lowest: int) -> Value:
        """Note a read, and give what stands for it: the least value where no marks are made."""
        number = next((at for at, one in enumerate(self.reads) if _is_like(one, stray)), len(self.reads))
        if number == len(self.reads):
            self.reads.append(stray)
        if self._table is None:
            return lowest
        low, high = (0, 1) if interval.is_flag else (interval.low, interval.high)
        return self._table.make(STRAY, (number, lowest), low, high, is_flag=interval.is_flag)


_strays: ContextVar[Strays | None] = ContextVar("strays", default=None)


@contextmanager
def noting_strays() -> Iterator[Strays]:
    """Note for a while what texts read or write at keys that may be no members."""
    with _in_charge(Strays()) as strays:
        yield strays


@contextmanager
def marking_strays(cells: Sequence[Term]) -> Iterator[Strays]:
    """Put for a while, in the table of some cells, a mark wherever a key of a read may be no member."""
    table = cells[0].table if cells else TermTable()
    with _in_charge(Strays(table)) as strays:
        yield strays


@contextmanager
def _in_charge(strays: Strays) -> Iterator[Strays]:
    token = _strays.set(strays)
    try:
        yield strays
    finally:
        _strays.reset(token)


def read_stray(field: Field, ids: Ids, extent: int, key: Value, interval: Interval, lowest: int) -> Value:
    """Give what stands for a read at a key that may be no member, and let it be noted."""
    strays = _strays.get()
    if strays is None:
        return lowest
    if strays.number is None and isinstance(key, Term) and not (ids.is_symmetric or _is_id(key)):
        strays.number = Stray(field, ids, extent, key)
    if not may_stray(ids, extent, key):
        return lowest
    return strays.mark(Stray(field, ids, extent, key), interval, lowest)


def write_stray(field: Field, ids: Ids, extent: int, key: Value, condition: Value) -> None:
    """Note a write at a key that may be no member."""
    strays = _strays.get()
    if strays is not None and condition is not False and may_stray(ids, extent, key):
        strays.writes.append(Stray(field, ids, extent, key, condition, is_write=True))


def may_stray(ids: Ids, extent: int, key: Value) -> bool:
    """True if a key may be no member, and not NONE either."""
    low, high = (key.low, key.high) if isinstance(key, Term) else (key, key)
    return high >= extent or (low < 0 and not is_nobody(ids, key))


def is_nobody(ids: Ids, key: Value) -> bool:
    """True if a key that is less than all members means nobody: NONE, and nothing calculated.

    The places of an index are numbers, so that a plain one may have been calculated; a cell of ids was not,
    and NONE beside such cells is meant.
    """
    leaves = list(list_leaves(key))
    cells = [one for one in leaves if isinstance(one, Term)]
    is_meant = ids.is_symmetric or (bool(cells) and all(one.is_id for one in cells))
    return all(
        one.is_id or (ids.is_symmetric and one.op == "member") or one.low >= 0
        if isinstance(one, Term)
        else one >= 0 or (one >= SKIP and is_meant)
        for one in leaves
    )


def _is_id(key: Term) -> bool:
    return all(one.is_id for one in list_leaves(key) if isinstance(one, Term))


def _is_like(one: Stray, other: Stray) -> bool:
    return is_same(one.key, other.key) and one.field is other.field and one.ids is other.ids
