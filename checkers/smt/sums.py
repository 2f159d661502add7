"""Sums over sets of any size: unknown numbers, exact about the members that a text names.

The sum of a text over all members of a set is an unknown that depends on the text and on the members around
it, and is the same wherever the text is the same. A step makes the text different for the few members that
it writes: in ``x == worker`` the text itself says which. So these are added one by one, and what is left is
the text as it is for everybody else, which most often is the text from before the step. Two sets are added
up one after the other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import z3

from nomadspec.checkers.smt.algebra import as_term
from nomadspec.model.logic import Value, all_of, as_number, ite

if TYPE_CHECKING:
    from nomadspec.checkers.smt.binder import Member


@dataclass(frozen=True, slots=True, eq=False)
class Sum:
    """A sum over all members of a set, as an unknown function of the members around it."""

    name: str
    text: Value
    """What is added up, with places for the member and for those around it."""
    places: tuple[Value, ...]
    members: tuple[Member, ...]

    def at(self, around: Sequence[Value]) -> Value:
        """Give the sum for some members around."""
        context = self.text.ctx
        if not around:
            return z3.Int(self.name, context)
        return z3.Function(self.name, *[z3.IntSort(context)] * (len(around) + 1))(*around)

    def says(self, own: Value, around: Sequence[Value]) -> Value:
        """Say that a number is a member, and that its text holds, for some members around."""
        inside = z3.And(own >= 0, own < self.members[0].count)
        return z3.And(inside, z3.substitute(self.text, *zip(self.places, (own, *around), strict=True)))


class SumTable:
    """The sums that were met, by their texts."""

    def __init__(self, context: Value) -> None:
        """Start with none."""
        self._context = context
        self._sums: dict[tuple[int, str], Sum] = {}
        self.met: dict[str, Sum] = {}
        """The counts that were met since somebody last looked, by their names."""

    def add_up(self, number: Value, members: Sequence[Member], around: Sequence[Member]) -> Value:
        """Add a text up over its members, as a number that depends on the members around it."""
        is_natural = z3.is_bool(number)
        for depth in reversed(range(len(members))):
            beside = [*around, *members[:depth]]
            number = self._add_up_named(number, members[depth], beside, is_natural=is_natural)
        return number

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
        if z3.is_arith(plain) and not _occurs(member.symbol, plain):
            return plain * member.count
        outer = [other for other in around if _occurs(other.symbol, text)]
        found = self._find_sum(text, member, outer)
        if is_natural and z3.is_bool(text):
            self.met[found.name] = found
        value = found.at([other.symbol for other in outer])
        return z3.If(value >= 0, value, 0) if is_natural else value

    def _find_sum(self, text: Value, member: Member, outer: Sequence[Member]) -> Sum:
        symbols = [member.symbol, *[other.symbol for other in outer]]
        places = [z3.Int(f"place{number}", self._context) for number in range(len(symbols))]
        shape = z3.substitute(text, *zip(symbols, places, strict=True))
        key = (shape.get_id(), member.ids.name)
        if key not in self._sums:
            name = f"sum!{len(self._sums)}"
            # the text is kept, so that its number is not given to another
            self._sums[key] = Sum(name, shape, tuple(places), (member, *outer))
        return self._sums[key]


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
                if mine.eq(symbol) and not _occurs(symbol, other) and not _is_bound(other):
                    yield node, other, z3.is_distinct(node)


def _find_common(text: Value, symbol: Value) -> Value:
    """Find a condition in a text that is the same for all members, so that there are two sums instead."""
    pending, seen = [text], set[int]()
    while pending:
        node = pending.pop()
        if node.get_id() in seen or not z3.is_app(node) or _as_constant(node) is not node:
            continue
        seen.add(node.get_id())
        if z3.is_bool(node) and not _occurs(symbol, node):
            return node
        pending.extend(reversed(node.children()))
    return None


def _is_bound(term: Value) -> bool:
    """Tell whether a term lies inside a quantifier that it depends on."""
    return z3.is_var(term) or any(_is_bound(part) for part in term.children())


def _occurs(symbol: Value, term: Value) -> bool:
    return not z3.substitute(term, (symbol, symbol + 1)).eq(term)


def _as_constant(term: Value) -> Value:
    if z3.is_true(term) or z3.is_false(term):
        return z3.is_true(term)
    return term.as_long() if z3.is_int_value(term) else term
