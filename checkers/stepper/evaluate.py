"""The value of a traced term in a world given as plain values: once, or in one world after the other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
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
    return _run(_plan(value), cells) if isinstance(value, Term) else value


class Evaluator:
    """Computes terms again and again: in which order, it finds out once."""

    def __init__(self) -> None:
        """Know no term yet."""
        self._plans: dict[tuple[int, int], _Plan] = {}
        """By the table, which its terms keep alive, and the number there."""

    def evaluate(self, value: Argument, cells: Sequence[int]) -> int:
        """Compute a term, or give a constant as it is."""
        if not isinstance(value, Term):
            return value
        key = id(value.table), value.id
        plan = self._plans.get(key)
        if plan is None:
            plan = self._plans[key] = _plan(value)
        return _run(plan, cells)


@dataclass(slots=True)
class _Plan:
    """The order in which the parts of a term are computed."""

    term: Term
    constants: list[int] = field(default_factory=list)
    cells: list[int] = field(default_factory=list)
    """The cells that are read; their values follow the constants."""
    steps: list[tuple[Callable[..., int], tuple[int, ...]]] = field(default_factory=list)
    """Operators, and where their arguments stand: each result follows the values before."""


def _plan(term: Term) -> _Plan:
    plan = _Plan(term)
    parts = _list_parts(term)
    cells = [part for part in parts if part.op == "cell"]
    made = [part for part in parts if part.op != "cell"]
    plan.constants = list(
        dict.fromkeys(arg for part in made for arg in part.args if not isinstance(arg, Term))
    )
    plan.cells = [next(iter(cell.reads)) for cell in cells]
    first = len(plan.constants)
    places = {part.id: first + at for at, part in enumerate((*cells, *made))}
    known = {constant: at for at, constant in enumerate(plan.constants)}
    for part in made:
        where = tuple(places[arg.id] if isinstance(arg, Term) else known[arg] for arg in part.args)
        plan.steps.append((_OPERATORS[part.op], where))
    return plan


def _list_parts(term: Term) -> list[Term]:
    """List a term and its parts once each, each after its own parts."""
    found: dict[int, Term] = {}
    waiting = [term]
    while waiting:
        part = waiting[-1]
        if part.id in found:
            waiting.pop()
            continue
        missing = [arg for arg in part.args if isinstance(arg, Term) and arg.id not in found]
        waiting += missing
        if not missing:
            found[part.id] = part
    return list(found.values())


def _run(plan: _Plan, cells: Sequence[int]) -> int:
    values = [*plan.constants, *[cells[at] for at in plan.cells]]
    for compute, where in plan.steps:
        values.append(compute(*[values[at] for at in where]))
    return values[-1]
