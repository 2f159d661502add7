"""Properties of packed worlds and steps, remembered by the cells that they read.

What a property reads is known from tracing its text, so that it is evaluated once for each combination of
those cells. A property that tracing has shown to hold everywhere (or after some instance) is never asked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from nomadspec.checkers.stepper.question import read_mask
from nomadspec.model.language.property import Kind, Property

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from nomadspec.checkers.stepper.layout import Layout
    from nomadspec.model.language.bounded import BoundedModel


class Checks:
    """The ``always``, ``step`` and ``sometimes`` among some properties of a bounded model."""

    def __init__(self, bounded: BoundedModel, layout: Layout, properties: Iterable[Property]) -> None:
        """Find out what each property reads."""
        self._bounded = bounded
        self._layout = layout
        chosen = tuple(properties)
        self._always = [
            known for prop in chosen if prop.kind is Kind.ALWAYS for known in self._ask_worlds(prop)
        ]
        self._sometimes = [
            known for prop in chosen if prop.kind is Kind.SOMETIMES for known in self._ask_worlds(prop)
        ]
        self._asked = tuple(prop for prop in chosen if prop.kind is Kind.STEP)
        self._steps: dict[int, tuple[_Known, ...]] = {}
        """What is asked of the instances that have happened."""

    def drop(self, name: str) -> None:
        """Ask no longer about an ``always`` or ``step`` property."""
        self._always = [known for known in self._always if known.property.name != name]
        self._asked = tuple(prop for prop in self._asked if prop.name != name)
        self._steps = {
            position: tuple(known for known in asked if known.property.name != name)
            for position, asked in self._steps.items()
        }

    def broken(self, packed: int) -> Property | None:
        """Find an ``always`` that does not hold in a world."""
        for known in self._always:
            if packed & known.mask not in known.settled and not self._settle(known, packed):
                return known.property
        return None

    def watches(self, position: int) -> bool:
        """True if a ``step`` property can be broken by the instance at this position at all."""
        return bool(self._list_steps(position))

    def broken_step(self, before: int, position: int, after: int) -> Property | None:
        """Find a ``step`` property that does not hold of a step."""
        return next(self._find_broken_steps(before, position, after), None)

    def list_broken_steps(self, before: int, position: int, after: int) -> list[Property]:
        """List the ``step`` properties that do not hold of a step."""
        return list(self._find_broken_steps(before, position, after))

    def _find_broken_steps(self, before: int, position: int, after: int) -> Iterator[Property]:
        for known in self._list_steps(position):
            if before & known.mask not in known.settled:
                instance = self._bounded.instances[position]
                worlds = self._layout.unpack(before), instance, self._layout.unpack(after)
                if self._bounded.holds_step(known.property, *worlds):
                    known.settled.add(before & known.mask)
                else:
                    yield known.property

    def reached(self, packed: int) -> list[Property]:
        """List the ``sometimes`` that hold in a world and held in none that was asked about before."""
        found = [
            known
            for known in self._sometimes
            if packed & known.mask not in known.settled and self._settle(known, packed)
        ]
        if found:
            self._sometimes = [known for known in self._sometimes if known not in found]
        return [known.property for known in found]

    def _settle(self, known: _Known, packed: int) -> bool:
        """Evaluate; remember the cells for which nothing has to be reported."""
        holds = self._bounded.holds(known.property, self._layout.unpack(packed))
        if holds is (known.property.kind is Kind.ALWAYS):
            known.settled.add(packed & known.mask)
        return holds

    def _ask_worlds(self, prop: Property) -> list[_Known]:
        value = prop(self._bounded.world(self._bounded.cell_terms))
        if value is True and prop.kind is Kind.ALWAYS:
            return []
        return [_Known(prop, read_mask(self._layout, value))]

    def _list_steps(self, position: int) -> tuple[_Known, ...]:
        """List what is asked of an instance, found out when it first happens."""
        asked = self._steps.get(position)
        if asked is None:
            values = [(prop, self._bounded.trace_step(prop, position)) for prop in self._asked]
            asked = self._steps[position] = tuple(
                _Known(prop, read_mask(self._layout, value)) for prop, value in values if value is not True
            )
        return asked


class _Known:
    """A property, the mask of what it reads, and the read bits for which nothing has to be reported."""

    __slots__ = ("mask", "property", "settled")

    def __init__(self, prop: Property, mask: int) -> None:
        self.property = prop
        self.mask = mask
        self.settled: set[int] = set()
