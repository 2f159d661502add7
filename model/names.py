"""Names: what indexes a table, or is written into one, must be an id of the set that belongs there.

Inside a model ids are plain numbers, so that one of another set would be read as if it belonged. The text of
each rule and of each property of a world is run once more with ids that know their set. Only keys and values
are looked at; what is computed, as ``s.made[job] + 1``, is a number and belongs to no set.
"""

from __future__ import annotations

from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING, Final

from nomadspec.model.errors import StyleError
from nomadspec.model.frame import FiniteFrame, Line, Row, Sums, Writer
from nomadspec.model.parts import find_position
from nomadspec.model.term import Term
from nomadspec.model.trace import blaming, trace_cells
from nomadspec.model.world import Disabled

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from nomadspec.model.frame import Key, Placed
    from nomadspec.model.logic import Value
    from nomadspec.model.property import Property
    from nomadspec.model.rule import Argument, ArgumentDomain, Rule
    from nomadspec.model.world import Field, Ids, Queue, Total, World


class Name(int):
    """An id that knows its set."""

    ids: Ids

    def __hash__(self) -> int:
        """Tell ids of two sets apart where terms are looked up."""
        return hash((int(self), self.ids.name))

    def __eq__(self, other: object) -> bool:
        """Compare as numbers."""
        return int.__eq__(self, other)


def name(value: int, ids: Ids | None) -> int:
    """Give an id that knows its set; what is no id stays what it is."""
    if ids is None or value < 0:
        return value
    named = Name(value)
    named.ids = ids
    return named


class NameFrame(FiniteFrame):
    """A finite frame that refuses keys and values which are ids of other sets."""

    def __init__(self, frame: FiniteFrame) -> None:
        """Show the same cells."""
        vars(self).update(vars(frame))

    def iterate(self, ids: Ids) -> Iterator[Value]:
        """Go through the ids of a set, each of which knows it."""
        return (name(member, ids) for member in range(self.length(ids)))

    def read(self, world: World, declared: Field) -> Value:
        """Give a value, or a table that looks at its keys."""
        found = super().read(world, declared)
        if isinstance(found, Writer):
            return _NamedWriter(self, found.placed, world)
        return _NamedRow(self, found) if isinstance(found, Row) else found

    def write(self, world: World, declared: Field, value: Value) -> None:
        """Assign to all of a field what belongs into it."""
        _NamedWriter(self, self.placed[declared.name], world)[()] = value

    def line(self, world: World, declared: Queue) -> Line:
        """Give a queue that looks at what it is asked about."""
        return _NamedLine(self, self.placed[declared.name], world)

    def sums(self, world: World, declared: Total) -> Sums:
        """Give totals that look at whose they are."""
        return _NamedSums(self, declared, world)

    def refuse_other_keys(self, placed: Placed, depth: int, keys: tuple[Value, ...]) -> None:
        """Raise a StyleError when a key is an id of another set than the table has there."""
        for ids, key in zip(placed.field.index[depth:], keys, strict=False):
            for found in self.list_sets(key):
                if found is not ids:
                    raise StyleError(
                        f"{placed.field.name} is read or written at one of its {ids.name} that is one of "
                        f"the {found.name}: the ids of two sets are mixed up."
                    )

    def refuse_other_values(self, placed: Placed, value: Value) -> None:
        """Raise a StyleError when a value is an id of another set than the cells hold."""
        wanted = placed.interval.domain.members
        for found in self.list_sets(value):
            if wanted is not None and found is not wanted:
                raise StyleError(
                    f"{placed.field.name} holds some of the {wanted.name}, and is given one of the "
                    f"{found.name}: the ids of two sets are mixed up."
                )

    def list_sets(self, value: Value) -> set[Ids]:
        """List the sets of which a value may be an id, as far as that is known."""
        found: set[Ids] = set()
        seen: set[int] = set()
        waiting = [value]
        while waiting:
            part = waiting.pop()
            if isinstance(part, Name):
                found.add(part.ids)
            elif isinstance(part, Term) and id(part) not in seen:
                seen.add(id(part))
                members = self.intervals[find_position(part)].domain.members if part.op == "cell" else None
                found |= set() if members is None else {members}
                waiting += part.args[1:] if part.op == "ite" else ()
        return found


class NameCheck:
    """Looks once at the texts of rules and of properties of a world."""

    def __init__(self, world: type[World], frame: FiniteFrame) -> None:
        """Show a scope in which ids know their sets."""
        self._world = world
        self._frame = NameFrame(frame)

    @cached_property
    def _cells(self) -> tuple[Value, ...]:
        """Make terms that no engine sees; most scopes have nothing left to look at."""
        return trace_cells(self._frame)

    def expect_rule(self, rule: Rule, arguments: tuple[Argument, ...]) -> None:
        """Raise a StyleError where a rule mixes up the ids of two sets."""
        if rule in _SEEN:
            return
        s = self._world(self._frame, self._cells)
        t = self._world(self._frame, list(self._cells), condition=True, guard=[])
        with blaming(f"Rule {rule.name}", rule.file, rule.line), suppress(Disabled):
            rule(s, t, *self._name_all(rule.domains(self._frame), arguments))
        _SEEN.add(rule)

    def expect_property(self, prop: Property, arguments: tuple[Argument, ...]) -> None:
        """Raise a StyleError where a property of a world mixes up the ids of two sets."""
        if prop in _SEEN:
            return
        s = self._world(self._frame, self._cells)
        told = self._name_all(prop.domains(self._frame), arguments)
        with blaming(f"Property {prop.name}", prop.file, prop.line):
            prop(s, *told)
            if prop.given is not None:
                prop.given(s, *told)
        _SEEN.add(prop)

    @staticmethod
    def _name_all(domains: Sequence[ArgumentDomain], arguments: tuple[Argument, ...]) -> list[Argument]:
        return [
            _name_each(value, domain.interval.domain.members)
            for value, domain in zip(arguments, domains, strict=True)
        ]


_SEEN: Final[set[Rule | Property]] = set()
"""A text is looked at in the first scope that asks for it, since it says the same in all."""


def _name_each(value: Argument, ids: Ids | None) -> Argument:
    return tuple(name(each, ids) for each in value) if isinstance(value, tuple) else name(value, ids)


class _NamedRow(Row):
    """A table that looks at its keys."""

    __slots__ = ("_frame",)

    def __init__(self, frame: NameFrame, row: Row) -> None:
        super().__init__(row.placed, row.cells, row.base, row.depth)
        self._frame = frame

    def __getitem__(self, key: Key) -> Value:
        """Read at keys of the right sets."""
        self._frame.refuse_other_keys(self.placed, self.depth, _list_keys(key))
        found = super().__getitem__(key)
        return _NamedRow(self._frame, found) if isinstance(found, Row) else found


class _NamedWriter(Writer):
    """A table of the world after the step that looks at keys and values."""

    __slots__ = ("_frame",)

    def __init__(self, frame: NameFrame, placed: Placed, world: World) -> None:
        super().__init__(placed, world)
        self._frame = frame

    def __setitem__(self, key: Key, value: Value) -> None:
        """Assign what belongs there."""
        self._frame.refuse_other_keys(self.placed, 0, _list_keys(key))
        for each in value if isinstance(value, tuple | list) else [value]:
            self._frame.refuse_other_values(self.placed, each)
        super().__setitem__(key, value)


class _NamedLine(Line):
    """A queue that looks at whom it is asked about."""

    __slots__ = ()

    def __init__(self, frame: NameFrame, ranks: Placed, world: World) -> None:
        super().__init__(ranks, world)
        self._ranks = _NamedRow(frame, self._ranks)
        self._writer = _NamedWriter(frame, ranks, world)


class _NamedSums(Sums):
    """Totals that look at whose they are."""

    __slots__ = ("_frame",)

    def __init__(self, frame: NameFrame, declared: Total, world: World) -> None:
        super().__init__(frame.placed[declared.of.name], world)
        self._frame = frame

    def __getitem__(self, member: Value) -> Value:
        """Count the cells that hold an id of their own set."""
        self._frame.refuse_other_values(self._placed, member)
        return super().__getitem__(member)


def _list_keys(key: Key) -> tuple[Value, ...]:
    return key if isinstance(key, tuple) else (key,)
