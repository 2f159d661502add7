"""The value of a traced term in a world given as plain values: once, or in one world after the other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from nomadspec.model.language.parts import find_position, list_parts
from nomadspec.model.language.term import Argument, Term

_OPERATORS: Final[dict[str, Callable[..., int]]] = {
    "eq": lambda left, right: left == right,
    "le": lambda left, right: left <= right,
    "add": lambda left, right: left + right,
    "mul": lambda left, right: left * right,
    "neg": lambda value: -value,
    "number": int,
    "not": lambda value: not value,
    "and": lambda *flags: all(flags),
    "or": lambda *flags: any(flags),
    "ite": lambda condition, then, otherwise: then if condition else otherwise,
}


def evaluate(value: Argument, cells: Sequence[int]) -> int:
    """Compute a term, or give a constant as it is; each part once, however deep."""
    return _compute(list_parts(value), cells) if isinstance(value, Term) else value


class Evaluator:
    """Computes terms again and again: of which parts they are made, it finds out once."""

    def __init__(self) -> None:
        """Know no term yet."""
        self._parts: dict[tuple[int, int], Sequence[Term]] = {}
        """By the table, which its terms keep alive, and the number there."""

    def evaluate(self, value: Argument, cells: Sequence[int]) -> int:
        """Compute a term, or give a constant as it is."""
        if not isinstance(value, Term):
            return value
        key = id(value.table), value.id
        parts = self._parts.get(key)
        if parts is None:
            parts = self._parts[key] = list_parts(value)
        return _compute(parts, cells)


def _compute(parts: Sequence[Term], cells: Sequence[int]) -> int:
    known: dict[int, int] = {}
    for part in parts:
        if part.op == "cell":
            known[part.id] = cells[find_position(part)]
        else:
            given = [known[arg.id] if isinstance(arg, Term) else arg for arg in part.args]
            known[part.id] = _OPERATORS[part.op](*given)
    return known[parts[-1].id]
