"""Sets of any size: one unknown member stands for all, and whoever consumes the generator quantifies over it.

``for x in s.workers`` yields a fresh unknown and keeps it open until the generator goes on. A combinator
that consumes the generator closes what was opened since it began: ``for_all`` and ``exists`` quantify,
``total`` makes a number that depends on nothing but the unknowns that are still open around it. A plain
loop closes nothing; what it writes or requires is meant for every member (frame.py). Anything else that
goes through a set (``len``, ``sum``, a list) would take the one unknown for the only member, so it is
refused: nothing closed the unknown and nothing was written while it was open.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import z3

from nomadspec.checkers.smt.algebra import list_unknowns, mentions, refusing_branches, walk
from nomadspec.checkers.smt.extremes import ExtremeTable, is_compared
from nomadspec.checkers.smt.member import Member
from nomadspec.checkers.smt.named_flags import NameTable
from nomadspec.checkers.smt.noting import TurnLog
from nomadspec.checkers.smt.sums import Sum, SumTable, Tally, list_patterns
from nomadspec.checkers.smt.symbols import Role, is_of, new_number
from nomadspec.model.errors import ModelError, StyleError
from nomadspec.model.language.logic import Value, all_of, any_of, as_number, binding, not_

if TYPE_CHECKING:
    from nomadspec.checkers.smt.state import Function
    from nomadspec.model.language.sets import Ids


class UnreadableError(ModelError):
    """The text cannot be read over sets of any size, though it can in a scope."""


@dataclass(slots=True, eq=False)
class _Consumer:
    """A combinator at work: where the unknowns that it closes begin, and whether some were passed over."""

    mark: int
    has_flags: bool = False
    passed_over: list[Member] = field(default_factory=list)


class OpenBinder:
    """Who quantifies while texts are read over sets of any size."""

    def __init__(self, context: Value = None) -> None:
        """Start with nothing open; the unknowns belong to a context of the solver."""
        self._context = context
        self.open: list[Member] = []
        self._consumers: list[_Consumer] = []
        self._made: dict[int, tuple[Value, Ids]] = {}
        self._sums = SumTable(context)
        self._clean: dict[int, Value] = {}
        """The parts of texts in which no member got out. Each is held, so that its number stays its own; the
        solver also treats parts otherwise that are held only once."""
        self._extremes = ExtremeTable(context)
        self._names = NameTable(context)
        self.reminders: dict[str, list[Function]] = {}
        """For each set the totals that count what its members hold."""
        self.facts: dict[int, Value] | None = None
        """While a rule is read: what is known of the answers to what it asks about the order of numbers."""
        self.definitions: dict[int, Value] = {}
        """What the flags say that were named since a rule was begun."""
        self.deepest = 0
        """In how many loops over sets a text has been at once."""
        self._turns = 0, 1
        self._done: TurnLog | None = None
        self._totals: dict[Hashable, tuple[int, object]] = {}
        """The sums that were named, each with what it adds up, so that the solver gives no number anew."""

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Take charge of the quantifiers while texts are read, and let nobody branch on what is unknown."""
        with binding(self), refusing_branches():
            yield

    @contextmanager
    def noting_facts(self) -> Iterator[dict[int, Value]]:
        """Collect, while a rule is read, what is known of the answers to what it asks about order."""
        self.facts, self.definitions = {}, {}
        try:
            yield self.facts
        finally:
            self.facts = None

    @contextmanager
    def taking_turns(self, depth: int, turns: int) -> Iterator[TurnLog]:
        """Give each member that so many others stand around so many turns, and note what is done in them."""
        self._turns, self._done, self.deepest = (depth, turns), TurnLog(), 0
        try:
            yield self._done
        finally:
            self._turns, self._done = (0, 1), None

    def note(self, *what: Value) -> None:
        """Note what a text does, if somebody compares turns."""
        if self._done is not None:
            self._done.note(self.open, *what)

    def iterate(self, ids: Ids, count: Value) -> Iterator[Value]:
        """Open one unknown member of a set, until the generator goes on."""
        number = len(self._made) if self._done is None else f"at {len(self.open)}"
        symbol = new_number(Role.MEMBER, ids.name, number, context=self._context)
        self._made[symbol.get_id()] = (symbol, ids)
        depth, turns = self._turns
        member = Member(ids, symbol, count, turns=turns if len(self.open) == depth else 1)
        for turn in range(member.turns):
            member.turn = turn
            self.open.append(member)
            self.deepest = max(self.deepest, len(self.open))
            yield symbol
            if self.open.pop() is not member:
                raise UnreadableError(f"the generators over {ids.name} end in the wrong order")
        if not member.is_used:
            self._pass_over(member)

    def is_member(self, ids: Ids, value: Value) -> bool:
        """True if a value is one of the unknown members of a set."""
        _, own = self._made.get(value.get_id(), (None, None))
        return own is ids

    def for_all(self, flags: Iterable[Value]) -> Value:
        """Quantify over what the generator opens: every flag holds."""
        return all_of(*[self._close(flag, members) for flag, members in self._consume(flags)])

    def exists(self, flags: Iterable[Value]) -> Value:
        """Quantify over what the generator opens: some flag holds."""
        return any_of(*[self._exists(flag, members) for flag, members in self._consume(flags)])

    def total(self, numbers: Iterable[Value]) -> Value:
        """Add up; over a set of any size a sum is an unknown."""
        if self._done is not None:
            return self._name_total(numbers)
        result: Value = 0
        for number, members in self._consume(numbers):
            around = self.open[: len(self.open) - len(members)]
            summed = self._sums.add_up(number, members, around) if members else as_number(number)
            result = result + summed
        return result

    def name(self, text: Callable[..., Value], ids: tuple[Value, ...]) -> Value:
        """Name a flag that a rule asks of members again and again."""
        around = [member for one in ids for member in self.open if member.symbol.eq(one)]
        if self.facts is None or self._done is not None or len(around) < len(ids):
            return text(*ids)
        places = [self._make_place(member, number) for number, member in enumerate(around)]
        outside, self.open = self.open, places
        flag = text(*[place.symbol for place in places])
        self.open = outside
        if not z3.is_bool(flag) or any(mentions(flag, member.symbol) for member in outside):
            return text(*ids)
        named, definition = self._names.name(flag, [place.symbol for place in places])
        self.definitions[definition.get_id()] = definition
        return z3.substitute(named, *[(place.symbol, one) for place, one in zip(places, ids, strict=True)])

    def _make_place(self, member: Member, number: int) -> Member:
        """Make an unknown that stands for any member of a set in the text of what is named."""
        symbol = new_number(Role.ASKED, member.ids.name, number, context=self._context)
        self._made[symbol.get_id()] = (symbol, member.ids)
        return Member(member.ids, symbol, member.count, is_used=True)

    def some(self, flag: Value, members: Sequence[Member]) -> Value:
        """True while a flag holds for one of some open members at least; the others stay open."""
        return not_(self._close(not_(flag), members)) if members else flag

    def take_counts(self) -> dict[str, Sum]:
        """Give the counts that were met since this was asked last."""
        met, self._sums.met = self._sums.met, {}
        return met

    def note_total(self, tally: Tally, ids: Ids, count: Value) -> None:
        """Keep that a total was asked for, which says how many cells hold each member of a set."""
        for _ in self.iterate(ids, count):
            self.open[-1].is_used = True
            self._sums.note_total(tally, self.open[-1])

    def add_up(self, flag: Value, members: Sequence[Member]) -> Value:
        """Count for how many of some members, which are no longer open, a flag holds."""
        return self._sums.add_up(flag, members, self.open) if members else as_number(flag)

    def close_all(self, flag: Value) -> Value:
        """True while a flag holds whatever is open, which a plain loop requires of every member."""
        return self._close(flag, self.use_open())

    def use_open(self) -> list[Member]:
        """List the members of the plain loops around a statement that does something with each."""
        for member in self.open:
            member.is_used = True
        return list(self.open)

    def finish(self, *terms: Value) -> None:
        """Refuse terms in which an unknown got out of the generator that opened it."""
        if self.open:
            raise UnreadableError(f"a generator over {self.open[0].ids.name} was left before its end")
        for term in terms:
            self._look_for_strays(term)

    def _consume(self, values: Iterable[Value]) -> Iterator[tuple[Value, list[Member]]]:
        consumer = _Consumer(len(self.open))
        self._consumers.append(consumer)
        log = TurnLog()
        for value in values:
            members = self.open[consumer.mark :]
            for member in members:
                member.is_used = True
            consumer.has_flags = True
            if self._done is not None:
                log.note(members, value)
            if not any(member.turn for member in members):
                yield value, members
        self._consumers.pop()
        if log.settle() is None:
            raise UnreadableError("it asks something else of one member of a set than of another")
        if consumer.passed_over and consumer.has_flags:
            raise _not_quantified(consumer.passed_over[0])

    def _name_total(self, numbers: Iterable[Value]) -> Value:
        """Name a sum by what is added up: who compares texts need not know more of it."""
        parts = [
            (number, tuple(member.ids.name for member in members))
            for number, members in self._consume(numbers)
        ]
        key = tuple(
            (number.get_id() if z3.is_expr(number) else (type(number), number), names)
            for number, names in parts
        )
        name, _ = self._totals.setdefault(key, (len(self._totals), parts))
        return new_number(Role.SUM, "of", name, context=self._context)

    def _exists(self, flag: Value, members: Sequence[Member]) -> Value:
        named = _find_named(flag, members[0].symbol) if len(members) == 1 else None
        if named is not None:
            there = z3.substitute(z3.And(members[0].is_inside, flag), (members[0].symbol, named))
            return z3.simplify(there)
        is_numbered = len(members) == 1 and not members[0].ids.is_symmetric
        if self.facts is None or not is_numbered or not is_compared(flag, members[0].symbol):
            return self.some(flag, members)
        answer, facts = self._extremes.ask(flag, members[0], self.open[:-1])
        self.facts.update((fact.get_id(), fact) for fact in facts)
        return answer

    def _pass_over(self, member: Member) -> None:
        if not self._consumers:
            raise _not_quantified(member)
        self._consumers[-1].passed_over.append(member)

    def _close(self, flag: Value, members: Sequence[Member]) -> Value:
        if not members or flag is True:
            return flag
        if flag is False:
            return any_of(*[member.count == 0 for member in members])
        if not z3.is_bool(flag):
            raise StyleError(
                f"A flag was expected where a quantifier gets {flag}: compare it with something."
            )
        inside = z3.And(*[member.is_inside for member in members])
        swaps = [(member.symbol, self._rename(member, self.open.index(member))) for member in members]
        body = z3.substitute(z3.Implies(inside, flag), *swaps)
        around = [symbol for _, symbol in swaps]
        reminders = [
            remind(symbol)
            for member, (_, symbol) in zip(members, swaps, strict=True)
            for remind in self.reminders.get(member.ids.name, ())
        ]
        return z3.ForAll(around, body, patterns=self.find_patterns(around, body, reminders))

    def find_patterns(self, around: Sequence[Value], body: Value, reminders: Sequence[Value]) -> list[Value]:
        """Find what recalls a statement; it follows from the text, so that who compares turns needs none."""
        return list(list_patterns(around, body, reminders)) if self._done is None else []

    def _rename(self, member: Member, depth: int) -> Value:
        return new_number(Role.EACH, member.ids.name, depth, context=self._context)

    def _look_for_strays(self, term: Value) -> None:
        for number, part in walk(term, self._clean) if z3.is_expr(term) else ():
            self._clean[number] = z3.AstRef(part, term.ctx)
            if number in self._made:
                member, _ = self._made[number]
                raise UnreadableError(
                    f"a member ({member}) is used after the loop or generator that it belongs to: "
                    "combine the members with for_all, exists, count or total"
                )


def _find_named(flag: Value, symbol: Value) -> Value:
    """Find which member a flag can be true of alone, as it says by an equation and asks by a name."""
    if not z3.is_and(flag) or not any(is_of(Role.NAMED, part) for part in list_unknowns([flag])):
        return None
    sides = [
        (one, other)
        for part in flag.children()
        if z3.is_eq(part)
        for one, other in (part.children(), part.children()[::-1])
    ]
    found = (other for one, other in sides if one.eq(symbol) and not mentions(other, symbol))
    return next(found, None)


def _not_quantified(member: Member) -> UnreadableError:
    return UnreadableError(
        f"{member.ids.name} is gone through by something else than for_all, exists, count, total "
        "or a loop that writes"
    )
