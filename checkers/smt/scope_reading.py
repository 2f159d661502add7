"""What candidates and properties say in a scope, as traced terms over the cells of a world.

Beside the properties, the order of each queue is a candidate: ranks are unknowns like all other cells, and
most of what they could be is no queue.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from nomadspec.model.logic import Value, all_of, any_of
from nomadspec.model.property import By, Kind
from nomadspec.model.term import Term
from nomadspec.model.trace import blaming

if TYPE_CHECKING:
    from nomadspec.checkers.smt.translate import SolverState
    from nomadspec.model.bounded import BoundedModel
    from nomadspec.model.property import Property
    from nomadspec.model.trace import TracedInstance


class ScopeReading:
    """Reads candidates and properties on the cells of a scope, plain or traced."""

    def __init__(self, bounded: BoundedModel) -> None:
        """Keep the model; every queue brings a candidate."""
        self._bounded = bounded
        self._queues = {f"queue {queue.name}": queue for queue in bounded.frame.schema.queues}
        self._properties = {prop.name: prop for prop in bounded.model.list_properties(Kind.ALWAYS, Kind.STEP)}

    @property
    def candidates(self) -> tuple[str, ...]:
        """Name what could be invariant: orders of queues, and properties."""
        return (*self._queues, *[p.name for p in self._bounded.model.list_properties(Kind.ALWAYS)])

    def say(self, candidate: str, cells: Sequence[Value]) -> Value:
        """Give what a candidate says of a world."""
        if candidate in self._queues:
            placed = self._bounded.frame.placed[self._queues[candidate].name]
            return is_in_order(cells[placed.base : placed.base + placed.span])
        return _evaluate(self._properties[candidate], self._bounded.world(cells))

    def say_after(self, goal: str, traced: TracedInstance) -> Value:
        """Give what a goal says of the world after an instance, over the cells before it."""
        cells = traced.after(self._bounded.cell_terms)
        prop = self._properties.get(goal)
        if prop is None or prop.kind is Kind.ALWAYS:
            return self.say(goal, cells)
        worlds = self._bounded.world(self._bounded.cell_terms), self._bounded.world(cells)
        return _evaluate(prop, *worlds, By(traced.instance.rule, traced.instance.arguments))


def is_in_order(ranks: Sequence[Value]) -> Value:
    """Say that ranks make a queue: no two ids share one, and before each but the first there is another."""
    places = range(len(ranks))
    distinct = [
        any_of(ranks[one] == 0, ranks[one] != ranks[other])
        for one in places
        for other in places
        if one < other
    ]
    without_gaps = [
        any_of(ranks[one] <= 1, *[ranks[other] == ranks[one] - 1 for other in places if one != other])
        for one in places
    ]
    return all_of(*distinct, *without_gaps)


def list_conditions(state: SolverState, traced: TracedInstance) -> list[Value]:
    """List what makes an instance possible: its guard, and that it stays within the domains."""
    guard = [state.translate(part) for part in traced.guard]
    inside = [
        state.is_inside(position, state.translate(value))
        for position, value in traced.writes.items()
        if isinstance(value, Term)
    ]
    return guard + inside


def _evaluate(prop: Property, *arguments: object) -> Value:
    with blaming(f"Property {prop.name}", prop.file, prop.line):
        return prop(*arguments)
