"""Properties as Python code over packed worlds, asked only where a step can have changed the answer.

What tracing has shown to hold everywhere, or after some instance, is never asked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from nomadspec.checkers.property_premises import Premises
from nomadspec.checkers.pycode.compiled import compile_steps, compile_worlds
from nomadspec.checkers.pycode.questions import Question, WrittenSteps, WrittenWorlds
from nomadspec.model.language.property import Kind, Property

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from nomadspec.checkers.stepper.layout import Layout
    from nomadspec.model.language.bounded import BoundedModel
    from nomadspec.model.language.logic import Value
    from nomadspec.model.language.property import By
    from nomadspec.model.language.world import World

_OF_WORLDS: Final = frozenset({Kind.ALWAYS, Kind.SOMETIMES})
_PREMISE: Final = "premise of "


class CodeChecks:
    """The ``always``, ``step`` and ``sometimes`` among some properties, and the premises of them all.

    Whoever wants to know of premises is told when one is met, and says whether once is enough.
    """

    def __init__(
        self,
        bounded: BoundedModel,
        layout: Layout,
        properties: Iterable[Property],
        tell: Callable[[str], bool] | None = None,
    ) -> None:
        """Trace properties of worlds; those of steps follow when they are needed."""
        self._by_name = {prop.name: prop for prop in properties}
        self._places = {name: place for place, name in enumerate(self._by_name)}
        self._tell = tell
        self.premises = Premises(bounded, self._by_name.values())
        world = bounded.world(bounded.cell_terms)
        worlds = [
            Question(prop.name, prop(world), is_news=prop.kind is Kind.SOMETIMES)
            for prop in self._by_name.values()
            if prop.kind in _OF_WORLDS
        ]
        self._goals = tuple(each.name for each in worlds if each.is_news and each.is_open)
        worlds += self._list_premises(self.premises.list_of_worlds())
        asked = [question for question in worlds if question.is_open]
        self._worlds = compile_worlds(bounded, layout, asked) or WrittenWorlds(bounded, layout, asked)
        steps = [prop for prop in self._by_name.values() if prop.kind is Kind.STEP]
        self._steps = compile_steps(bounded, steps, self._watch_step) or WrittenSteps(
            bounded, layout, self._list_of_step
        )

    def list_goals(self) -> tuple[str, ...]:
        """Name each ``sometimes`` that may be reached as far as tracing knows."""
        return self._goals

    def drop(self, prop: Property) -> None:
        """Ask no longer about a property."""
        self._drop(prop.name)

    def ask_world(self, packed: int, position: int | None = None) -> list[Property]:
        """List each ``always`` that does not hold in a world, and each ``sometimes`` that does.

        With the position of the instance that led here, only what it can have changed is asked.
        """
        found = self._worlds.ask(packed, position)
        return self._sort_out(found) if found else []

    def ask_step(self, before: int, position: int, after: int) -> list[Property]:
        """List each ``step`` property that an instance violates between two worlds."""
        found = self._steps.ask(before, position, after)
        return self._sort_out(found) if found else []

    def _sort_out(self, found: list[str]) -> list[Property]:
        """Tell of the premises, and give the properties in their order."""
        properties = []
        for name in found:
            if name in self._by_name:
                properties.append(self._by_name[name])
            elif self._tell is not None and self._tell(name.removeprefix(_PREMISE)):
                self._drop(name)
        return sorted(properties, key=lambda prop: self._places[prop.name])

    def _drop(self, name: str) -> None:
        self._worlds.drop(name)
        self._steps.drop(name)

    def _list_of_step(self, position: int) -> list[Question]:
        flags, premises = self.premises.list_of_step(position)
        return [Question(name, flag, is_news=False) for name, flag in flags] + self._list_premises(premises)

    def _watch_step(self, prop: Property, before: World, after: World, by: By) -> list[tuple[str, Value]]:
        if self._tell is None:
            return [(prop.name, prop(before, after, by))]
        flag, premises = self.premises.watch_step(prop, before, after, by)
        return [(prop.name, flag), *((f"{_PREMISE}{name}", value) for name, value in premises)]

    def _list_premises(self, premises: Iterable[tuple[str, Value]]) -> list[Question]:
        if self._tell is None:
            return []
        return [Question(f"{_PREMISE}{name}", flag, is_news=True) for name, flag in premises]
