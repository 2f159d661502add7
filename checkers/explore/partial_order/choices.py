"""Which values a cell can have where a flag about it holds, and which values a step can write there."""

from __future__ import annotations

from itertools import product
from math import prod
from typing import TYPE_CHECKING, Final

from nomadspec.checkers.stepper.evaluate import evaluate
from nomadspec.model.language.term import Term

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from nomadspec.checkers.explore.partial_order.facts import Facts
    from nomadspec.model.language.logic import Value
    from nomadspec.model.language.trace import TracedInstance


MOST_CASES: Final = 128
"""So many combinations of values are tried where something is asked about several cells."""


def find_admitted(flag: Term, cell: int, facts: Facts) -> frozenset[int] | None:
    """Find the values of the only cell that a flag reads for which it holds; None where they are many."""
    values = list_values(cell, facts)
    if values is None:
        return None
    cells = [0] * len(facts.cells)
    admitted = set()
    for value in values:
        cells[cell] = value
        if evaluate(flag, cells):
            admitted.add(int(value))
    return frozenset(admitted)


def list_values(cell: int, facts: Facts) -> tuple[int, ...] | None:
    """List the values of a cell, None where they are many; those of a flag are bools."""
    values = facts.cells[cell]
    if values is None:
        return None
    is_flag = facts.bounded.frame.intervals[cell].is_flag
    return tuple(bool(value) if is_flag else value for value in sorted(values))


def find_demands(traced: TracedInstance, facts: Facts) -> dict[int, frozenset[int]]:
    """Find for single cells the values that the guard admits; cells of which it says more are left out."""
    demands: dict[int, frozenset[int]] = {}
    for flag in traced.guard:
        if len(flag.reads) == 1:
            (cell,) = flag.reads
            admitted = find_admitted(flag, cell, facts)
            if admitted is not None:
                demands[cell] = demands.get(cell, admitted) & admitted
    return demands


def list_cases(cells: Iterable[int], facts: Facts) -> Iterator[list[int]] | None:
    """List all values of some cells, in worlds where the others are 0; None where they are many."""
    asked = sorted(cells)
    choices = [values for cell in asked if (values := list_values(cell, facts)) is not None]
    if len(choices) < len(asked) or prod(map(len, choices)) > MOST_CASES:
        return None
    return _fill(asked, choices, len(facts.cells))


def _fill(asked: Sequence[int], choices: Sequence[tuple[int, ...]], length: int) -> Iterator[list[int]]:
    for values in product(*choices):
        case = [0] * length
        for cell, value in zip(asked, values, strict=True):
            case[cell] = value
        yield case


def is_certain(flag: Term, facts: Facts) -> bool:
    """True if a flag is true whatever the cells hold, as far as that is found by trying few of them."""
    cases = list_cases(flag.reads, facts)
    return cases is not None and all(evaluate(flag, case) for case in cases)


def can_write(value: Value, cell: int, wanted: frozenset[int]) -> bool:
    """True if a written value may be one of those wanted where the cell had none of them before."""
    if not isinstance(value, Term):
        return int(value) in wanted
    if value.op == "ite":
        return any(can_write(branch, cell, wanted) for branch in value.args[1:])
    if value.op == "cell" and cell in value.reads:
        return False
    return any(value.low <= one <= value.high for one in wanted)
