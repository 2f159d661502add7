"""What some number has, a first and a last number have: the one thing about order that the solver is told.

Numbers are given out one by one, so of those with some property, if there are any, one is the least and one
the greatest. No finite list of sentences about unknown sets says so; it has to be stated for each text that
a rule asks. Where a rule asks whether some number before or after another has a property, the answer becomes
an unknown of its own, which depends on the members around it, with a first and a last number for witnesses.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import z3

from nomadspec.checkers.smt.algebra import mentions
from nomadspec.checkers.smt.symbols import Role, new_number, new_value_for

if TYPE_CHECKING:
    from nomadspec.checkers.smt.member import Member
    from nomadspec.model.language.logic import Value

_COMPARISONS: Final = frozenset({z3.Z3_OP_LT, z3.Z3_OP_LE, z3.Z3_OP_GT, z3.Z3_OP_GE})


class ExtremeTable:
    """The questions that were met, by their texts, and what is known of the answers."""

    def __init__(self, context: Value) -> None:
        """Start with none."""
        self._context = context
        self._answers: dict[tuple[int, str], tuple[Value, tuple[Value, ...], Value]] = {}

    def ask(self, flag: Value, member: Member, around: Sequence[Member]) -> tuple[Value, tuple[Value, ...]]:
        """Give the answer to whether some number has the flag, and what is known of such answers."""
        outer = [one for one in around if mentions(flag, one.symbol)]
        symbols = [member.symbol, *[one.symbol for one in outer]]
        places = [new_number(Role.ASKED, number, context=self._context) for number in range(len(symbols))]
        shape = z3.substitute(flag, *zip(symbols, places, strict=True))
        key = (shape.get_id(), member.ids.name)
        if key not in self._answers:
            # the text is kept, so that its number is not given to another
            self._answers[key] = (*self._state(shape, member, outer, places), shape)
        answer, facts, _ = self._answers[key]
        return z3.substitute(answer, *zip(places[1:], symbols[1:], strict=True)), facts

    def _state(
        self, shape: Value, member: Member, outer: Sequence[Member], places: Sequence[Value]
    ) -> tuple[Value, tuple[Value, ...]]:
        number = len(self._answers)
        own, around = places[0], list(places[1:])
        answer = self._apply(Role.ANSWER, number, around)
        first, last = (self._apply(role, number, around) for role in (Role.FIRST, Role.LAST))
        inside = [_is_inside(place, one) for place, one in zip(around, outer, strict=True)]
        has = z3.And(_is_inside(own, member), shape)
        witnesses = z3.And(*[z3.substitute(has, (own, end)) for end in (first, last)])
        between = z3.And(answer, first <= own, own <= last)
        found = z3.Implies(z3.And(*inside, answer), witnesses)
        told = z3.Implies(z3.And(*inside, has), between)
        facts = (
            z3.ForAll(around, found, patterns=[answer]) if around else found,
            z3.ForAll([*around, own], told),
        )
        return answer, facts

    def _apply(self, role: Role, number: int, around: Sequence[Value]) -> Value:
        is_flag = role is Role.ANSWER
        return new_value_for(role, number, around=around, is_flag=is_flag, context=self._context)


def is_compared(term: Value, symbol: Value) -> bool:
    """True if a text asks what comes before or after a member."""
    pending, seen = [term] if z3.is_expr(term) else [], set[int]()
    while pending:
        node = pending.pop()
        if node.get_id() in seen or not z3.is_app(node):
            continue
        seen.add(node.get_id())
        if node.decl().kind() in _COMPARISONS and any(symbol.eq(side) for side in node.children()):
            return True
        pending.extend(node.children())
    return False


def _is_inside(symbol: Value, member: Member) -> Value:
    return z3.And(symbol >= 0, symbol < member.count)
