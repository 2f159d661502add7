"""Sums over sets of any size: unknown numbers, exact about the members that a text names.

The sum of a text over all members of a set is an unknown that depends on the text and on the members around
it, and is the same wherever the text is the same. A step makes the text different for the few members that
it writes: in ``x == worker`` the text itself says which. So these are added one by one, and what is left is
the text as it is for everybody else, which most often is the text from before the step. Of two sets
the pairs are counted; how many there are is known only by comparison with other counts of pairs.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import z3

from nomadspec.checkers.smt.algebra import as_term, equals, list_unknowns, mentions
from nomadspec.checkers.smt.symbols import Role, is_of, name_symbol, new_number, new_value_for
from nomadspec.model.language.logic import Value, all_of, as_number, ite

if TYPE_CHECKING:
    from nomadspec.checkers.smt.member import Member
    from nomadspec.checkers.smt.state import Function
    from nomadspec.model.language.sets import Ids

Sets: TypeAlias = "tuple[tuple[Ids, Value], ...]"
"""Sets, each with the number of its members."""


@dataclass(frozen=True, slots=True, eq=False)
class Sum:
    """For how many members of a set, or of several sets together, a text holds."""

    name: str
    text: Value
    """What is added up, with places for the members that are counted and then for those around them."""
    places: tuple[Value, ...]
    sets: Sets
    """Whose members are counted."""
    around: tuple[str, ...]
    """Of which sets the members around are."""
    number: Value
    """How many there are: it depends on the places of the members around."""
    is_total: bool = False
    """Whether it is a total that the world declares."""

    def at(self, around: Sequence[Value]) -> Value:
        """Give the sum for some members around."""
        return z3.substitute(self.number, *zip(self.places[len(self.sets) :], around, strict=True))

    def says(self, own: Sequence[Value], around: Sequence[Value]) -> Value:
        """True while numbers are members, and the text holds of them, for some members around."""
        within = zip(own, self.sets, strict=True)
        inside = [part for one, (_, size) in within for part in (one >= 0, one < size)]
        return z3.And(*inside, z3.substitute(self.text, *zip(self.places, (*own, *around), strict=True)))


@dataclass(frozen=True, slots=True, eq=False)
class Tally:
    """A total of some state, with the cells that it counts."""

    name: str
    sets: Sets
    cells: Function
    held: Function


class SumTable:
    """The sums that were met, by their texts."""

    def __init__(self, context: Value) -> None:
        """Start with none."""
        self._context = context
        self._sums: dict[tuple[Hashable, ...], Sum] = {}
        self._totals: dict[tuple[int, int], tuple[str, Tally]] = {}
        self.met: dict[str, Sum] = {}
        """The counts that were met since somebody last looked, by their names."""

    def add_up(self, number: Value, members: Sequence[Member], around: Sequence[Member]) -> Value:
        """Add a text up over its members, as a number that depends on the members around it."""
        is_natural = z3.is_bool(number)
        if is_natural and len(members) > 1:
            return self._add_up_pairs(number, members, around)
        for depth in reversed(range(len(members))):
            beside = [*around, *members[:depth]]
            number = self._add_up_named(number, members[depth], beside, is_natural=is_natural)
        return number

    def _add_up_pairs(self, text: Value, members: Sequence[Member], around: Sequence[Member]) -> Value:
        outer = [other for other in around if mentions(text, other.symbol)]
        found = self._find_sum(text, members, outer)
        self.met[found.name] = found
        value = found.at([other.symbol for other in outer])
        return z3.If(value >= 0, value, 0)

    def note_total(self, tally: Tally, holder: Member) -> None:
        """Keep a total that is carried along: how many cells hold an open member."""
        key = (id(tally.cells), id(tally.held))
        name, _ = self._totals.setdefault(
            key, (name_symbol(Role.TOTAL, tally.name, len(self._totals)), tally)
        )
        places = self._make_places(len(tally.sets) + 1)
        number = z3.substitute(tally.held(holder.symbol), (holder.symbol, places[-1]))
        text = as_term(equals(tally.cells(*places[:-1]), places[-1]), self._context)
        self.met[name] = Sum(name, text, places, tally.sets, (holder.ids.name,), number, is_total=True)

    def _add_up_named(
        self, number: Value, member: Member, around: Sequence[Member], *, is_natural: bool
    ) -> Value:
        if not z3.is_expr(number):
            return as_number(number) * member.count
        named = list(_list_named(number, member.symbol))
        usual = z3.substitute(number, *[(term, as_term(value, self._context)) for term, _, value in named])
        result = self._add_up_alike(z3.simplify(usual), member, around, is_natural=is_natural)
        earlier: list[Value] = []
        for _, one, _ in named:
            if any(one.eq(other) for other in earlier):
                continue
            is_new = all_of(one >= 0, one < member.count, *[one != other for other in earlier])
            own, others = (as_number(z3.substitute(text, (member.symbol, one))) for text in (number, usual))
            result = result + ite(is_new, own - others, 0)
            earlier.append(one)
        return result

    def _add_up_alike(
        self, text: Value, member: Member, around: Sequence[Member], *, is_natural: bool
    ) -> Value:
        plain = _as_constant(text)
        if not z3.is_expr(plain):
            return as_number(plain) * member.count
        condition = _find_common(text, member.symbol)
        if condition is not None:
            parts = (
                z3.simplify(z3.substitute(text, (condition, z3.BoolVal(value, self._context))))
                for value in (True, False)
            )
            return ite(
                condition,
                *[self._add_up_alike(part, member, around, is_natural=is_natural) for part in parts],
            )
        if z3.is_arith(plain) and not mentions(plain, member.symbol):
            return plain * member.count
        outer = [other for other in around if mentions(text, other.symbol)]
        found = self._find_sum(text, [member], outer)
        if is_natural and z3.is_bool(text):
            self.met[found.name] = found
        value = found.at([other.symbol for other in outer])
        return z3.If(value >= 0, value, 0) if is_natural else value

    def _find_sum(
        self, text: Value, members: Sequence[Member], outer: Sequence[Member], number: Value = None
    ) -> Sum:
        symbols = [one.symbol for one in (*members, *outer)]
        places = self._make_places(len(symbols))
        swaps = list(zip(symbols, places, strict=True))
        shape = z3.simplify(z3.substitute(text, *swaps))
        key = (shape.get_id(), *[one.ids.name for one in members])
        if key not in self._sums:
            count = len(self._sums)
            known = number is not None
            value = z3.substitute(number, *swaps) if known else self._name(count, places[len(members) :])
            # the text is kept, so that its number is not given to another
            self._sums[key] = Sum(
                name_symbol(Role.SUM, count),
                shape,
                places,
                tuple((one.ids, one.count) for one in members),
                tuple(one.ids.name for one in outer),
                value,
            )
        return self._sums[key]

    def _make_places(self, count: int) -> tuple[Value, ...]:
        return tuple(new_number(Role.PLACE, place, context=self._context) for place in range(count))

    def _name(self, count: int, around: Sequence[Value]) -> Value:
        return new_value_for(Role.SUM, count, around=around, context=self._context)


def list_patterns(around: Sequence[Value], body: Value, reminders: Sequence[Value]) -> Iterator[Value]:
    """List by which terms a statement about counts is to be recalled; of others the solver knows itself.

    On its own it would wait for a count, which it never meets where a step moves it to another one. Totals
    of the members around remind of it as well.
    """
    parts = [*list_unknowns([body])]
    counts = [part for part in parts if is_of(Role.SUM, part) and _is_recalled(part)]
    if counts:
        names = {one.get_id() for one in around}
        yield from (one for one in counts if names <= {part.get_id() for part in one.children()})
        others = [part for part in parts if not is_of(Role.SUM, part) and _is_recalled(part)]
        found = [find_pattern(around, [*reminder, *others]) for reminder in ((), *zip(reminders))]
        yield from (pattern for pattern in found if pattern is not None)


def find_pattern(around: Sequence[Value], terms: Iterable[Value]) -> Value:
    """Find unknowns in some terms that together name all members around; None where there are none."""
    left = {one.get_id() for one in around}
    chosen: list[Value] = []
    for part in list_unknowns(terms):
        named = {argument.get_id() for argument in part.children()} & left
        if named and _is_recalled(part):
            chosen.append(part)
            left -= named
    if left or not chosen:
        return None
    return z3.MultiPattern(*chosen) if len(chosen) > 1 else chosen[0]


def _is_recalled(term: Value) -> bool:
    """True if a statement can be recalled by a term: an unknown of members that are named as such."""
    return z3.is_app_of(term, z3.Z3_OP_UNINTERPRETED) and all(
        z3.is_app_of(part, z3.Z3_OP_UNINTERPRETED) and not part.num_args() for part in term.children()
    )


def _list_named(text: Value, symbol: Value) -> Iterator[tuple[Value, Value, bool]]:
    """List the terms that single a member out, which member, and what they are for all others."""
    seen: set[int] = set()
    pending = [text]
    while pending:
        node = pending.pop()
        if node.get_id() in seen:
            continue
        seen.add(node.get_id())
        pending.extend(reversed(node.children()))
        if (z3.is_eq(node) or z3.is_distinct(node)) and node.num_args() == 2:  # noqa: PLR2004 -- two sides
            sides = node.arg(0), node.arg(1)
            for mine, other in (sides, sides[::-1]):
                if mine.eq(symbol) and not mentions(other, symbol) and not _is_bound(other):
                    yield node, other, z3.is_distinct(node)


def _find_common(text: Value, symbol: Value) -> Value:
    """Find a condition in a text that is the same for all members, so that there are two sums instead."""
    pending, seen = [text], set[int]()
    while pending:
        node = pending.pop()
        if node.get_id() in seen or not z3.is_app(node) or _as_constant(node) is not node:
            continue
        seen.add(node.get_id())
        if z3.is_bool(node) and not mentions(node, symbol):
            return node
        pending.extend(reversed(node.children()))
    return None


def _is_bound(term: Value, inside: int = 0) -> bool:
    """True if a term lies inside a quantifier that it depends on, and is no part of."""
    if z3.is_var(term):
        return bool(z3.get_var_index(term) >= inside)
    inside += term.num_vars() if z3.is_quantifier(term) else 0
    return any(_is_bound(part, inside) for part in term.children())


def _as_constant(term: Value) -> Value:
    if z3.is_true(term) or z3.is_false(term):
        return z3.is_true(term)
    return term.as_long() if z3.is_int_value(term) else term
