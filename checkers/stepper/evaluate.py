"""The value of a traced term in a world given as plain values."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

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
    known: dict[int, int] = {}
    waiting = [value] if isinstance(value, Term) else []
    while waiting:
        term = waiting[-1]
        parts = [part for part in term.args if isinstance(part, Term) and part.id not in known]
        waiting += parts
        if not parts:
            waiting.pop()
            known[term.id] = _compute(term, known, cells)
    return _look_up(value, known)


def _compute(term: Term, known: Mapping[int, int], cells: Sequence[int]) -> int:
    if term.op == "cell":
        return cells[next(iter(term.reads))]
    return _OPERATORS[term.op](*(_look_up(argument, known) for argument in term.args))


def _look_up(value: Argument, known: Mapping[int, int]) -> int:
    return known[value.id] if isinstance(value, Term) else value
