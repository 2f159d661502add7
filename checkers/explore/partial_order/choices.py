"""Which values a cell can have where a flag about it holds, and which values a step can write there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nomadspec.checkers.stepper.evaluate import evaluate
from nomadspec.model.term import Term

if TYPE_CHECKING:
    from nomadspec.model.bounded import BoundedModel
    from nomadspec.model.domain import Interval
    from nomadspec.model.logic import Value
    from nomadspec.model.trace import TracedInstance


def find_admitted(flag: Term, cell: int, bounded: BoundedModel) -> frozenset[int]:
    """Find the values of the only cell that a flag reads for which it holds."""
    cells = [0] * len(bounded.cell_terms)
    admitted = set()
    for value in list_values(bounded.frame.intervals[cell]):
        cells[cell] = value
        if evaluate(flag, cells):
            admitted.add(int(value))
    return frozenset(admitted)


def list_values(interval: Interval) -> tuple[int, ...]:
    """List the values of a cell; those of a flag are bools."""
    if interval.is_flag:
        return (False, True)
    return tuple(range(interval.low, interval.high + 1))


def find_demands(traced: TracedInstance, bounded: BoundedModel) -> dict[int, frozenset[int]]:
    """Find for single cells the values that the guard admits; cells of which it says more are left out."""
    demands: dict[int, frozenset[int]] = {}
    for flag in traced.guard:
        if len(flag.reads) == 1:
            (cell,) = flag.reads
            admitted = find_admitted(flag, cell, bounded)
            demands[cell] = demands.get(cell, admitted) & admitted
    return demands


def can_write(value: Value, cell: int, wanted: frozenset[int]) -> bool:
    """Tell whether a written value may be one of those wanted where the cell had none of them before."""
    if not isinstance(value, Term):
        return int(value) in wanted
    if value.op == "ite":
        return any(can_write(branch, cell, wanted) for branch in value.args[1:])
    if value.op == "cell" and cell in value.reads:
        return False
    return any(value.low <= one <= value.high for one in wanted)
