"""The value of a traced term in a world given as plain values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from nomadspec.model.term import Argument, Term

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
    """Compute a term, or give a constant as it is."""
    if not isinstance(value, Term):
        return value
    if value.op == "cell":
        return cells[next(iter(value.reads))]
    return _OPERATORS[value.op](*(evaluate(argument, cells) for argument in value.args))
