"""Names: what indexes a table, or is written into one, must be an id of the set that belongs there.

Inside a model ids are plain numbers, so that one of another set would be read as if it belonged. The text of
each rule and of each property is run once more with ids that know their set. Only keys and values are looked
at; what is computed, as ``s.made[job] + 1``, is a number and belongs to no set.

The ids of an ``index`` are numbers that know their set: their order shows, and a text may look them up in a
table of its own. The ids of a set of interchangeable ones are no numbers here but terms: nobody can order,
count or look them up, nor name one of them, since a search may exchange them with one another.
"""

from __future__ import annotations

from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import cached_property, partial
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from nomadspec.model.errors import NamingError, UnknownValueError
from nomadspec.model.language.copies import Copies
from nomadspec.model.language.enum_members import expect_one_enum, expect_own_enum
from nomadspec.model.language.frame import FiniteFrame, Line, Row, Sums, Writer
from nomadspec.model.language.literals import (
    Bound,
    Given,
    expect_possible,
    list_bounds_of_budgets,
    mark_bound,
    refuse_bound,
)
from nomadspec.model.language.logic import all_of
from nomadspec.model.language.orders import OrderCheck
from nomadspec.model.language.pairs import Ask, Heard, Heeded
from nomadspec.model.language.part import Part
from nomadspec.model.language.property import By
from nomadspec.model.language.questions import Asking, make_asking
from nomadspec.model.language.subterms import find_position, list_leaves
from nomadspec.model.language.term import BeforeAll, Term, TermTable
from nomadspec.model.language.trace import (
    WITHOUT_ANSWER,
    Instance,
    TracedInstance,
    blaming,
    list_conjuncts,
    trace_cells,
)
from nomadspec.model.language.world import Disabled
from nomadspec.model.specification.quirk import Quirk

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from nomadspec.model.language.arguments import Argument, ArgumentDomain
    from nomadspec.model.language.domain import Interval
    from nomadspec.model.language.frame import Key, Placed
    from nomadspec.model.language.logic import Value
    from nomadspec.model.language.property import Property
    from nomadspec.model.language.rule import Rule
    from nomadspec.model.language.sets import Ids, Size
    from nomadspec.model.language.world import Field, Queue, Total, World


_Circumstance: TypeAlias = "Ids | Quirk | str"
"""What a text can branch on: the length of a set, a quirk, or what a field is, by its name."""


class Name(Given):
    """An id of an index that knows its set; it is looked up as the number that it is."""

    ids: Ids

    def __sub__(self, less: Any) -> Any:  # noqa: ANN401 -- a number or a term
        """Count back from the place of the id, perhaps to before the first."""
        found = super().__sub__(less)
        return _BeforeAll(found) if isinstance(found, int) and found < 0 else found


class _BeforeAll(Given, BeforeAll):
    """Where one comes by counting back from an id: before the first, where nobody is."""


class _Choices(tuple[Any, ...]):
    """The values that an argument gives to the members of a set of interchangeable ids."""

    __slots__ = ()

    def __getitem__(self, key: Any) -> Any:  # noqa: ANN401 -- as for any tuple
        """Give the value of a member, which is no number here."""
        if isinstance(key, int):
            raise _name_one("an argument over interchangeable ids", key)
        return super().__getitem__(find_number(key) if isinstance(key, Term) else key)


class NameFrame(FiniteFrame):
    """A finite frame that refuses keys and values which are ids of other sets."""

    def __init__(self, frame: FiniteFrame) -> None:
        """Show the same cells."""
        vars(self).update(vars(frame))
        self._sets = frame.schema.sets
        self._table = TermTable(self._expect_alike)
        self._alike: set[tuple[object, ...]] = set()
        """What was compared and is in style: terms, by their numbers in the table, and plain values."""
        self.is_turned = False
        """Whether interchangeable ids are gone through from the last one on."""
        self.is_rule = False
        """Whether the text that runs is a rule's."""
        self.incomparable: frozenset[str] = frozenset()
        """The sizes that a rule which runs does not compare: they bound budgets, and nothing else."""
        self.copies: Copies | None = None
        """What notes, while a rule is looked at, what it assigns to records."""
        self.asked: dict[_Circumstance, tuple[int, ...]] = {}
        """What a text that ran can have branched on, with what it was told."""

    def find_out(self, about: _Circumstance) -> tuple[int, ...]:
        """Tell what a text can branch on, as numbers: where they are larger, more of the text shows."""
        if isinstance(about, Quirk):
            return (super().has(about),)
        if isinstance(about, str):
            placed = self.placed.get(about) or self.absent[about]
            return (about in self.placed, min(placed.interval.high, _MANY))
        return (min(super().length(about), _MANY),)

    def _ask(self, about: _Circumstance) -> None:
        if about not in self.asked:
            self.asked[about] = self.find_out(about)

    def touch(self, declared: Field) -> None:
        """Note that a text reads or writes a field: its sets, and those that its cells hold."""
        if declared.name not in self.asked:
            self._ask(declared.name)
            members = declared.domain.members
            for ids in declared.index if members is None else (*declared.index, members):
                self._ask(ids)

    def size(self, declared: Size) -> Value:
        """Give a size as a number that is told from those of the text; some a rule does not compare."""
        number = super().size(declared)
        return mark_bound(number, declared.name) if declared.name in self.incomparable else Bound(number)

    def length(self, ids: Ids) -> int:
        """Give the number of members of a set."""
        self._ask(ids)
        return super().length(ids)

    def has(self, quirk: Quirk) -> bool:
        """True if the profile has the quirk."""
        self._ask(quirk)
        return super().has(quirk)

    @cached_property
    def cells(self) -> tuple[Value, ...]:
        """Make terms that no engine sees; most scopes have nothing left to look at."""
        return self._both[: self.cell_count]

    @cached_property
    def after(self) -> tuple[Value, ...]:
        """Make those of the world after a step."""
        return self._both[self.cell_count :]

    @cached_property
    def _both(self) -> tuple[Value, ...]:
        return trace_cells(self, worlds=2, table=self._table)

    def name(self, value: int, ids: Ids | None) -> Value:
        """Give an id that knows its set; what is no id is a number that the scope gives."""
        if ids is None or value < 0:
            return value if isinstance(value, bool) else Given(value)
        if ids.is_symmetric:
            return self._table.member(self._sets.index(ids), value)
        named = Name(value)
        named.ids = ids
        return named

    def name_cells(self, cells: Sequence[Value]) -> tuple[Value, ...]:
        """Give cells whose plain numbers, where these are ids, know their set."""
        return tuple(
            cell if isinstance(cell, Term) else self.name(cell, interval.domain.members)
            for cell, interval in zip(cells, self.intervals, strict=True)
        )

    def name_argument(self, value: Argument, ids: Ids | None, index: Ids | None) -> Value:
        """Give an argument of a rule or property whose ids know their set."""
        for each in (ids, index):
            if each is not None:
                self._ask(each)
        if not isinstance(value, tuple):
            return self.name(value, ids)
        named = tuple(self.name(each, ids) for each in value)
        return _Choices(named) if index is not None and index.is_symmetric else named

    def iterate(self, ids: Ids) -> Iterator[Value]:
        """Go through the ids of a set, each of which knows it."""
        self._ask(ids)
        return (self.name(member, ids) for member in self._list_places(ids))

    def read(self, world: World, declared: Field) -> Value:
        """Give a value, or a table that looks at its keys."""
        self.touch(declared)
        found = super().read(world, declared)
        if isinstance(found, Writer):
            return _NamedWriter(self, found.placed, world)
        if isinstance(found, Row):
            return _NamedRow(self, found)
        return found if isinstance(found, Part) else self.name_first(self.find_placed(declared), found)

    def name_first(self, placed: Placed, value: Value) -> Value:
        """Give the first value of a field that is left out as one that the scope gives, and no text says."""
        if placed.field.name not in self.absent or not isinstance(value, int):
            return value
        return self.name(value, placed.field.domain.members)

    def write(self, world: World, declared: Field, value: Value) -> None:
        """Assign to all of a field what belongs into it."""
        self.touch(declared)
        if declared.name not in self.placed:
            return
        _NamedWriter(self, self.placed[declared.name], world)[()] = value

    def line(self, world: World, declared: Queue) -> Line:
        """Give a queue that looks at what it is asked about."""
        ranks = self.placed[declared.name]
        self.touch(ranks.field)
        return _NamedLine(self, ranks, world)

    def sums(self, world: World, declared: Total) -> Sums:
        """Give totals that look at whose they are."""
        self.touch(declared.of)
        return _NamedSums(self, declared, world)

    def read_keys(self, placed: Placed, depth: int, keys: tuple[Value, ...]) -> tuple[Value, ...]:
        """Give keys as the plain frame reads them; raises a StyleError where one is of another set."""
        for ids, key in zip(placed.field.index[depth:], keys, strict=False):
            back = _find_before_all(key)
            if back is not None:
                raise NamingError(
                    f"{placed.field.name} is read or written {back} before the first of the {ids.name}, "
                    "where nobody is: for a ring write (i - 1) % s.size with the size of the set, for a row "
                    "leave out the first, for i in s.set if i > 0."
                )
            if isinstance(key, Term) and key.op == "member" and self._sets[int(key.args[1])] is ids:
                continue  # as below, for most keys
            for found in self.list_sets(key):
                if found is not ids:
                    raise NamingError(
                        f"{placed.field.name} is read or written at one of its {ids.name} that is one of "
                        f"the {found.name}: the ids of two sets are mixed up."
                    )
            if ids.is_symmetric:
                self._refuse_numbers(f"{placed.field.name} is read or written at", ids, key)
        return tuple(find_number(key) for key in keys)

    def put_in_order(self, placed: Placed, depth: int, values: Sequence[Value]) -> Sequence[Value]:
        """Give values, which a text lists as it goes through ids, in the order of the cells."""
        shape, index = placed.shape[depth:], placed.field.index[depth:]
        if not self.is_turned or len(values) != prod(shape):
            return values
        found = dict(zip(product(*map(self._list_places, index)), values, strict=True))
        return [found[place] for place in product(*map(range, shape))]

    def _list_places(self, ids: Ids) -> Sequence[int]:
        """List the members of a set in the order in which a text goes through them now."""
        members = range(super().length(ids))
        return members[::-1] if self.is_turned and ids.is_symmetric else members

    def refuse_other_values(self, placed: Placed, value: Value) -> None:
        """Raise a StyleError when a value is an id of another set than the cells hold."""
        wanted = placed.interval.domain.members
        expect_own_enum(placed.field.name, placed.interval.domain, value, self.find_interval)
        for found in self.list_sets(value):
            if wanted is not None and found is not wanted:
                raise NamingError(
                    f"{placed.field.name} holds some of the {wanted.name}, and is given one of the "
                    f"{found.name}: the ids of two sets are mixed up."
                )
            if wanted is None and found.is_symmetric:
                raise NamingError(
                    f"{placed.field.name} holds no ids, and is given one of the {found.name}: these are "
                    f"interchangeable, so that their numbers mean nothing; hold it in a field whose domain "
                    f"is {found.name} or opt({found.name}), or declare the set with index(...)."
                )
        if wanted is not None and wanted.is_symmetric:
            self._refuse_numbers(f"{placed.field.name} is given", wanted, value)

    def find_interval(self, cell: Term) -> Interval:
        """Find what a cell holds, of the world before a step or after it."""
        return self.intervals[find_position(cell) % self.cell_count]

    @cached_property
    def _budgets(self) -> Mapping[int, str]:
        """The cells that count what a scope bounds, each with the name of its field."""
        return {
            cell: placed.field.name
            for placed in self.placed.values()
            if placed.field.is_budget
            for cell in range(placed.base, placed.base + placed.span)
        }

    @cached_property
    def bounds_of_budgets(self) -> frozenset[str]:
        """The sizes that bound budgets, and nothing else in the world."""
        return list_bounds_of_budgets(self.schema)

    def _find_budget(self, cell: Term) -> str | None:
        return self._budgets.get(find_position(cell) % self.cell_count)

    def _refuse_numbers(self, what: str, ids: Ids, value: Value) -> None:
        """Raise a StyleError where a number stands for an id of an interchangeable set."""
        for leaf in list_leaves(value):
            if isinstance(leaf, Term) and not leaf.is_name and leaf.high >= 0:
                raise _take_number(what, ids)
            if isinstance(leaf, int) and not isinstance(leaf, Name | bool) and leaf >= 0:
                raise _name_one(f"{what} one of the {ids.name} that", leaf)

    def _expect_alike(self, one: Term, other: object, is_equal: bool) -> None:  # noqa: FBT001 -- see Alike
        """Raise a StyleError where a value is compared with an id or status of another kind."""
        said = other.id if isinstance(other, Term) else other
        key = (one.id, is_equal, self.is_rule, type(other), said)
        is_noted = type(other) in _NOTED or isinstance(other, IntEnum)
        if is_noted and key in self._alike:
            return
        if self.is_rule:
            refuse_bound(one, other, self._find_budget, self.find_interval)
        expect_one_enum(one, other, self.find_interval)
        if is_equal:
            expect_possible(one, other, self.find_interval)
        if one.is_name and (isinstance(other, Name) or (isinstance(other, Term) and other.is_name)):
            self._expect_one_set(one, other)
        if is_noted:
            self._alike.add(key)

    def _expect_one_set(self, one: Value, other: Value) -> None:
        """Raise a NamingError where an id is compared with one of another set."""
        ours, theirs = self.list_sets(one), self.list_sets(other)
        if ours and theirs and not ours & theirs:
            first, second = (min(ids.name for ids in found) for found in (ours, theirs))
            raise NamingError(
                f"One of the {first} is compared with one of the {second}: the ids of two sets are mixed up."
            )

    def list_sets(self, value: Value) -> set[Ids]:
        """List the sets of which a value may be an id, as far as that is known."""
        found: set[Ids] = set()
        for leaf in list_leaves(value):
            if isinstance(leaf, Name):
                found.add(leaf.ids)
            elif isinstance(leaf, Term) and leaf.op == "member":
                found.add(self._sets[int(leaf.args[1])])
            elif isinstance(leaf, Term) and leaf.op == "cell":
                members = self.find_interval(leaf).domain.members
                found |= set() if members is None else {members}
        return found


class _Told(By):
    """The rule of a step with arguments that know their sets; somebody else hears what is asked."""

    def __init__(self, heard: Heard, told: Mapping[str, Argument]) -> None:
        """Answer as somebody else would, with other arguments."""
        object.__setattr__(self, "_heard", heard)
        object.__setattr__(self, "_by_name", told)

    _heard: Heard
    _by_name: Mapping[str, Argument]

    @property
    def rule(self) -> Rule:
        """Give the rule."""
        return self._heard.rule

    @property
    def arguments(self) -> tuple[Argument, ...]:
        """Give the arguments."""
        return tuple(self._by_name.values()) if self._heard.arguments else ()

    def is_(self, *rules: Rule) -> bool:
        """True if the step was made by one of the rules."""
        return self._heard.is_(*rules)

    def __getitem__(self, name: str) -> Value:
        """Give an argument by its name."""
        self._heard[name]  # who hears it raises where there is none
        return self._by_name[name]


@dataclass(frozen=True, slots=True)
class _Look:
    """One look at a text: what it was told, and what it asked of the step."""

    told: Mapping[_Circumstance, tuple[int, ...]]
    asks: Sequence[Ask] = ()
    is_whole: bool = True
    """Whether the text was run to its end, so that it shows no more where it is told less."""

    def covers(self, frame: NameFrame) -> bool:
        """True if a scope shows nothing else of a text: its quirks are the same, the rest no more."""
        return all(
            now == then or (self.is_whole and not isinstance(about, Quirk) and _is_less(now, then))
            for about, then in self.told.items()
            for now in (frame.find_out(about),)
        )


class NameCheck:
    """Looks once at the texts of rules, of properties and of rest."""

    def __init__(self, world: type[World], frame: FiniteFrame) -> None:
        """Show a scope in which ids know their sets."""
        self._world = world
        self._asked = make_asking(world)
        self._frame = NameFrame(frame)
        self._copies = Copies(world, frame, self._frame.touch)
        self._orders = OrderCheck(frame.intervals * 2)
        self._has_order = any(ids.is_symmetric and frame.length(ids) > 1 for ids in frame.schema.sets)
        self._is_whole = True
        """Whether a text was run to its end."""
        self._is_cut = False
        """Whether a rule was seen only until it was clear that it cannot happen."""

    def expect_rule(self, rule: Rule, cases: Sequence[tuple[Argument, ...]]) -> None:
        """Raise a StyleError where a rule mixes up the ids of two sets, or names an interchangeable one."""
        domains = rule.domains(self._frame)
        for shown, arguments in _choose_cases(domains, cases):
            if self._find_look(rule, shown) is None:
                with self._noting(rule, shown):
                    with blaming(f"Rule {rule.name}", rule.file, rule.line):
                        self._expect_order(partial(self._run, rule, self._name_all(domains, arguments)))
                    if not self._is_cut:
                        self._copies.expect_whole(rule)

    def expect_property(self, prop: Property, cases: Sequence[tuple[Argument, ...]]) -> None:
        """Raise a StyleError where a property of a world mixes up ids, or names an interchangeable one."""
        domains = prop.domains(self._frame)
        for shown, arguments in _choose_cases(domains, cases):
            if self._find_look(prop, shown) is not None:
                continue
            with blaming(f"Property {prop.name}", prop.file, prop.line), self._noting(prop, shown):
                told = self._name_all(domains, arguments)
                for text in prop.texts:
                    self._expect_order(partial(_ask, text, self._show(), *told))

    def expect_step(self, prop: Property, instances: Sequence[Instance]) -> None:
        """Raise a StyleError where a property of steps mixes up ids, or names an interchangeable one."""
        heeded = Heeded()
        for instance in instances:
            by = By(instance.rule, instance.arguments)
            if heeded.find(by).is_made:
                continue
            domains = instance.rule.domains(self._frame)
            ((shown, _),) = _choose_cases(domains, [instance.arguments])
            look = self._find_look(prop, instance.rule, shown)
            asks = self._look_at_step(prop, instance, shown) if look is None else look.asks
            if self._is_whole if look is None else look.is_whole:
                heeded.keep({ask: ask.answer(by) for ask in asks}, made=True)

    def _look_at_step(self, prop: Property, instance: Instance, shown: tuple[Argument, ...]) -> Sequence[Ask]:
        rule = instance.rule
        heard = Heard(By(rule, instance.arguments))
        with blaming(f"Property {prop.name}", prop.file, prop.line), self._noting(prop, rule, shown) as asks:
            named = self._name_all(rule.domains(self._frame), instance.arguments)
            by = _Told(heard, dict(zip([name for name, _ in rule.arguments], named, strict=True)))
            try:
                self._expect_order(partial(_ask, prop, self._show(), self._show(after=True), by))
            except UnknownValueError:  # it may be in style for those only who know what a step writes
                self._is_whole = False
                self._look_where_known(prop, rule, named, by)
            asks.extend(heard.heard)
        return asks

    def _look_where_known(self, prop: Property, rule: Rule, named: Sequence[Argument], by: By) -> None:
        """Look at a text once more in worlds of which it is known what the step requires and writes."""
        cells = self._frame.cells
        required, *after = self._run(rule, named)
        writes = {place: value for place, value in enumerate(after) if value is not cells[place]}
        traced = TracedInstance(Instance(-1, rule, ()), list_conjuncts(required), writes)
        known = traced.before(cells)
        both = (self._frame.name_cells(each) for each in (known, traced.after(known)))
        s, n = (self._asked(self._frame, each) for each in both)
        with suppress(UnknownValueError):  # what a guard says of ids is not known here
            self._expect_order(partial(_ask, prop, s, n, by))

    def expect_rest(self, who: str, rest: Callable[..., Value]) -> None:
        """Raise a StyleError where what says which worlds are at rest names an interchangeable id."""
        if self._find_look(rest) is None:
            with blaming(who, rest.__code__.co_filename, rest.__code__.co_firstlineno), self._noting(rest):
                self._expect_order(partial(_ask, rest, self._show()))

    def _find_look(self, *text: Any) -> _Look | None:
        """Find an earlier look at a text, which was told as much as it would be told now."""
        looks = _LOOKS.get((self._world, *text), ())
        return next((look for look in looks if look.covers(self._frame)), None)

    @contextmanager
    def _noting(self, *text: Any) -> Iterator[list[Ask]]:
        """Note a look at a text that is found to be in style, unless it was cut short."""
        self._frame.asked, self._is_whole, self._is_cut = {}, True, False
        asks: list[Ask] = []
        yield asks
        if not self._is_cut:
            _LOOKS.setdefault((self._world, *text), []).append(_Look(self._frame.asked, asks, self._is_whole))

    def _expect_order(self, run: Callable[[], Sequence[Value]]) -> None:
        """Raise a NamingError where what a text makes depends on the order of interchangeable ids."""
        usual = run()
        if not self._has_order:
            return
        self._frame.is_turned = True
        try:
            turned = run()
        finally:
            self._frame.is_turned = False
        self._orders.expect_same(usual, turned)

    def _run(self, rule: Rule, told: Sequence[Argument]) -> list[Value]:
        """Give what a rule requires and what it makes of each cell, as far as it can happen."""
        guard: list[Value] = []
        after = list(self._frame.cells)
        t = self._asked(self._frame, after, condition=True, guard=guard)
        self._copies.begin(rule.file)
        try:
            t.require_features(rule.part_of, rule.instead_of)  # which is no doing of the text
            self._frame.is_rule, self._frame.copies = True, self._copies
            parts = (part for one in rule.domains(self._frame) for part in one.interval.domain.list_parts())
            self._frame.incomparable = self._frame.bounds_of_budgets - {part.name for part in parts}
            replace(rule, part_of=(), instead_of=())(self._show(), t, *told)
        except Disabled:
            self._is_cut = True
            return [False, *self._frame.cells]
        except WITHOUT_ANSWER:  # a search tells whether it ever comes to that
            self._is_cut = True
        finally:
            self._frame.is_rule, self._frame.copies, self._frame.incomparable = False, None, frozenset()
        return [all_of(*guard), *after]

    def _show(self, *, after: bool = False) -> World:
        return self._asked(self._frame, self._frame.after if after else self._frame.cells)

    def _name_all(self, domains: Sequence[ArgumentDomain], arguments: tuple[Argument, ...]) -> list[Argument]:
        return [
            self._frame.name_argument(value, domain.interval.domain.members, domain.index)
            for value, domain in zip(arguments, domains, strict=True)
        ]


_LOOKS: Final[dict[tuple[Any, ...], list[_Look]]] = {}
"""The looks at each text: it is looked at again only where more of it may show."""

_MANY: Final = 2
"""Of so many members of a set all show the same: none is a set of its own, and one alone has no order."""

_NOTED: Final = frozenset({Term, int, bool})
"""Of what is compared, these are known by their number alone: an id of an index is not, nor is a list."""

_MOST_CASES: Final = 8
"""So many cases of a text are looked at; only arguments that are plain numbers make it say other things."""


def _ask(text: Callable[..., Value], *told: Any) -> list[Value]:
    return [text(*told)]


def _is_less(now: tuple[int, ...], then: tuple[int, ...]) -> bool:
    return all(one <= other for one, other in zip(now, then, strict=True))


def _choose_cases(
    domains: Sequence[ArgumentDomain], cases: Sequence[tuple[Argument, ...]]
) -> Sequence[tuple[tuple[Argument, ...], tuple[Argument, ...]]]:
    """Choose cases that differ in what is more than a name, which is given beside each."""
    names = [domain.interval.domain.members for domain in domains]
    is_named = [members is not None and members.is_symmetric for members in names]
    found: dict[tuple[Argument, ...], tuple[Argument, ...]] = {}
    for case in cases:
        shown = tuple(value for value, is_name in zip(case, is_named, strict=True) if not is_name)
        found.setdefault(shown, case)
        if len(found) == _MOST_CASES:
            break
    return list(found.items())


def find_number(key: Value) -> Value:
    """Give the number of an id that knows its set, for who looks it up; other keys stay as they are."""
    if isinstance(key, Term) and key.op == "member":
        return key.args[0]
    return int(key) if isinstance(key, Name) else key


def _name_one(what: str, number: int) -> NamingError:
    return NamingError(
        f"{what} is named by the number {number}: the ids of a set are interchangeable, so that none can be "
        "told from the others; let a rule choose one by an argument, go through all of them, or declare the "
        "set with index(...)."
    )


def _take_number(what: str, ids: Ids) -> NamingError:
    return NamingError(
        f"{what} a number where one of the {ids.name} belongs: the ids of a set are interchangeable, so that "
        "no number says which is meant; hold the id itself in a field, or declare the set with index(...)."
    )


def _find_before_all(key: Value) -> int | None:
    """Find how far before the first member a key is that was counted back from one, or may be."""
    if isinstance(key, _BeforeAll):
        return -key
    leaves = list_leaves(key) if isinstance(key, Term) else ()
    return next((-one.low for one in leaves if isinstance(one, Term) and one.op == "before"), None)


class _NamedRow(Row):
    """A table that looks at its keys."""

    __slots__ = ("_frame",)

    def __init__(self, frame: NameFrame, row: Row) -> None:
        is_absent = row.placed.field.name in frame.absent
        cells = tuple(frame.name_first(row.placed, cell) for cell in row.cells) if is_absent else row.cells
        super().__init__(row.placed, cells, row.base, row.depth)
        self._frame = frame

    def __getitem__(self, key: Key) -> Value:
        """Read at keys of the right sets."""
        found = super().__getitem__(self._frame.read_keys(self.placed, self.depth, _list_keys(key)))
        if isinstance(found, Row):
            return _NamedRow(self._frame, found)
        return self._frame.name_first(self.placed, found)


class _NamedWriter(Writer):
    """A table of the world after the step that looks at keys and values."""

    __slots__ = ("_depth", "_frame")

    def __init__(self, frame: NameFrame, placed: Placed, world: World) -> None:
        super().__init__(placed, world)
        self._frame = frame
        self._depth = 0

    def __setitem__(self, key: Key, value: Value) -> None:
        """Assign what belongs there."""
        keys = self._frame.read_keys(self.placed, 0, _list_keys(key))
        is_many = isinstance(value, tuple | list)
        if is_many and not isinstance(value, _Choices):
            value = self._frame.put_in_order(self.placed, len(keys), value)
        given = value.values() if isinstance(value, Row) else value
        self._depth = len(keys)
        for each in given if isinstance(given, tuple | list) else [given]:
            self._frame.refuse_other_values(self.placed, each)
        super().__setitem__(keys, [*map(find_number, value)] if is_many else find_number(value))

    def _put(self, place: int, value: Value, condition: Value) -> None:
        """Assign to a cell; that a counter is compared with its end here is no doing of the text."""
        is_rule, self._frame.is_rule = self._frame.is_rule, False
        if self._frame.copies is not None:
            self._frame.copies.put(self.placed, place, value, self._depth)
        super()._put(place, value, condition)
        self._frame.is_rule = is_rule


class _NamedLine(Asking, Line):
    """A queue that looks at whom it is asked about."""

    __slots__ = ("_names",)

    def __init__(self, frame: NameFrame, ranks: Placed, world: World) -> None:
        super().__init__(ranks, world)
        self._names = frame
        self._ranks = _NamedRow(frame, self._ranks)
        self._writer = _NamedWriter(frame, ranks, world)

    def _members(self) -> Iterator[Value]:
        """Go through the ids that can queue up, each of which knows its set."""
        return self._names.iterate(self._ranks.placed.field.index[0])


class _NamedSums(Sums):
    """Totals that look at whose they are."""

    __slots__ = ("_frame",)

    def __init__(self, frame: NameFrame, declared: Total, world: World) -> None:
        super().__init__(frame.find_placed(declared.of), world, is_absent=declared.of.name in frame.absent)
        self._frame = frame

    def __getitem__(self, member: Value) -> Value:
        """Count the cells that hold an id of their own set."""
        self._frame.refuse_other_values(self._placed, member)
        return super().__getitem__(find_number(member))


def _list_keys(key: Key) -> tuple[Value, ...]:
    return key if isinstance(key, tuple) else (key,)
