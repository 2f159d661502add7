"""The value of a traced term in a world given as plain values: once, or in one world after the other."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from operator import itemgetter
from typing import Any, Final, TypeAlias

from nomadspec.model.language.subterms import find_position, list_parts
from nomadspec.model.language.term import Argument, Term

_OF_ONE: Final[dict[str, Callable[[int], int]]] = {
    "neg": operator.neg,
    "number": int,
    "not": operator.not_,
}
"""What is computed of one value."""

_OF_SEVERAL: Final[dict[str, Callable[[tuple[int, ...]], int]]] = {
    "eq": lambda given: given[0] == given[1],
    "le": lambda given: given[0] <= given[1],
    "add": sum,
    "mul": lambda given: given[0] * given[1],
    "and": all,
    "or": any,
    "ite": lambda given: given[1] if given[0] else given[2],
}
"""What is computed of several values, which are given as one tuple."""

_Step: TypeAlias = tuple[Callable[[Any], int], Callable[[Sequence[int]], Any]]
"""A function, and what takes what it is given out of what is known so far."""


def evaluate(value: Argument, cells: Sequence[int]) -> int:
    """Compute a term, or give a constant as it is; each part once, however deep.

    How it is computed is found out once, and kept with the terms.
    """
    if not isinstance(value, Term):
        return value
    plans = value.table.plans
    plan = plans.get(value.id)
    if plan is None:
        plan = plans[value.id] = _make_plan(value)
    return plan(cells)


def _make_plan(root: Term) -> Callable[[Sequence[int]], int]:
    """Find out how a term is computed: its cells and constants first, then each part of those before it."""
    if root.op == "cell":
        return itemgetter(find_position(root))
    parts = list_parts(root)
    places: dict[int, int] = {}
    read: list[int] = []
    for part in parts:
        if part.op == "cell":
            places[part.id] = len(read)
            read.append(find_position(part))
    constants = [arg for part in parts if part.op != "cell" for arg in part.args if not isinstance(arg, Term)]
    at, steps = len(read), list[_Step]()
    made = len(read) + len(constants)
    for part in (part for part in parts if part.op != "cell"):
        given = []
        for arg in part.args:
            given.append(places[arg.id] if isinstance(arg, Term) else at)
            at += not isinstance(arg, Term)
        function = _OF_ONE[part.op] if part.op in _OF_ONE else _OF_SEVERAL[part.op]
        steps.append((function, itemgetter(*given)))
        places[part.id] = made
        made += 1
    return _Plan(read, constants, steps).compute


class _Plan:
    """The cells that a term reads, its constants, and what is computed of them one after the other."""

    __slots__ = ("_constants", "_read", "_steps")

    def __init__(self, read: Sequence[int], constants: Sequence[int], steps: Sequence[_Step]) -> None:
        self._read = read
        self._constants = constants
        self._steps = steps

    def compute(self, cells: Sequence[int]) -> int:
        """Compute the term in a world."""
        known = [cells[position] for position in self._read]
        known += self._constants
        for function, take in self._steps:
            known.append(function(take(known)))
        return known[-1]
