"""What properties say in a scope, and what is possible there, as traced terms over the cells of a world.

The interpreter refuses a step that leaves a domain, or that makes ranks which are no queue. Such a step is
an error of the model and leads to no world, so it is no step here either.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from typing import TYPE_CHECKING

from nomadspec.checkers.smt.algebra import as_term
from nomadspec.model.language.logic import Value, all_of, any_of
from nomadspec.model.language.property import By, Kind
from nomadspec.model.language.term import Term
from nomadspec.model.language.trace import blaming

if TYPE_CHECKING:
    from nomadspec.checkers.smt.translate import SolverState
    from nomadspec.model.language.bounded import BoundedModel
    from nomadspec.model.language.property import Property
    from nomadspec.model.language.trace import TracedInstance


class ScopeReading:
    """Reads properties and steps on the cells of a scope, plain or traced."""

    def __init__(self, bounded: BoundedModel) -> None:
        """Keep the model."""
        self._bounded = bounded
        self._properties = {prop.name: prop for prop in bounded.model.list_properties(Kind.ALWAYS, Kind.STEP)}

    @property
    def traced(self) -> tuple[TracedInstance, ...]:
        """List the traced instances."""
        return self._bounded.traced

    @property
    def candidates(self) -> tuple[str, ...]:
        """Name what could be invariant."""
        return tuple(prop.name for prop in self._bounded.model.list_properties(Kind.ALWAYS))

    def say(self, candidate: str, cells: Sequence[Value]) -> Value:
        """Give what a candidate says of a world."""
        return read_property(self._properties[candidate], self._bounded.world(cells))

    def say_after(self, goal: str, traced: TracedInstance) -> Value:
        """Give what a goal says of the world after an instance, over the cells before it."""
        cells = traced.after(self._bounded.cell_terms)
        prop = self._properties[goal]
        if prop.kind is Kind.ALWAYS:
            return self.say(goal, cells)
        worlds = self._bounded.world(self._bounded.cell_terms), self._bounded.world(cells)
        return read_property(prop, *worlds, By(traced.instance.rule, traced.instance.arguments))

    def list_background(self, state: SolverState) -> list[Value]:
        """List what every world is: its cells lie within their domains, and its ranks make queues."""
        return [*state.list_domains(), *map(state.translate, self._list_orders(self._bounded.cell_terms))]

    def list_conditions(self, state: SolverState, traced: TracedInstance) -> list[Value]:
        """List what makes an instance possible: its guard, and that the interpreter accepts the end."""
        inside = [
            state.is_inside(position, state.translate(value))
            for position, value in traced.writes.items()
            if isinstance(value, Term) or not self._bounded.frame.intervals[position].admits(value)
        ]
        orders = self._list_orders(traced.after(self._bounded.cell_terms), traced.writes)
        duty = self._bounded.duties.of_rules.get(traced.instance.number)
        answers = [] if duty is None else [state.translate(duty.must)]
        if traced.failure is not None:
            answers.append(as_term(value=False, context=state.context))
        return [*map(state.translate, traced.guard), *answers, *inside, *map(state.translate, orders)]

    def _list_orders(self, cells: Sequence[Value], changed: Container[int] | None = None) -> Iterator[Value]:
        for queue in self._bounded.frame.schema.queues:
            placed = self._bounded.frame.placed[queue.name]
            places = range(placed.base, placed.base + placed.span)
            if changed is None or any(place in changed for place in places):
                yield is_in_order(cells[placed.base : placed.base + placed.span])


def is_in_order(ranks: Sequence[Value]) -> Value:
    """True while ranks make a queue: no two ids share one, and before each but the first there is another."""
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


def read_property(prop: Property, *arguments: object) -> Value:
    """Give what a property says; what its text raises names the place in it."""
    with blaming(f"Property {prop.name}", prop.file, prop.line):
        return prop(*arguments)
