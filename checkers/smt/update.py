"""A write to a function: the new value where the ids are those that were written, the old one elsewhere.

In a plain loop over a set the text runs once, with an unknown member. Where the member stands itself among
the keys, the ids of a cell say whose turn it was when the cell was written, so the value is that of this
member's turn.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import z3

from nomadspec.checkers.smt.algebra import as_term, equals
from nomadspec.model.language.logic import Value, all_of, ite

if TYPE_CHECKING:
    from nomadspec.checkers.smt.member import Member
    from nomadspec.checkers.smt.state import Function

Keys = tuple[Value, ...]
"""The ids that a text gives to a table."""


@dataclass(frozen=True, slots=True, eq=False)
class Update:
    """A function with one write on top: the new value where the ids are those that were written."""

    old: Function
    keys: Keys
    condition: Value
    given: Function
    """From the ids below the keys to the new value."""
    turns: tuple[tuple[Value, int], ...]
    """The members of plain loops, each with its place in the keys: a cell says whose turn it was."""

    def __call__(self, *at: Value) -> Value:
        """Give the value of a cell."""
        swaps = [(symbol, as_term(at[place], symbol.ctx)) for symbol, place in self.turns]
        own = {place for _, place in self.turns}
        hits = [
            equals(at[place], _swap(key, swaps)) for place, key in enumerate(self.keys) if place not in own
        ]
        hit = all_of(_swap(self.condition, swaps), *hits)
        if hit is False:
            return self.old(*at)
        return ite(hit, _swap(self.given(*at[len(self.keys) :]), swaps), self.old(*at))


def place_of(member: Member, keys: Keys) -> int | None:
    """Find where the member of a loop stands among keys; None where it does not."""
    for place, key in enumerate(keys):
        if z3.is_expr(key) and key.eq(member.symbol):
            return place
    return None


def _swap(value: Value, swaps: Sequence[tuple[Value, Value]]) -> Value:
    return z3.substitute(value, *swaps) if swaps and z3.is_expr(value) else value
