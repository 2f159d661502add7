"""How a step can change a cell: for each value before it, the values after it."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from nomadspec.checkers.explore.partial_order.choices import find_demands
from nomadspec.checkers.explore.partial_order.ranges import MOST_VALUES
from nomadspec.checkers.stepper.evaluate import evaluate
from nomadspec.model.language.term import Term

if TYPE_CHECKING:
    from nomadspec.checkers.explore.partial_order.facts import Facts
    from nomadspec.model.language.logic import Value
    from nomadspec.model.language.trace import TracedInstance

Moves: TypeAlias = tuple[int, ...]
"""For each value of a cell, less the lowest, a mask of the values after it; 0 where it cannot be."""


def find_moves(traced: TracedInstance, facts: Facts) -> dict[int, Moves | None]:
    """Find how an instance can change each cell that it writes; None where that is not followed."""
    demands = find_demands(traced, facts)
    return {
        cell: _Mover(facts, cell, demands.get(cell, facts.cells[cell])).move(value)
        for cell, value in traced.writes.items()
    }


class _Mover:
    """Finds what values are written to one cell."""

    def __init__(self, facts: Facts, cell: int, admitted: frozenset[int] | None) -> None:
        self._interval = facts.bounded.frame.intervals[cell]
        self._cell = facts.bounded.cell_terms[cell]
        self._position = cell
        self._cells = [0] * len(facts.cells)
        self._admitted = admitted

    def move(self, value: Value) -> Moves | None:
        low, high = int(self._interval.low), int(self._interval.high)
        if self._admitted is None or high - low >= MOST_VALUES:
            return None
        return tuple(
            self._find_targets(value, before) if before in self._admitted else 0
            for before in range(low, high + 1)
        )

    def _find_targets(self, value: Value, before: int) -> int:
        """Find what a value can be, as a mask, where the cell held another before."""
        if not isinstance(value, Term):
            return self._mask(int(value), int(value))
        if value.reads == self._cell.reads:
            self._cells[self._position] = bool(before) if self._interval.is_flag else before
            known = int(evaluate(value, self._cells))
            return self._mask(known, known)
        if value.op == "ite":
            condition, *branches = value.args
            if isinstance(condition, Term) and condition.reads == self._cell.reads:
                self._cells[self._position] = bool(before) if self._interval.is_flag else before
                return self._find_targets(branches[not evaluate(condition, self._cells)], before)
            return self._find_targets(branches[0], before) | self._find_targets(branches[1], before)
        if value.op in {"and", "or"}:
            return self._join(value, before)
        return self._mask(value.low, value.high)

    def _join(self, value: Term, before: int) -> int:
        """Find what flags together can be: one that decides is enough."""
        decides = self._mask(int(value.op == "or"), int(value.op == "or"))
        parts = [self._find_targets(part, before) for part in value.args]
        if decides in parts:
            return decides
        found = 0
        for part in parts:
            found |= part
        return found

    def _mask(self, low: int, high: int) -> int:
        first = max(low, int(self._interval.low)) - int(self._interval.low)
        last = min(high, int(self._interval.high)) - int(self._interval.low)
        return (1 << last + 1) - (1 << first) if first <= last else 0
