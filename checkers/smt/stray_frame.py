"""The frame of an open world that looks at what tables are asked for, while open_strays.py runs the texts."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import z3

from nomadspec.checkers.smt.algebra import as_term, list_parts
from nomadspec.checkers.smt.binder import OpenBinder, UnreadableError
from nomadspec.checkers.smt.open_frame import OpenFrame, list_values
from nomadspec.checkers.smt.open_tables import OpenRow
from nomadspec.checkers.smt.places import Places
from nomadspec.checkers.smt.symbols import Role, name_symbol, new_value_for
from nomadspec.model.language.logic import Value, all_of, implies

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from nomadspec.checkers.smt.state import Function, State
    from nomadspec.checkers.smt.update import Keys
    from nomadspec.model.language.bounded import BoundedModel
    from nomadspec.model.language.world import Field, Ids, World


@dataclass(frozen=True, slots=True)
class _Write:
    """A write to a cell, or to a part of a table, and what has to hold for it."""

    field: Field
    keys: Keys
    condition: Value


class StrayFrame(OpenFrame):
    """Shows what an open frame shows, with marks where a table may have nothing."""

    def __init__(self, bounded: BoundedModel, context: Value, background: Sequence[Value]) -> None:
        """Take what every scope is, as it is in the context."""
        super().__init__(bounded, context)
        self.binder = _StrayBinder(self)
        self._places = Places(self, bounded, background)
        self._marks: dict[str, Ids] = {}
        """The sets of marks, by the names of these."""
        self._writes: list[_Write] = []

    @contextmanager
    def noting_writes(self) -> Iterator[list[_Write]]:
        """Collect what a text writes."""
        self._writes = []
        yield self._writes

    def look_up(
        self, index: tuple[Ids, ...], function: Function, keys: Keys, lowest: Value, rest: Keys = ()
    ) -> Value:
        """Read a cell, or give a mark where there may be none."""
        value = super().look_up(index, function, keys, lowest, rest)
        pairs = zip(index, keys, strict=False)
        stray = next((pair for pair in pairs if not self._places.has(*pair)), None)
        return value if stray is None else self._mark(*stray, value)

    def assign(self, world: World, declared: Field, keys: Keys, value: Value) -> None:
        """Assign to a cell, and note that."""
        self._expect_shape(declared, keys, value)
        self.expect_known(world.condition, *keys, *list_values(value, self.context))
        inside = [member.is_inside for member in self.binder.open]
        condition = all_of(world.condition, self.is_on(declared), *inside)
        self._writes.append(_Write(declared, keys, condition))
        super().assign(world, declared, keys, value)

    def expect_known(self, *values: Value) -> None:
        """Raise an UnreadableError where a mark is left in what a text says."""
        if not self._marks:
            return
        for part in list_parts(value for value in values if z3.is_expr(value)):
            if z3.is_app(part) and part.decl().name() in self._marks:
                raise _refuse(self._marks[part.decl().name()])

    def expect_there(self, writes: Sequence[_Write], after: State, given: Sequence[Value]) -> None:
        """Raise an UnreadableError where a rule may write at a key that is no member."""
        told = [*given, *(fact for write in writes for fact in self._list_kept(write, after))]
        for write in writes:
            for place, (ids, key) in enumerate(zip(write.field.index, write.keys, strict=False)):
                if write.condition is False or self._places.has(ids, key):
                    continue
                before = self.is_there(write.field.index, write.keys[:place])
                if not self._places.must_have(ids, key, [*told, write.condition, before]):
                    raise _refuse(ids)

    def _list_kept(self, write: _Write, after: State) -> Iterator[Value]:
        """List how far a budget has come that is written: another promise is broken where that is too far."""
        declared, keys = write.field, write.keys
        if declared.is_budget and len(keys) == len(declared.index):
            count, high = after.fields[declared.name](*keys), declared.domain.high.evaluate(self.sizes)
            yield implies(all_of(write.condition, self.is_there(declared.index, keys)), count <= high)

    def _expect_shape(self, declared: Field, keys: Keys, value: Value) -> None:
        """Raise an UnreadableError where what is written does not fit, which a scope notes for its rules."""
        if len(keys) > len(declared.index):
            raise UnreadableError(f"{declared.name} is indexed too deeply")
        rest = declared.index[len(keys) :]
        fits = True
        if isinstance(value, OpenRow):
            fits = value.rest == rest
        elif isinstance(value, tuple | list):
            fits = [len(value)] == [self.length(ids) for ids in rest]
        if not fits:
            raise UnreadableError(f"what is written to {declared.name} is a table over other sets")
        written = list_values(value, self.context)
        if any((isinstance(one, bool) or z3.is_bool(one)) != declared.domain.is_flag for one in written):
            raise UnreadableError(
                f"{declared.name} holds flags and is given a number, or the other way round"
            )

    def _mark(self, ids: Ids, key: Value, value: Value) -> Value:
        """Make what stands for what a table has at a key, if it has anything there."""
        self._marks[name_symbol(Role.STRAY, ids.name)] = ids
        is_flag = isinstance(value, bool) or z3.is_bool(value)
        at = [as_term(key, self.context)]
        return new_value_for(Role.STRAY, ids.name, around=at, is_flag=is_flag, context=self.context)


class _StrayBinder(OpenBinder):
    """Quantifies as ever, but lets no mark disappear in a sum, of which nothing is known but its name."""

    def __init__(self, frame: StrayFrame) -> None:
        super().__init__(frame.context)
        self._frame = frame

    def total(self, numbers: Iterable[Value]) -> Value:
        """Add up what has no marks."""
        return super().total(self._look_at(numbers))

    def _look_at(self, numbers: Iterable[Value]) -> Iterator[Value]:
        for number in numbers:
            self._frame.expect_known(number)
            yield number


def _refuse(ids: Ids) -> UnreadableError:
    return UnreadableError(
        f"{ids.name} are asked for what may be none of them, as only the scope says how far that goes; index "
        "them by an id or place that a cell or argument holds, or write where a guard says that there is one."
    )
