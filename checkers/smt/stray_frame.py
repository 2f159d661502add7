"""The frame of an open world that looks at what tables are asked for, while open_strays.py runs the texts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import z3

from nomadspec.checkers.smt.algebra import as_term, list_unknowns
from nomadspec.checkers.smt.binder import OpenBinder, UnreadableError
from nomadspec.checkers.smt.open_definedness import OpenAnswers
from nomadspec.checkers.smt.open_frame import OpenFrame, list_values
from nomadspec.checkers.smt.open_tables import OpenRow
from nomadspec.checkers.smt.places import Places
from nomadspec.checkers.smt.symbols import Role, name_symbol, new_value_for
from nomadspec.model.language.logic import Value, all_of, implies

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from nomadspec.checkers.smt.state import Function, State
    from nomadspec.checkers.smt.update import Keys
    from nomadspec.model.language.bounded import BoundedModel
    from nomadspec.model.language.sets import Ids
    from nomadspec.model.language.world import Field, World


@dataclass(frozen=True, slots=True)
class _Write:
    """A write to a cell, or to a part of a table, and what has to hold for it."""

    field: Field
    keys: Keys
    condition: Value
    values: Sequence[Value]


class StrayFrame(OpenFrame):
    """Shows what an open frame shows, with marks where a table may have nothing."""

    def __init__(self, bounded: BoundedModel, context: Value, background: Sequence[Value]) -> None:
        """Take what every scope is, as it is in the context."""
        super().__init__(bounded, context)
        self.binder = _StrayBinder(self)
        self._places = Places(self, bounded, background)
        self._marks: dict[str, tuple[Ids, ...]] = {}
        """Of marks, by their names, the sets of which their keys may be no members."""
        self._answers = OpenAnswers(self._read_mark, context)
        self._writes: list[_Write] = []

    def take_writes(self) -> list[_Write]:
        """Give what was written since this was asked last."""
        writes, self._writes = self._writes, []
        return writes

    def look_up(
        self, index: tuple[Ids, ...], function: Function, keys: Keys, lowest: Value, rest: Keys = ()
    ) -> Value:
        """Read a cell, or give a mark where there may be none."""
        value = super().look_up(index, function, keys, lowest, rest)
        strays = [pair for pair in zip(index, keys, strict=False) if not self._places.has(*pair)]
        return self._mark(strays, value) if strays else value

    def assign(self, world: World, declared: Field, keys: Keys, value: Value) -> None:
        """Assign to a cell, and note that."""
        self._expect_shape(declared, keys, value)
        condition = all_of(world.condition, self.is_on(declared), *self._list_inside())
        self._writes.append(_Write(declared, keys, condition, list_values(value, self.context)))
        super().assign(world, declared, keys, value)

    def expect_known(self, values: Iterable[Value], given: Sequence[Value] = ()) -> None:
        """Raise an UnreadableError where what a text says may depend on a mark."""
        for value in values if self._marks else ():
            known = self._answers.is_known(value)
            if known is not True and not self._places.must_be(known, [*self._list_inside(), *given]):
                names = (part.decl().name() for part in list_unknowns([value]))
                raise _refuse(next(self._marks[name][0] for name in names if name in self._marks))

    def expect_there(self, writes: Sequence[_Write], given: Sequence[Value], kept: Sequence[Value]) -> None:
        """Raise an UnreadableError where a rule may write at a key that is no member.

        What is kept is how far budgets come. Of a plain number, which nothing counts, that says nothing.
        """
        told = [*given, *kept]
        for write in writes:
            self.expect_known([write.condition], told)
            self.expect_known([*write.keys, *write.values], [*told, write.condition])
        for plain, known in ((False, told), (True, given)):
            self._expect_members(list(self._list_doubts(writes, plain=plain)), known)

    def _list_doubts(self, writes: Sequence[_Write], *, plain: bool) -> Iterator[tuple[Ids, Value]]:
        """List what has to follow so that members are written: of each key, where those before it do."""
        for write in writes:
            index, keys = write.field.index, write.keys
            for place, (ids, key) in enumerate(zip(index, keys, strict=False)):
                before = all_of(write.condition, self.is_there(index, keys[:place]))
                doubt = implies(before, self._places.state_member(ids, key, plain=plain))
                if doubt is not True:
                    yield ids, as_term(doubt, self.context)

    def _expect_members(self, doubts: Sequence[tuple[Ids, Value]], given: Sequence[Value]) -> None:
        """Raise an UnreadableError where something does not follow; most often all of it does."""
        if self._places.must_be(all_of(*[doubt for _, doubt in doubts]), given):
            return
        for ids, doubt in doubts:
            if not self._places.must_be(doubt, given):
                raise _refuse(ids)

    def list_kept(self, writes: Sequence[_Write], after: State) -> Iterator[Value]:
        """List how far budgets have come that are written: further, and another promise is broken."""
        for write in writes:
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

    def _list_inside(self) -> list[Value]:
        return [member.is_inside for member in self.binder.open]

    def _mark(self, strays: Sequence[tuple[Ids, Value]], value: Value) -> Value:
        """Make what stands for what a table has at some keys, if it has anything there."""
        names = [ids.name for ids, _ in strays]
        self._marks[name_symbol(Role.STRAY, *names)] = tuple(ids for ids, _ in strays)
        is_flag = isinstance(value, bool) or z3.is_bool(value)
        at = [as_term(key, self.context) for _, key in strays]
        return new_value_for(Role.STRAY, *names, around=at, is_flag=is_flag, context=self.context)

    def _read_mark(self, part: Value) -> Value:
        """Say where a mark stands for something; None of what is no mark."""
        sets = self._marks.get(part.decl().name())
        if sets is None:
            return None
        return all_of(*map(self._places.state_member, sets, part.children()))


class _StrayBinder(OpenBinder):
    """Quantifies as ever, but lets no mark disappear in sums and names."""

    def __init__(self, frame: StrayFrame) -> None:
        super().__init__(frame.context)
        self._frame = frame

    def total(self, numbers: Iterable[Value]) -> Value:
        """Add up what is known of each member."""
        return super().total(self._look_at(numbers))

    def name(self, text: Callable[..., Value], ids: tuple[Value, ...]) -> Value:
        """Ask for a flag as it is, since a name would hide what it says."""
        return text(*ids)

    def find_patterns(
        self, _around: Sequence[Value], _body: Value, _reminders: Sequence[Value]
    ) -> list[Value]:
        """Find nothing: no solver is told the statement, and only what its text asks for is looked at."""
        return []

    def _look_at(self, numbers: Iterable[Value]) -> Iterator[Value]:
        for number in numbers:
            self._frame.expect_known([number])
            yield number


def _refuse(ids: Ids) -> UnreadableError:
    return UnreadableError(
        f"{ids.name} are asked for what may be none of them, as only the scope says how far that goes; index "
        "them by an id or place that a cell or argument holds, or write where a guard says that there is one."
    )
