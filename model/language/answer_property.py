"""What has to hold in every reachable world so that the texts of a model have answers there.

A text that raises something, or that asks a table for what it has not where that matters, has none. All of
this becomes one property, which is added to the model where there is anything of the kind: every engine asks
it like any other, whatever else is asked, and none says that all holds where it does not.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Any, Final

from nomadspec.model.errors import ModelError, StrayError
from nomadspec.model.language.definedness import Answers
from nomadspec.model.language.implied_bounds import Bounds
from nomadspec.model.language.logic import Value, all_of, any_of, implies, not_
from nomadspec.model.language.model_promises import TEXTS_HAVE_ANSWERS, WHY_ANSWERS
from nomadspec.model.language.property import By, Kind, Property, make_question
from nomadspec.model.language.term import Term
from nomadspec.model.language.term_substitution import Recast
from nomadspec.model.language.trace import WITHOUT_ANSWER

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from nomadspec.model.language.domain import Interval
    from nomadspec.model.language.stray_indexes import Stray, Strays
    from nomadspec.model.language.trace import Run
    from nomadspec.model.language.world import World

_MOST_TRIED: Final = 256
"""Of so few values of cells each is tried, to see whether a text always has an answer."""


@dataclass(frozen=True, slots=True)
class Duty:
    """What has to hold in every world so that a text has an answer there, and what is said elsewhere."""

    who: str
    must: Value
    strays: tuple[Stray, ...] = ()
    sentence: str | None = None
    """What the text raises wherever it is asked."""
    of: frozenset[str] = frozenset()
    """The rules and properties whose texts say so."""

    def tell(self, read: Callable[[Value], Value]) -> str:
        """Say what the text asks for in a world that reads terms."""
        for stray in self.strays:
            if read(stray.is_member) is not True and read(stray.condition) is True:
                return f"{self.who} {stray.tell(read(stray.key))}."
        return self.sentence or f"{self.who} asks a table for what it has not."


class Duties:
    """The duties of a model in a scope, as they are found while its texts are read."""

    def __init__(self, intervals: Sequence[Interval], cells: Sequence[Value]) -> None:
        """Know the cells of a world, what they can hold, and of no duty yet."""
        self._intervals = intervals
        self._cells = cells
        self.of_rules: dict[int, Duty] = {}
        """What has to hold wherever an instance can happen, by its number."""
        self._others: list[Duty] = []
        self._by_number: str | None = None
        """A table that is read at a number of the world, of which only the scope says how far it goes."""
        self.straying: frozenset[str] = frozenset()
        """The properties of steps that ask a table for what it may not have."""

    def without(self, names: Collection[str]) -> Duties:
        """Give the duties of all other rules and properties than some."""
        others = Duties(self._intervals, self._cells)
        others._others = [duty for duty in self._others if duty.of.isdisjoint(names)]
        others.of_rules = {at: duty for at, duty in self.of_rules.items() if duty.of.isdisjoint(names)}
        others.straying, others._by_number = self.straying, self._by_number
        return others

    def list_musts(self) -> frozenset[tuple[type, Value]]:
        """List what has to hold everywhere; what is the same of two models is one object."""
        musts = (duty.must for duty in self._list())
        return frozenset((type(must), must.id if isinstance(must, Term) else must) for must in musts)

    def note_numbers(self, strays: Strays) -> None:
        """Note whether a table is read at a number of the world."""
        if strays.number is not None:
            self._by_number = strays.number.field.name

    @property
    def reads(self) -> frozenset[int]:
        """The cells that say whether all texts have answers."""
        return frozenset[int]().union(*(one.must.reads for one in self._list() if isinstance(one.must, Term)))

    def find_reason_for_scope(self) -> str | None:
        """Say why it can only be asked in a scope whether all texts have answers; None where it is clear."""
        if self._list():
            return "a text has no answer in some worlds, reachable or not, so it is asked in the scope alone."
        if self._by_number is None:
            return None
        return (
            f"{self._by_number} is read at a number of the world, and only the scope says how far that goes; "
            "index it by an id or place that a cell or argument holds."
        )

    def note_rule(self, who: str, number: int | None, run: Run | None, strays: Strays, *of: str) -> None:
        """Note what an instance needs; it has no number where it would never happen."""
        if run is None:
            return
        written = [*run.after] if run.failure is None else []
        pairs = zip(written, self._intervals, strict=False)
        kept = [
            (value, interval)
            for value, interval in pairs
            if isinstance(value, Term) and _may_pass(value, interval)
        ]
        duty = self._find(who, run.guard, written, strays, kept)
        self._keep(duty, of, number)

    def note_text(
        self, who: str, guard: Sequence[Value], values: Sequence[Value], strays: Strays, *of: str
    ) -> None:
        """Note what a text needs that is asked for some values wherever a guard holds."""
        self._keep(self._find(who, guard, values, strays), of)

    def note_failing(self, sentence: str, guard: Sequence[Value], *of: str) -> None:
        """Note that a text has no answer wherever a guard holds."""
        self._keep(Duty("", not_(all_of(*guard)), sentence=sentence), of)

    def _keep(self, duty: Duty | None, of: Sequence[str], number: int | None = None) -> None:
        if duty is None:
            return
        duty = replace(duty, of=frozenset(of))
        if number is None:
            self._others.append(duty)
        else:
            self.of_rules[number] = duty

    def find_broken(self, cells: Sequence[int]) -> str | None:
        """Say which text has no answer in a world, and what it asks for."""
        read = Recast(cells).read
        broken = (duty for duty in self._list() if read(duty.must) is not True)
        return next((duty.tell(read) for duty in broken), None)

    def expect_answer(self, number: int, cells: Sequence[int]) -> None:
        """Raise a StrayError where an instance asks a table for what it has not."""
        duty = self.of_rules.get(number)
        if duty is None:
            return
        read = Recast(cells).read
        if read(duty.must) is not True:
            raise StrayError(duty.tell(read))

    def expect_possible(self) -> None:
        """Raise a ModelError where a text has no answer in any world."""
        for duty in self._list():
            if duty.must is False:
                raise ModelError(duty.tell(Recast(()).read))

    def list_reads(self, number: int) -> frozenset[int]:
        """List the cells that say whether an instance asks a table for what it has not."""
        duty = self.of_rules.get(number)
        return duty.must.reads if duty is not None and isinstance(duty.must, Term) else frozenset()

    def make_property(self) -> Property | None:
        """Make the property that all texts have answers; None where nothing could lack one."""
        must = all_of(*(duty.must for duty in self._list()))
        return None if must is True else _make_property(must)

    def _list(self) -> Sequence[Duty]:
        return (*self._others, *self.of_rules.values())

    def _find(
        self,
        who: str,
        guard: Sequence[Value],
        values: Sequence[Value],
        strays: Strays,
        kept: Sequence[tuple[Term, Interval]] = (),
    ) -> Duty | None:
        """Find what a text needs; what it writes is kept in domains, since another promise is broken else."""
        bounds = Bounds(guard, kept)
        harmless = frozenset(at for at, stray in enumerate(strays.reads) if bounds.admits(stray))
        answers = Answers(harmless)
        flags = [answers.read_flag(flag) for flag in guard]
        known = [answers.is_known(value) for value in values]
        for stray in strays.writes:
            if not Bounds((*guard, stray.condition), kept).admits(stray):
                may, may_not = answers.read_flag(stray.condition)
                known += [any_of(may, may_not), implies(may, answers.read_flag(stray.is_member)[0])]
        if all(one is True for one in known) and all(answers.has_no_marks(flag) for flag in guard):
            return None
        must = any_of(*(false for _, false in flags), all_of(*(true for true, _ in flags), *known))
        if self._is_always(must):
            return None
        without_marks = Recast(self._cells).read(must)
        return Duty(who, without_marks, (*strays.reads, *strays.writes))

    def _is_always(self, must: Value) -> bool:
        """True if a flag is true whatever its cells hold; of many cells nobody tries."""
        if not isinstance(must, Term):
            return bool(must)
        cells = sorted(must.reads)
        if prod(self._intervals[cell].high - self._intervals[cell].low + 1 for cell in cells) > _MOST_TRIED:
            return False
        world = [interval.low for interval in self._intervals]
        for values in product(*(self._intervals[cell].values() for cell in cells)):
            for cell, value in zip(cells, values, strict=True):
                world[cell] = value
            if Recast(world).read(must) is not True:
                return False
        return True


def ask_nothing(prop: Property) -> Property:
    """Give a property of the same name that no world breaks, and none shows."""
    answer = prop.kind is not Kind.SOMETIMES

    def text(*_worlds_and_arguments: Value) -> Value:
        return answer

    return replace(prop, text=text, given=None, keeps=None)


def ask_elsewhere(prop: Property, failing: Collection[tuple[str, tuple[Any, ...]]]) -> Property:
    """Give a property of steps that says nothing of those of which its text raises something."""

    def text(s: World, n: World, by: By) -> Value:
        if type(by) is By and (by.rule.name, by.arguments) in failing:
            return True
        try:
            return prop.text(s, n, by)
        except WITHOUT_ANSWER:  # it is one of these
            return True

    return replace(prop, text=text)


def _make_property(must: Value) -> Property:
    def texts_have_answers(s: World) -> Value:
        return Recast(s.cells).read(must)

    return make_question(Kind.ALWAYS, TEXTS_HAVE_ANSWERS, texts_have_answers, WHY_ANSWERS)


def _may_pass(value: Term, interval: Interval) -> bool:
    """True if a number that is written may be larger than its domain."""
    return not interval.is_flag and value.high > interval.high
