"""The frame of a finite scope: where each cell of a world lies, and how tables read and write it.

The same code serves the interpreter, whose cells are ints and bools, and tracing, whose cells are terms.
Reads are total, since the combinators evaluate all their arguments: reading at NONE, or at any index that is
no member of the set, gives the least value of the domain, and writing there does nothing. Where that matters
for an index other than NONE, the model breaks a promise (stray_indexes.py). An index that is itself a value
of the world becomes a case split.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from dataclasses import field as derived
from enum import IntEnum
from itertools import product
from math import prod
from typing import Final, Never, TypeAlias

from nomadspec.model.errors import DomainError, ModelError, StyleError, UsageError
from nomadspec.model.language.domain import Interval, upto
from nomadspec.model.language.enum_members import mix_enums
from nomadspec.model.language.logic import Value, all_of, for_all, ite
from nomadspec.model.language.part import Part
from nomadspec.model.language.sets import Ids, Size
from nomadspec.model.language.stray_indexes import is_nobody, read_stray, write_stray
from nomadspec.model.language.term import Term, equal
from nomadspec.model.language.value_wording import say
from nomadspec.model.language.world import Field, Queue, Schema, Total, World, keep_within
from nomadspec.model.specification.profiles import Profile
from nomadspec.model.specification.quirk import Quirk

Key: TypeAlias = "tuple[Value, ...] | Value"

NO_RANK: Final = -1
"""What a queue holds instead of ranks where an id was popped that is not its head: no domain admits it."""

MOST_CELLS: Final = 100_000
"""A larger world is a slip of the pen, and nothing could be done with it."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A field in a scope: where its cells begin, its shape, and what a cell may hold."""

    field: Field
    base: int
    shape: tuple[int, ...]
    interval: Interval
    strides: tuple[int, ...] = derived(init=False)
    """How many cells lie between neighbours at each index position."""

    def __post_init__(self) -> None:
        """Measure the steps between neighbours."""
        strides = tuple(prod(self.shape[depth + 1 :]) for depth in range(len(self.shape)))
        object.__setattr__(self, "strides", strides)

    @property
    def span(self) -> int:
        """How many cells the field has."""
        return prod(self.shape)

    @property
    def lowest(self) -> int:
        """What a read at NONE gives."""
        return False if self.interval.is_flag else self.interval.domain.low

    def find_cell(self, at: Iterable[int]) -> int:
        """Find the cell of some members."""
        return self.base + sum(member * stride for member, stride in zip(at, self.strides, strict=True))

    def find_members(self, cell: int) -> tuple[int, ...]:
        """Find of which members a cell is."""
        offset = cell - self.base
        return tuple(offset // stride % many for stride, many in zip(self.strides, self.shape, strict=True))

    def read_outside(self, depth: int, key: Value) -> Value:
        """Give what is read at a key that is no member, or may be none; it is told to who wants to know."""
        ids, extent = self.field.index[depth], self.shape[depth]
        return read_stray(self.field, ids, extent, key, self.interval, self.lowest)

    def cell_names(self) -> Iterator[str]:
        """Name the cells in order: ``status[job1]``."""
        return map(self.field.name_cell, self._list_members())

    def list_places(self) -> list[str]:
        """List where in the field each cell is: ``job1, eval2``; nowhere else for a single cell."""
        return [", ".join(names) for names in self._list_members()]

    def _list_members(self) -> Iterator[list[str]]:
        for place in product(*map(range, self.shape)):
            yield [ids.name_of(member) for ids, member in zip(self.field.index, place, strict=True)]


class FiniteFrame:
    """A scope of a world: sizes, places of cells, and the profile."""

    def __init__(self, schema: Schema, sizes: Mapping[str, int], profile: Profile) -> None:
        """Lay the fields out one after another."""
        self.schema = schema
        self.sizes = dict(sizes)
        self.profile = profile
        self.placed: dict[str, Placed] = {}
        self.absent: dict[str, Placed] = {}
        """The fields that the scope leaves out: they have no cells."""
        self.cell_count = 0
        self.quirks_met: set[Quirk] = set()
        """The quirks of the profile that were asked for."""
        for declared in schema.fields:
            shape = tuple(self.length(ids) for ids in declared.index)
            interval = declared.domain.bound_by(self.sizes)
            if prod(shape) and not interval.admits(declared.init):
                raise ModelError(
                    f"The field {declared.name} begins at {declared.init}, "
                    f"outside of its domain {interval.low} .. {interval.high} in this scope."
                )
            if declared.is_off(self.sizes):
                self.absent[declared.name] = Placed(declared, 0, shape, interval)
                continue
            self.placed[declared.name] = Placed(declared, self.cell_count, shape, interval)
            self.cell_count += prod(shape)
            if self.cell_count > MOST_CELLS:
                raise UsageError(
                    f"A world of this size has more than {MOST_CELLS:,} cells "
                    f"(the field {declared.name} alone has {prod(shape):,}): choose smaller sizes."
                )
        self.intervals = tuple(place.interval for place in self.placed.values() for _ in range(place.span))
        self.cell_names = tuple(name for place in self.placed.values() for name in place.cell_names())
        self.field_names = tuple(name for name, place in self.placed.items() for _ in range(place.span))

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
        placed = self.placed.get(declared.name)
        if placed is None:
            return self._read_absent(self.absent[declared.name], is_after=world.guard is not None)
        if world.guard is not None:
            if not placed.shape:
                raise _read_of_after(declared.name)
            return Writer(placed, world)
        return Row(placed, world.cells, placed.base, 0) if placed.shape else world.cells[placed.base]

    def write(self, world: World, declared: Field, value: Value) -> None:
        """Assign to a scalar, or to every cell of an indexed field."""
        if declared.name in self.placed:
            Writer(self.placed[declared.name], world)[()] = value

    def _read_absent(self, placed: Placed, *, is_after: bool) -> Value:
        """Give the first value of a field that the scope leaves out; nothing is written to it."""
        if is_after and placed.shape:
            return Nowhere()
        if is_after:
            raise _read_of_after(placed.field.name)
        if not placed.shape:
            return placed.field.init
        return Row(placed, (placed.field.init,) * placed.span, 0, 0)

    def line(self, world: World, declared: Queue) -> Line:
        """Give the queue as something that can be asked and changed."""
        return Line(self.placed[declared.name], world)

    def sums(self, world: World, declared: Total) -> Sums:
        """Give the totals as something that can be indexed by an id."""
        return Sums(self.find_placed(declared.of), world, is_absent=declared.of.name in self.absent)

    def find_placed(self, declared: Field) -> Placed:
        """Find where a field is, or would be if the scope did not leave it out."""
        return self.placed.get(declared.name) or self.absent[declared.name]

    def has(self, quirk: Quirk) -> bool:
        """True if the profile has the quirk; that one is at work is remembered."""
        has_it = self.profile.has(quirk)
        if has_it:
            self.quirks_met.add(quirk)
        return has_it

    def first_cells(self) -> tuple[int, ...]:
        """Give the cells with their declared first values."""
        return tuple(place.field.init for place in self.placed.values() for _ in range(place.span))


class Row(Part):
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
        keys = key if isinstance(key, tuple) else (key,)
        placed, base, depth = self.placed, self.base, self.depth
        shape, strides = placed.shape, placed.strides
        for one in keys:  # as in _read, for most reads
            if type(one) is not int or depth == len(shape) or not 0 <= one < shape[depth]:
                return self._read(base, depth, keys[depth - self.depth :])
            base += one * strides[depth]
            depth += 1
        return self.cells[base] if depth == len(shape) else Row(placed, self.cells, base, depth)

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
            cases = [self._read(base + member * stride, depth + 1, rest) for member in range(extent)]
            outside = placed.read_outside(depth, key)
            is_marked = isinstance(outside, Term) and not is_nobody(placed.field.index[depth], key)
            return _split(key, cases, placed, (outside if is_marked else placed.lowest, outside))
        if not 0 <= key < extent:
            return self._nobodys(placed.read_outside(depth, key), depth + len(keys))
        return self._read(base + key * stride, depth + 1, rest)

    def _nobodys(self, outside: Value, depth: int) -> Value:
        """Give what is read at an index that is no member: the least value, in each cell below it."""
        placed = self.placed
        if depth == len(placed.shape):
            return outside
        return Row(placed, (outside,) * prod(placed.shape[depth:]), 0, depth)

    def __setitem__(self, key: Key, value: Value) -> Never:
        """Refuse: rules write ``t``."""
        raise _write_of_before(self.placed.field.name)

    def values(self) -> Value:
        """Give the cells of this part in order."""
        return self.cells[self.base : self.base + prod(self.placed.shape[self.depth :])]


class Writer(Part):
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
            raise _write_of_before(self.placed.field.name)
        self.assign(key if isinstance(key, tuple) else (key,), value, self.world.condition)

    def assign(self, keys: tuple[Value, ...], value: Value, condition: Value) -> None:
        """Assign where the condition holds; what was assigned before stays elsewhere."""
        placed, base = self.placed, self.placed.base
        shape, strides = placed.shape, placed.strides
        for depth, key in enumerate(keys):
            if type(key) is int and depth < len(shape) and 0 <= key < shape[depth]:
                base += key * strides[depth]  # as below, for most keys
                continue
            extent, stride = _dimension(placed, depth, keys[depth:])
            if isinstance(key, Term):
                write_stray(placed.field, placed.field.index[depth], extent, key, condition)
                for member in range(extent):
                    chosen = (*keys[:depth], member, *keys[depth + 1 :])
                    self.assign(chosen, value, all_of(condition, equal(key, member)))
                return
            if not 0 <= key < extent:
                write_stray(placed.field, placed.field.index[depth], extent, key, condition)
                return
            base += key * stride
        self._fill(base, len(keys), value, condition)

    def _fill(self, base: int, depth: int, value: Value, condition: Value) -> None:
        if depth == len(self.placed.shape) and not isinstance(value, Row | tuple | list):
            self._put(base, value, condition)
            return
        span = prod(self.placed.shape[depth:])
        if isinstance(value, Row):
            self._expect_shape(value, depth)
            value = value.values()
        given = value if isinstance(value, tuple | list) else (value,) * span
        if len(given) != span:
            name = self.placed.field.name
            raise ModelError(
                f"{len(given)} values are assigned to {span} cells of {name}: the shapes must agree."
            )
        for offset, item in enumerate(given):
            self._put(base + offset, item, condition)

    def _put(self, place: int, value: Value, condition: Value) -> None:
        cells, plain = self.world.cells, self._plain(value)
        keep_within(self.world, self.placed.field, condition, plain, self.placed.interval.high)
        cells[place] = plain if condition is True else ite(condition, plain, cells[place])

    def _expect_shape(self, row: Row, depth: int) -> None:
        into, from_ = self.placed.field, row.placed.field
        sets, given = into.index[depth:], from_.index[row.depth :]
        if sets != given:
            wanted, found = (
                ", ".join(ids.name for ids in index) or "a single cell" for index in (sets, given)
            )
            raise ModelError(f"{from_.name} (over {found}) is copied to {into.name} (over {wanted}).")

    def _plain(self, value: Value) -> Value:
        if type(value) is (bool if self.placed.interval.is_flag else int):
            return value  # as below, for most values
        is_flag = value.is_flag if isinstance(value, Term) else isinstance(value, bool)
        if is_flag != self.placed.interval.is_flag or not isinstance(value, int | Term):
            domain = self.placed.interval.domain
            wanted = "a flag" if domain.is_flag else domain.describe()
            raise DomainError(f"{say(value)} is assigned to {self.placed.field.name}, which holds {wanted}.")
        if type(value) in {int, bool, Term}:
            return value
        domain = self.placed.interval.domain
        if isinstance(value, IntEnum) and not domain.has_member(value):
            raise mix_enums(f"{self.placed.field.name}, which is", domain, value, "given")
        return int(value)


class Nowhere(Part):
    """A table of a feature that the scope leaves out, on the world after the step: nothing is written."""

    __slots__ = ()

    def __setitem__(self, key: Key, value: Value) -> None:
        """Write nothing."""


class Line(Part):
    """A queue in a finite scope: each id has a rank, 1 for the head and 0 for absent."""

    __slots__ = ("_is_after", "_ranks", "_writer")

    def __init__(self, ranks: Placed, world: World) -> None:
        """Keep the ranks: on ``t`` those that the rule has made so far."""
        self._is_after = world.guard is not None
        self._ranks = Row(ranks, world.cells, ranks.base, 0)
        self._writer = Writer(ranks, world)

    def __iter__(self, *_asked: object) -> Never:
        """Refuse: who stands in a queue, and where, is asked id by id."""
        name = self._ranks.placed.field.name
        raise StyleError(f"The queue {name} is no list: ask has, head, is_before and is_empty of it.")

    __contains__ = __getitem__ = __len__ = __iter__

    def has(self, member: Value) -> Value:
        """True while the id is in the queue."""
        return self._asked()[member] > 0

    def head(self, member: Value) -> Value:
        """True while the id is first in the queue."""
        return self._asked()[member] == 1

    def is_before(self, one: Value, other: Value) -> Value:
        """True while both ids are in the queue, and one stands before the other."""
        ranks = self._asked()
        return all_of(ranks[one] > 0, ranks[one] < ranks[other])

    def is_empty(self) -> Value:
        """True while no id is in the queue."""
        ranks = self._asked()
        return for_all(ranks[member] == 0 for member in self._members())

    def push(self, member: Value) -> None:
        """Put an id that is not in the queue at its end."""
        self._writer[member] = 1 + sum_of(self._ranks[other] > 0 for other in self._members())

    def pop(self, head: Value) -> None:
        """Take the head out of the queue, which is this id; with another one all ranks become a fault."""
        is_head = self._ranks[head] == 1
        ranks = [(other, self._ranks[other]) for other in self._members()]
        for other, old in ranks:
            self._writer[other] = ite(is_head, ite(old > 0, old - 1, 0), NO_RANK)

    def remove(self, member: Value) -> None:
        """Take an id out of the queue, wherever it stands; nothing happens when it is absent."""
        rank = self._ranks[member]
        ranks = [(other, self._ranks[other]) for other in self._members()]
        for other, old in ranks:
            closer = all_of(rank > 0, old > rank)
            self._writer[other] = ite(closer, old - 1, ite(member == other, 0, old))

    def _asked(self) -> Row:
        if self._is_after:
            raise _read_of_after(self._ranks.placed.field.name)
        return self._ranks

    def _members(self) -> Iterable[Value]:
        return range(self._ranks.placed.shape[0])


class Sums(Part):
    """How many cells of a field hold an id, added up when asked."""

    __slots__ = ("_is_absent", "_placed", "_world")

    def __init__(self, placed: Placed, world: World, *, is_absent: bool = False) -> None:
        """Keep whose cells are counted, in which world."""
        self._is_absent = is_absent
        self._placed = placed
        self._world = world

    def __getitem__(self, member: Value) -> Value:
        """Count the cells that hold the id; none holds NONE."""
        if self._world.guard is not None:
            raise StyleError(
                f"A total cannot be read on t: it counts {self._placed.field.name}, read it on s."
            )
        placed = self._placed
        cells = self._world.cells[placed.base : placed.base + placed.span]
        if self._is_absent:
            cells = (placed.field.init,) * placed.span
        held = sum_of(equal(cell, member) for cell in cells)
        held = ite(member < 0, 0, held)
        holders, many = placed.field.domain.members, placed.interval.high + 1
        if holders is None:
            return held
        counts = Interval(upto(placed.span), 0, placed.span)
        outside = read_stray(placed.field, holders, many, member, counts, 0)
        if not isinstance(outside, Term):
            return held
        is_one = all_of(is_nobody(holders, member) or member >= 0, member < many)
        return ite(is_one, held, outside)

    def __setitem__(self, member: Value, value: Value) -> Never:
        """Refuse: the field that is counted says it all."""
        raise StyleError(
            f"A total is never assigned to: it counts {self._placed.field.name}, assign to that."
        )


def sum_of(flags: Iterator[Value]) -> Value:
    """Add flags up without asking a binder: the cells of a finite scope are what they are."""
    result: Value = 0
    for flag in flags:
        result = result + ite(flag, 1, 0)
    return result


def _dimension(placed: Placed, depth: int, keys: tuple[Value, ...]) -> tuple[int, int]:
    if depth >= len(placed.shape):
        raise ModelError(f"{placed.field.name} is indexed too deeply: it has {len(placed.shape)} index sets.")
    key = keys[0]
    if isinstance(key, bool) or not isinstance(key, int | Term) or (isinstance(key, Term) and key.is_flag):
        if isinstance(key, str):
            raise StyleError(
                f"{placed.field.name} is indexed by the text {key!r}: index it by an argument of the rule, "
                "or go through all members with for_all(... for i in s.set)."
            )
        raise StyleError(f"{placed.field.name} is indexed by {say(key)}, which is no id.")
    return placed.shape[depth], placed.strides[depth]


def _split(key: Term, cases: list[Value], placed: Placed, others: tuple[Value, Value]) -> Value:
    """Choose a case by the key; the others are what is read below the first one and behind the last one."""
    if cases and isinstance(cases[0], Row):
        columns = zip(*[case.values() for case in cases], strict=True)
        cells = tuple(_split(key, list(column), placed, others) for column in columns)
        return Row(placed, cells, 0, cases[0].depth)
    below, behind = others
    result = cases.pop() if cases and key.high < len(cases) else behind
    for member in reversed(range(len(cases))):
        result = ite(equal(key, member), cases[member], result)
    return ite(key < 0, below, result)


def _read_of_after(name: str) -> StyleError:
    return StyleError(
        f"{name} is read on t, which rules only write: read it on s, the world before the step."
    )


def _write_of_before(name: str) -> StyleError:
    return StyleError(f"{name} of s cannot be assigned to: write to t, the world after it.")
