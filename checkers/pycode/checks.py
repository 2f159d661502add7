"""Properties as Python code over packed worlds, asked only where a step can have changed the answer.

A property that held before a step still holds after it if the step wrote none of the cells that it reads.
What tracing has shown to hold everywhere, or after some instance, is never asked.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final, TypeAlias

from nomadspec.checkers.pycode.questions import Question, write_questions
from nomadspec.model.property import By, Kind, Property

if TYPE_CHECKING:
    from collections.abc import Iterable

    from nomadspec.checkers.stepper.layout import Layout
    from nomadspec.model.bounded import BoundedModel
    from nomadspec.model.term import Argument


_Ask: TypeAlias = Callable[[int], list[Property]]

_OF_WORLDS: Final = frozenset({Kind.ALWAYS, Kind.SOMETIMES})


class CodeChecks:
    """The ``always``, ``step`` and ``sometimes`` among some properties."""

    def __init__(self, bounded: BoundedModel, layout: Layout, properties: Iterable[Property]) -> None:
        """Trace properties of worlds; code is written where it is needed."""
        self._bounded = bounded
        self._layout = layout
        chosen = tuple(properties)
        world = bounded.world(bounded.cell_terms)
        self._worlds = _list_open((prop, prop(world)) for prop in chosen if prop.kind in _OF_WORLDS)
        self._steps = [prop for prop in chosen if prop.kind is Kind.STEP]
        self._dropped: set[str] = set()
        self._ask_any = self._write(self._worlds)
        self._worlds_after: dict[int, _Ask] = {}
        self._worlds_by: dict[tuple[str, ...], _Ask] = {}
        self._steps_by: dict[int, _Ask] = {}

    def drop(self, prop: Property) -> None:
        """Ask no longer about a property.

        What is written is written again only when twice as many were dropped as the last time.
        """
        self._dropped.add(prop.name)
        if (count := len(self._dropped)) & (count - 1):
            return
        self._worlds = [each for each in self._worlds if each.key.name not in self._dropped]
        self._ask_any = self._write(self._worlds)
        self._worlds_after.clear()
        self._worlds_by.clear()

    def ask_world(self, packed: int, position: int | None = None) -> list[Property]:
        """List each ``always`` that does not hold in a world, and each ``sometimes`` that does.

        With the position of the instance that led here, only what it can have changed is asked.
        """
        if position is None:
            return self._without_dropped(self._ask_any(packed))
        ask = self._worlds_after.get(position)
        if ask is None:
            ask = self._worlds_after[position] = self._write_changed(position)
        found = ask(packed)
        return self._without_dropped(found) if found else found

    def ask_step(self, before: int, position: int) -> list[Property]:
        """List each ``step`` property that an instance violates from a world."""
        ask = self._steps_by.get(position)
        if ask is None:
            ask = self._steps_by[position] = self._write_steps(position)
        found = ask(before)
        return self._without_dropped(found) if found else found

    def _without_dropped(self, found: list[Property]) -> list[Property]:
        return [prop for prop in found if prop.name not in self._dropped]

    def _write_changed(self, position: int) -> _Ask:
        """Write the questions whose answer an instance can change; many instances share them."""
        writes = self._bounded.traced[position].writes.keys()
        asked = [each for each in self._worlds if not each.reads.isdisjoint(writes)]
        names = tuple(each.key.name for each in asked)
        if names not in self._worlds_by:
            self._worlds_by[names] = self._write(asked)
        return self._worlds_by[names]

    def _write_steps(self, position: int) -> _Ask:
        bounded = self._bounded
        traced = bounded.traced[position]
        before = bounded.world(bounded.cell_terms)
        after = bounded.world(traced.after(bounded.cell_terms))
        by = By(traced.instance.rule, traced.instance.arguments)
        return self._write(_list_open((prop, prop(before, after, by)) for prop in self._steps))

    def _write(self, asked: list[Question[Property]]) -> _Ask:
        return write_questions(asked, self._bounded, self._layout)


def _list_open(found: Iterable[tuple[Property, Argument]]) -> list[Question[Property]]:
    """List what tracing leaves open; a constant that is worth telling is told everywhere."""
    questions = []
    for prop, flag in found:
        is_news = prop.kind is Kind.SOMETIMES
        if flag is not (not is_news):
            questions.append(Question(prop, flag, is_news=is_news))
    return questions
