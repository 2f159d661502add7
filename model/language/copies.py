"""Copies: what a rule takes over from another record of the same class, while it forgets the rest of it.

A snapshot that is copied column by column lacks the column that is declared next. So while a rule is looked
at (names.py), it is noted which cells it gives what the same cells of another record hold, or what a world
holds that declares the columns of the record. Where that is a column, all of it, something has to be assigned
to the other columns as well: the whole record, a value that ``Record.of(...)`` makes, or what is worked out.

One record of a declaration may take a column from another one of it, as what processes know of one another;
one cell of a table may be taken over, as what a message says; and what is worked out is no copy.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from dataclasses import field as derived
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Final, NamedTuple

from nomadspec.model.errors import StyleError
from nomadspec.model.language.record import ColumnOfOne, Record, RecordField
from nomadspec.model.language.subterms import find_position, is_cell, list_leaves
from nomadspec.model.language.term import Term
from nomadspec.model.language.trace import blaming
from nomadspec.model.language.world import Field, collect_declared

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import FrameType

    from nomadspec.model.language.frame import FiniteFrame, Placed
    from nomadspec.model.language.logic import Value
    from nomadspec.model.language.rule import Rule
    from nomadspec.model.language.world import World

_NO_LOOP: Final = 2
"""Of fewer members nobody can tell whether a text goes through all of them."""


class _Holder(NamedTuple):
    """A record that holds a field: by itself, or in a record within it."""

    kind: type[Record]
    label: str
    """What people write for it: ``seen[...].caps``."""
    depth: int
    """How many of the sets of the field are the record's own."""
    column: tuple[str, ...]
    """What the record calls the field."""


class _Source(NamedTuple):
    """Where a value comes from."""

    label: str
    depth: int
    is_world: bool


class _Copy(NamedTuple):
    """A record, at some of its ids, that takes something over from elsewhere."""

    into: _Holder
    at: tuple[int, ...]
    source: _Source


@dataclass(slots=True)
class _Taken:
    """What is taken over: of each column so many cells, assigned below so many ids; where it begins."""

    line: int
    columns: dict[tuple[str, ...], set[int]] = derived(default_factory=dict)
    depths: dict[tuple[str, ...], int] = derived(default_factory=dict)


class Copies:
    """Notes what a rule assigns to records while its text runs."""

    def __init__(self, world: type[World], frame: FiniteFrame, touch: Callable[[Field], None]) -> None:
        """Find the records of a world; who touches a field wants to know of it."""
        self._world = world
        self._frame = frame
        self._touch = touch
        self._holders = {field.name: tuple(around) for field, around in _list_holders(world)}
        self._fields = {field.name: field for field in world.schema.fields if field.name in self._holders}
        self.begin("")

    def begin(self, file: str) -> None:
        """Forget all: the text of a rule in a file is about to run."""
        self._file = file
        self._written: set[int] = set()
        self._taken: dict[_Copy, _Taken] = {}

    def put(self, placed: Placed, place: int, value: Value, depth: int) -> None:
        """Note what is assigned to a cell, by a text that gives so many ids."""
        holders = self._holders.get(placed.field.name)
        if holders is None:
            return
        self._written.add(place)
        read = [leaf for leaf in list_leaves(value) if not (is_cell(leaf) and find_position(leaf) == place)]
        sources = {self._find_source(holders, placed, place, leaf) for leaf in read}
        found = sources.pop() if len(sources) == 1 else None
        if found is None:
            return
        into, source = found
        at = placed.find_members(place)[: into.depth]
        copy = _Copy(into._replace(column=()), at, source)
        taken = self._taken.setdefault(copy, _Taken(_find_line(self._file)))
        taken.columns.setdefault(into.column, set()).add(place)
        taken.depths[into.column] = min(depth, taken.depths.get(into.column, depth))
        for field in self._list_fields(into):
            self._touch(field)

    def _find_source(
        self, holders: tuple[_Holder, ...], placed: Placed, place: int, read: Value
    ) -> tuple[_Holder, _Source] | None:
        """Find which record takes a value over, the outermost one, and from where; None where none does."""
        if not isinstance(read, Term) or not is_cell(read):
            return None
        position = find_position(read)
        name = self._frame.field_names[position]
        at = placed.find_members(place)
        their = self._frame.placed[name].find_members(position)
        for into in holders:
            for source in self._list_sources(into, name):
                if into.label == source.label:
                    return None  # what one of them knows of another one
                if at[into.depth :] == their[source.depth :]:
                    return into, source
        return None

    def _list_sources(self, into: _Holder, name: str) -> Iterator[_Source]:
        """List what holds a field as the same column of the same class."""
        for other in self._holders.get(name, ()):
            if other.kind is into.kind and other.column == into.column:
                yield _Source(other.label, other.depth, is_world=False)
        if into.column == (name,) and _lends(self._world, into.kind, name):
            yield _Source("", int(isinstance(into.kind.columns[name], ColumnOfOne)), is_world=True)

    def _list_fields(self, holder: _Holder) -> list[Field]:
        """List the fields of a record."""
        return [self._fields[name] for name, _ in self._list_columns(holder)]

    def _list_columns(self, holder: _Holder) -> Iterator[tuple[str, tuple[str, ...]]]:
        """List the fields of a record by name, each with what the record calls it."""
        for name, around in self._holders.items():
            yield from ((name, one.column) for one in around if one.label == holder.label)

    def expect_whole(self, rule: Rule) -> None:
        """Raise a StyleError where a rule took over a column, and nothing was assigned to another one."""
        for copy, taken in self._taken.items():
            whole = [column for column in taken.columns if self._is_whole(copy, taken, column)]
            forgotten = list(self._list_forgotten(copy)) if whole else []
            if forgotten:
                with blaming(f"Rule {rule.name}", rule.file, taken.line or rule.line):
                    raise _refuse(copy, whole, forgotten)

    def _is_whole(self, copy: _Copy, taken: _Taken, column: tuple[str, ...]) -> bool:
        """True if all cells of a column are taken over, and not since there is one id."""
        cells = taken.columns[column]
        placed = self._frame.placed[self._frame.field_names[min(cells)]]
        own = placed.shape[copy.into.depth : taken.depths[column]]
        return len(cells) == prod(placed.shape[copy.into.depth :]) and all(many >= _NO_LOOP for many in own)

    def _list_forgotten(self, copy: _Copy) -> Iterator[tuple[str, ...]]:
        """List the columns of a record of which no cell is assigned to."""
        for name, column in self._list_columns(copy.into):
            placed = self._frame.placed.get(name)
            if placed is None or (
                copy.source.is_world and not _lends(self._world, copy.into.kind, column[0])
            ):
                continue
            below = product(*map(range, placed.shape[copy.into.depth :]))
            cells = {placed.find_cell((*copy.at, *rest)) for rest in below}
            if cells and not cells & self._written:
                yield column


def _list_holders(world: type[World]) -> Iterator[tuple[Field, list[_Holder]]]:
    """List the fields of the records of a world, each with what holds it, the outermost record first."""
    for name, declared in collect_declared(world).items():
        if not isinstance(declared, RecordField):
            continue
        for path, field in declared.leaves.items():
            holders, part, label, depth = [], declared, name, 0
            for at, inner in enumerate(path):
                depth += len(part.index)
                label += "[...]" if part.index else ""
                holders.append(_Holder(part.kind, label, depth, path[at:]))
                label += f".{inner}"
                part = part.kind.columns[inner]
            yield field, holders


def _lends(world: type[World], kind: type[Record], name: str) -> bool:
    """True if a world and a record have a column from one class, as it is or of all members of a set."""
    own, part = getattr(world, name, None), kind.columns.get(name)
    if isinstance(part, ColumnOfOne) and isinstance(own, Field):
        return own.index[:1] == (part.of,) and own.domain is part.domain
    return own is not None and own is part


def _find_line(file: str) -> int:
    """Find the innermost line of a file that is at work; 0 where there is none."""
    frame: FrameType | None = sys._getframe(1)  # noqa: SLF001 -- each public way to it reads source files
    while frame is not None and frame.f_code.co_filename != file:
        frame = frame.f_back
    return 0 if frame is None else frame.f_lineno


def _refuse(copy: _Copy, whole: list[tuple[str, ...]], forgotten: list[tuple[str, ...]]) -> StyleError:
    kind, label, source = copy.into.kind.__name__, copy.into.label, copy.source.label
    taken, rest = (", ".join(".".join(column) for column in columns) for columns in (whole, forgotten))
    one = "s, ..." if copy.source.depth else "s"
    value = f"{kind}.of({one})" if copy.source.is_world else f"s.{source}"
    given = source or "the columns of the world"
    parts = ", ".join(f"{name}=..." for name in dict.fromkeys(column[0] for column in whole))
    return StyleError(
        f"{label} takes {taken} over from {given}, and forgets the rest of {kind} ({rest}): assign the "
        f"whole record, t.{label} = {value}, or say that the rest stays, "
        f"t.{label} = {kind}.of(s.{label}, {parts})."
    )
