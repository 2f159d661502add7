"""Sums over sets of any size: unknown numbers, exact about the members that a text names.

The sum of a text over all members of a set is an unknown that depends on the text and on the members around
it, and is the same wherever the text is the same. A step makes the text different for the few members that
it writes: in ``x == worker`` the text itself says which. So these are added one by one, and what is left is
the text as it is for everybody else, which most often is the text from before the step. Two sets are added
up one after the other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import z3

from nomadspec.checkers.smt.algebra import as_term
from nomadspec.model.logic import Value, all_of, as_number, ite

if TYPE_CHECKING:
    from nomadspec.checkers.smt.binder import Member


class SumTable:
    """The sums that were met, by their texts."""

    def __init__(self, context: Value) -> None:
        """Start with none."""
        self._context = context
        self._sums: dict[tuple[int, str], tuple[Value, Value]] = {}

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
        if not z3.is_expr(plain) or (z3.is_arith(plain) and not _occurs(member.symbol, plain)):
            return as_number(plain) * member.count
        outer = [other for other in around if _occurs(other.symbol, text)]
        function = self._find_sum(text, member, outer)
        value = function(*[other.symbol for other in outer]) if outer else function
        return z3.If(value >= 0, value, 0) if is_natural else value

    def _find_sum(self, text: Value, member: Member, outer: Sequence[Member]) -> Value:
        symbols = [member.symbol, *[other.symbol for other in outer]]
        places = [z3.Int(f"place{number}", self._context) for number in range(len(symbols))]
        shape = z3.substitute(text, *zip(symbols, places, strict=True))
        key = (shape.get_id(), member.ids.name)
        if key not in self._sums:
            name = f"sum!{len(self._sums)}"
            sorts = [z3.IntSort(self._context)] * (len(outer) + 1)
            function = z3.Function(name, *sorts) if outer else z3.Int(name, self._context)
            # the text is kept, so that its number is not given to another
            self._sums[key] = function, shape
        return self._sums[key][0]


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


def _is_bound(term: Value) -> bool:
    """Tell whether a term lies inside a quantifier that it depends on."""
    return z3.is_var(term) or any(_is_bound(part) for part in term.children())


def _occurs(symbol: Value, term: Value) -> bool:
    return not z3.substitute(term, (symbol, symbol + 1)).eq(term)


def _as_constant(term: Value) -> Value:
    if z3.is_true(term) or z3.is_false(term):
        return z3.is_true(term)
    return term.as_long() if z3.is_int_value(term) else term
