"""Properties as Python code over packed worlds, asked only where a step can have changed the answer.

A property that held before a step still holds after it if the step wrote none of the cells that it reads.
What tracing has shown to hold everywhere, or after some instance, is never asked.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from nomadspec.checkers.pycode.program import define_test
from nomadspec.model.property import By, Kind, Property
from nomadspec.model.term import Term

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from nomadspec.checkers.stepper.layout import Layout
    from nomadspec.model.bounded import BoundedModel
    from nomadspec.model.term import Argument


@dataclass(frozen=True, slots=True)
class _Asked:
    property: Property
    is_news: bool
    """The answer that is worth telling."""
    reads: frozenset[int]
    holds: Callable[[int], object]


class CodeChecks:
    """The ``always``, ``step`` and ``sometimes`` among some properties."""

    def __init__(self, bounded: BoundedModel, layout: Layout, properties: Iterable[Property]) -> None:
        """Write the code of properties of worlds; that of steps follows when it is needed."""
        self._bounded = bounded
        self._layout = layout
        chosen = tuple(properties)
        world = bounded.world(bounded.cell_terms)
        worlds = [
            self._ask(prop, prop(world)) for prop in chosen if prop.kind in {Kind.ALWAYS, Kind.SOMETIMES}
        ]
        self._worlds = [asked for asked in worlds if asked is not None]
        self._steps = [prop for prop in chosen if prop.kind is Kind.STEP]
        self._worlds_after: dict[int, list[_Asked]] = {}
        self._steps_by: dict[int, list[_Asked]] = {}

    def drop(self, prop: Property) -> None:
        """Ask no longer about a property."""
        self._worlds = [each for each in self._worlds if each.property is not prop]
        self._steps = [each for each in self._steps if each is not prop]
        self._worlds_after.clear()
        self._steps_by.clear()

    def ask_world(self, packed: int, position: int | None = None) -> list[Property]:
        """List each ``always`` that does not hold in a world, and each ``sometimes`` that does.

        With the position of the instance that led here, only what it can have changed is asked.
        """
        asked = self._worlds if position is None else self._list_changed(position)
        return [each.property for each in asked if bool(each.holds(packed)) is each.is_news]

    def ask_step(self, before: int, position: int) -> list[Property]:
        """List each ``step`` property that an instance violates from a world."""
        asked = self._steps_by.get(position)
        if asked is None:
            asked = self._steps_by[position] = self._ask_steps(position)
        return [each.property for each in asked if not each.holds(before)]

    def _list_changed(self, position: int) -> list[_Asked]:
        asked = self._worlds_after.get(position)
        if asked is None:
            writes = self._bounded.traced[position].writes.keys()
            asked = [each for each in self._worlds if not each.reads.isdisjoint(writes)]
            self._worlds_after[position] = asked
        return asked

    def _ask_steps(self, position: int) -> list[_Asked]:
        bounded = self._bounded
        traced = bounded.traced[position]
        before = bounded.world(bounded.cell_terms)
        after = bounded.world(traced.after(bounded.cell_terms))
        by = By(traced.instance.rule, traced.instance.arguments)
        asked = [self._ask(prop, prop(before, after, by)) for prop in self._steps]
        return [each for each in asked if each is not None]

    def _ask(self, prop: Property, value: Argument) -> _Asked | None:
        is_news = prop.kind is Kind.SOMETIMES
        if value is (not is_news):
            return None
        reads = value.reads if isinstance(value, Term) else frozenset()
        return _Asked(prop, is_news, reads, define_test(prop.name, value, self._bounded, self._layout))
