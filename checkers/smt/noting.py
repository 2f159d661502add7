"""What a text did in whose turn: noted as it happens, and compared at the end."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, TypeAlias

import z3

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nomadspec.checkers.smt.member import Member
    from nomadspec.model.language.logic import Value

Done: TypeAlias = "tuple[tuple[str, ...], tuple[Text, ...]]"
"""Through which sets a text was going, and what it did."""


class Text:
    """A value as it was written."""

    __slots__ = ("_value",)
    __hash__ = None  # type: ignore[assignment]  # as a list, it is compared and not looked up

    def __init__(self, value: Value) -> None:
        """Keep the value, so that the solver gives its number to nothing else."""
        self._value = value

    def __eq__(self, other: object) -> bool:
        """True if both are the same text."""
        if not isinstance(other, Text):
            return NotImplemented
        one, two = self._value, other._value
        if z3.is_expr(one) or z3.is_expr(two):
            return z3.is_expr(one) and z3.is_expr(two) and bool(one.eq(two))
        return type(one) is type(two) and bool(one == two)


class TurnLog:
    """What was done, and in whose turn."""

    def __init__(self) -> None:
        """Note nothing yet."""
        self._done: list[tuple[tuple[str, ...], tuple[int, ...], tuple[Text, ...]]] = []
        self._expected: dict[tuple[str, ...], int] = {}

    def note(self, members: Sequence[Member], *what: Value) -> None:
        """Note something that was done in the turns of some members."""
        names = tuple(member.ids.name for member in members)
        self._expected[names] = prod(member.turns for member in members)
        self._done.append((names, tuple(member.turn for member in members), tuple(map(Text, what))))

    def settle(self) -> list[Done] | None:
        """Give what was done in the first turn of each member; None where another turn was not the same."""
        rows: dict[tuple[str, ...], dict[tuple[int, ...], list[tuple[Text, ...]]]] = {}
        for names, turns, what in self._done:
            rows.setdefault(names, {}).setdefault(turns, []).append(what)
        for names, by_turn in rows.items():
            first = by_turn.get((0,) * len(names))
            if len(by_turn) < self._expected[names] or any(what != first for what in by_turn.values()):
                return None
        return [(names, what) for names, turns, what in self._done if not any(turns)]
