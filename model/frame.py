"""The frame of a finite scope: where each cell of a world lies, and how tables read and write it.

The same code serves the interpreter, whose cells are ints and bools, and tracing, whose cells are terms.
Reads are total, since the combinators evaluate all their arguments: reading at NONE gives the least value of
the domain, writing at NONE does nothing. An index that is itself a value of the world becomes a case split.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Never, TypeAlias

from nomadspec.model.domain import Interval
from nomadspec.model.errors import DomainError, ModelError, StyleError
from nomadspec.model.logic import Value, all_of, for_all, ite, not_
from nomadspec.model.profile import Profile
from nomadspec.model.quirks import Quirk
from nomadspec.model.term import Term
from nomadspec.model.world import Field, Ids, Queue, Schema, Size, Total, World

Key: TypeAlias = "tuple[Value, ...] | Value"


@dataclass(frozen=True, slots=True)
class Placed:
    """A field in a scope: where its cells begin, its shape, and what a cell may hold."""

    field: Field
    base: int
    shape: tuple[int, ...]
    interval: Interval

    @property
    def span(self) -> int:
        """How many cells the field has."""
        return prod(self.shape)

    def stride(self, depth: int) -> int:
        """How many cells lie between neighbours at an index position."""
        return prod(self.shape[depth + 1 :])

    @property
    def lowest(self) -> int:
        """What a read at NONE gives."""
        return False if self.interval.is_flag else self.interval.low

    def cell_names(self) -> Iterator[str]:
        """Name the cells in order: ``status[job1]``."""
        for place in product(*map(range, self.shape)):
            names = [ids.name_of(member) for ids, member in zip(self.field.index, place, strict=True)]
            yield f"{self.field.name}[{', '.join(names)}]" if names else self.field.name


class FiniteFrame:
    """A scope of a world: sizes, places of cells, and the profile."""

    def __init__(self, schema: Schema, sizes: Mapping[str, int], profile: Profile) -> None:
        """Lay the fields out one after another."""
        self.schema = schema
        self.sizes = dict(sizes)
        self.profile = profile
        self.placed: dict[str, Placed] = {}
        self.cell_count = 0
        for field in schema.fields:
            shape = tuple(self.length(ids) for ids in field.index)
            interval = Interval(field.domain, field.domain.low, field.domain.high.evaluate(self.sizes))
            self.placed[field.name] = Placed(field, self.cell_count, shape, interval)
            self.cell_count += prod(shape)
        self.intervals = tuple(place.interval for place in self.placed.values() for _ in range(place.span))
        self.cell_names = tuple(name for place in self.placed.values() for name in place.cell_names())

    def length(self, ids: Ids) -> int:
        """Give the number of members of a set."""
        return self.sizes[ids.size.name]

    def iterate(self, ids: Ids) -> Iterator[Value]:
        """Go through the ids of a set in order."""
        return iter(range(self.length(ids)))

    def size(self, declared: Size) -> Value:
        """Give a size as a number."""
        return self.sizes[declared.name]

    def read(self, world: World, declared: Field) -> Value:
        """Give the value of a scalar, or the table of an indexed field."""
        placed = self.placed[declared.name]
        if world.guard is not None:
            if not placed.shape:
                raise _read_of_after(declared.name)
            return Writer(placed, world)
        return Row(placed, world.cells, placed.base, 0) if placed.shape else world.cells[placed.base]

    def write(self, world: World, declared: Field, value: Value) -> None:
        """Assign to a scalar, or to every cell of an indexed field."""
        Writer(self.placed[declared.name], world)[()] = value

    def line(self, world: World, declared: Queue) -> Line:
        """Give the queue as something that can be asked and changed."""
        return Line(self.placed[declared.name], world)

    def sums(self, world: World, declared: Total) -> Sums:
        """Give the totals as something that can be indexed by an id."""
        return Sums(self.placed[declared.of.name], world)

    def has(self, quirk: Quirk) -> bool:
        """Tell whether the profile has the quirk."""
        return self.profile.has(quirk)

    def first_cells(self) -> tuple[int, ...]:
        """Give the cells with their declared first values."""
        return tuple(place.field.init for place in self.placed.values() for _ in range(place.span))


class Row:
    """A table, or the part of one below a partial index; it is read with ``table[i, j]``."""

    __slots__ = ("base", "cells", "depth", "placed")

    def __init__(self, placed: Placed, cells: Value, base: int, depth: int) -> None:
        """Keep which cells of the field these are."""
        self.placed = placed
        self.cells = cells
        self.base = base
        self.depth = depth

    def __getitem__(self, key: Key) -> Value:
        """Read a cell, or the row below a partial index."""
        return self._read(self.base, self.depth, key if isinstance(key, tuple) else (key,))

    def __iter__(self) -> Never:
        """Refuse: a table is visited through its sets."""
        raise StyleError(
            f"{self.placed.field.name} is a table: go through its sets, for i in s.set, and index it."
        )

    def _read(self, base: int, depth: int, keys: tuple[Value, ...]) -> Value:
        placed = self.placed
        if not keys:
            return self.cells[base] if depth == len(placed.shape) else Row(placed, self.cells, base, depth)
        key, rest = keys[0], keys[1:]
        extent, stride = _dimension(placed, depth, keys)
        if isinstance(key, Term):
            lowest = [placed.lowest] if key.low < 0 else []
            cases = [self._read(base + member * stride, depth + 1, rest) for member in range(extent)]
            return _split(key, lowest + cases, -len(lowest), placed)
        if key < 0:
            return placed.lowest
        _check_extent(placed, depth, key, extent)
        return self._read(base + key * stride, depth + 1, rest)

    def values(self) -> Value:
        """Give the cells of this part in order."""
        return self.cells[self.base : self.base + prod(self.placed.shape[self.depth :])]


class Writer:
    """A table of the world after the step: it is only assigned to."""

    __slots__ = ("placed", "world")

    def __init__(self, placed: Placed, world: World) -> None:
        """Keep the field and the world that is being written."""
        self.placed = placed
        self.world = world

    def __getitem__(self, key: Key) -> Never:
        """Refuse: rules read ``s``."""
        raise _read_of_after(self.placed.field.name)

    def __setitem__(self, key: Key, value: Value) -> None:
        """Assign to a cell, or to every cell below a partial index."""
        if self.world.guard is None:
            raise StyleError(
                f"{self.placed.field.name} of s cannot be assigned to: write to t, the world after it."
            )
        self.assign(key if isinstance(key, tuple) else (key,), value, self.world.condition)

    def assign(self, keys: tuple[Value, ...], value: Value, condition: Value) -> None:
        """Assign where the condition holds; what was assigned before stays elsewhere."""
        placed, base = self.placed, self.placed.base
        for depth, key in enumerate(keys):
            extent, stride = _dimension(placed, depth, keys[depth:])
            if isinstance(key, Term):
                for member in range(extent):
                    chosen = (*keys[:depth], member, *keys[depth + 1 :])
                    self.assign(chosen, value, all_of(condition, key == member))
                return
            if key < 0:
                return
            _check_extent(placed, depth, key, extent)
            base += key * stride
        self._fill(base, prod(placed.shape[len(keys) :]), value, condition)

    def _fill(self, base: int, span: int, value: Value, condition: Value) -> None:
        cells = self.world.cells
        given = value.values() if isinstance(value, Row) else value
        if not isinstance(given, tuple | list):
            given = (given,) * span
        if len(given) != span:
            name = self.placed.field.name
            raise ModelError(
                f"{len(given)} values are assigned to {span} cells of {name}: the shapes must agree."
            )
        for offset, item in enumerate(given):
            cells[base + offset] = ite(condition, self._plain(item), cells[base + offset])

    def _plain(self, value: Value) -> Value:
        is_flag = value.is_flag if isinstance(value, Term) else isinstance(value, bool)
        if is_flag != self.placed.interval.is_flag:
            wanted = "a flag" if self.placed.interval.is_flag else "a number"
            raise DomainError(f"{value!r} is assigned to {self.placed.field.name}, which holds {wanted}.")
        return int(value) if type(value) not in {int, bool, Term} else value


class Line:
    """A queue in a finite scope: each id has a rank, 1 for the head and 0 for absent."""

    __slots__ = ("_ranks", "_writer")

    def __init__(self, ranks: Placed, world: World) -> None:
        """Read the ranks as they are, on ``t`` after what the rule did before."""
        self._ranks = Row(ranks, world.cells, ranks.base, 0)
        self._writer = Writer(ranks, world)

    def has(self, member: Value) -> Value:
        """Say that the id is in the queue."""
        return self._ranks[member] > 0

    def head(self, member: Value) -> Value:
        """Say that the id is first in the queue."""
        return self._ranks[member] == 1

    def is_empty(self) -> Value:
        """Say that no id is in the queue."""
        return for_all(not_(self.has(member)) for member in self._members())

    def push(self, member: Value) -> None:
        """Put an id that is not in the queue at its end."""
        self._writer[member] = 1 + sum_of(self.has(other) for other in self._members())

    def pop(self, _head: Value) -> None:
        """Take the head, which the rule has required to be this id, out of the queue."""
        ranks = [(other, self._ranks[other]) for other in self._members()]
        for other, old in ranks:
            self._writer[other] = ite(old > 0, old - 1, 0)

    def remove(self, member: Value) -> None:
        """Take an id out of the queue, wherever it stands; nothing happens when it is absent."""
        rank = self._ranks[member]
        ranks = [(other, self._ranks[other]) for other in self._members()]
        for other, old in ranks:
            closer = all_of(rank > 0, old > rank)
            self._writer[other] = ite(closer, old - 1, ite(member == other, 0, old))

    def _members(self) -> range:
        return range(self._ranks.placed.shape[0])


class Sums:
    """How many cells of a field hold an id, added up when asked."""

    __slots__ = ("_placed", "_world")

    def __init__(self, placed: Placed, world: World) -> None:
        """Keep whose cells are counted, in which world."""
        self._placed = placed
        self._world = world

    def __getitem__(self, member: Value) -> Value:
        """Count the cells that hold the id; none holds NONE."""
        if self._world.guard is not None:
            raise StyleError(
                "A total cannot be read on t or assigned to: it follows from the field that it counts."
            )
        cells = self._world.cells[self._placed.base : self._placed.base + self._placed.span]
        held = sum_of(cell == member for cell in cells)
        return ite(member < 0, 0, held)


def sum_of(flags: Iterator[Value]) -> Value:
    """Add flags up without asking a binder: the cells of a finite scope are what they are."""
    result: Value = 0
    for flag in flags:
        result = result + ite(flag, 1, 0)
    return result


def _dimension(placed: Placed, depth: int, keys: tuple[Value, ...]) -> tuple[int, int]:
    if depth >= len(placed.shape):
        raise ModelError(f"{placed.field.name} is indexed too deeply: it has {len(placed.shape)} index sets.")
    if isinstance(keys[0], bool) or not isinstance(keys[0], int | Term):
        raise StyleError(f"{placed.field.name} is indexed by {keys[0]!r}: index it by an id.")
    return placed.shape[depth], placed.stride(depth)


def _check_extent(placed: Placed, depth: int, key: int, extent: int) -> None:
    if key >= extent:
        ids = placed.field.index[depth]
        raise ModelError(
            f"{placed.field.name} is read or written at {ids.name_of(key)}, but there are {extent}."
        )


def _split(key: Term, cases: list[Value], first: int, placed: Placed) -> Value:
    if any(isinstance(case, Row) for case in cases):
        raise StyleError(
            f"{placed.field.name} is indexed by a value of the world: index it down to a single cell."
        )
    result = cases[-1]
    for offset in range(len(cases) - 2, -1, -1):
        matches = key < 0 if first + offset < 0 else key == first + offset
        result = ite(matches, cases[offset], result)
    return result


def _read_of_after(name: str) -> StyleError:
    return StyleError(
        f"{name} is read on t, which rules only write: read it on s, the world before the step."
    )
