"""The premises of properties: what has to come true before a property says anything.

``implies(premise, conclusion)`` holds wherever the premise does not, so a property whose premises never come
true was not tested, however often it was asked. A premise is a place in the text of a property; it is met
where it holds for some member of the sets that the property goes through. What is ``given`` of an
``eventually`` is a premise as well.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from typing import TYPE_CHECKING, Final, TypeAlias

from nomadspec.model.language.logic import any_of, watching_premises
from nomadspec.model.language.property import By, Kind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from nomadspec.model.language.bounded import BoundedModel
    from nomadspec.model.language.logic import Value
    from nomadspec.model.language.property import Property
    from nomadspec.model.language.world import World

Place: TypeAlias = tuple[str, str, int, int]
"""A place in the text of a property: its name, a file, the line, and where in the code of its function."""

_CALLER_OF_IMPLIES: Final = 2


class Premises:
    """The premises of some properties that may be met in a bounded model."""

    def __init__(self, bounded: BoundedModel, properties: Iterable[Property]) -> None:
        """Find them: each property is traced, those of steps with one instance of each rule."""
        self._bounded = bounded
        chosen = tuple(properties)
        self._steps = [prop for prop in chosen if prop.kind is Kind.STEP]
        self._of_worlds = {
            place: flag
            for prop in chosen
            if prop.kind is not Kind.STEP
            for place, flag in self._trace_world(prop).items()
        }
        of_rules = {traced.instance.rule.name: traced.instance.number for traced in bounded.traced}
        of_steps = {place for position in of_rules.values() for place in self._trace_step(position)[1]}
        self._names = _name_all({*self._of_worlds, *of_steps})

    @property
    def names(self) -> tuple[str, ...]:
        """Name the premises: by the property, and by a number where it has several."""
        return tuple(self._names.values())

    def list_of_worlds(self) -> list[tuple[str, Value]]:
        """List the premises that are asked of a world, each with its flag."""
        return [(self._names[place], flag) for place, flag in self._of_worlds.items()]

    def list_of_step(self, position: int) -> tuple[list[tuple[str, Value]], list[tuple[str, Value]]]:
        """List the step properties with their flags for an instance, and their premises with theirs."""
        flags, premises = self._trace_step(position)
        known = [(self._names[place], flag) for place, flag in premises.items() if place in self._names]
        return flags, known

    def watch_step(
        self, prop: Property, before: World, after: World, by: By
    ) -> tuple[Value, list[tuple[str, Value]]]:
        """Trace a step property: gives its flag, and its premises with theirs."""
        flag, found = _watch(prop.name, prop, before, after, by)
        return flag, [(self._names[place], value) for place, value in found.items() if place in self._names]

    def _trace_step(self, position: int) -> tuple[list[tuple[str, Value]], dict[Place, Value]]:
        bounded = self._bounded
        traced = bounded.traced[position]
        before = bounded.world(bounded.cell_terms)
        after = bounded.world(traced.after(bounded.cell_terms))
        by = By(traced.instance.rule, traced.instance.arguments)
        flags: list[tuple[str, Value]] = []
        premises: dict[Place, Value] = {}
        for prop in self._steps:
            flag, found = _watch(prop.name, prop, before, after, by)
            flags.append((prop.name, flag))
            premises |= found
        return flags, premises

    def _trace_world(self, prop: Property) -> Mapping[Place, Value]:
        world = self._bounded.world(self._bounded.cell_terms)
        flags: dict[Place, list[Value]] = defaultdict(list)
        for case in self._bounded.list_cases(prop):
            if prop.given is not None:
                flags[prop.name, prop.file, prop.line, 0].append(prop.given(world, *case))
            for place, flag in _watch(prop.name, prop, world, *case)[1].items():
                flags[place].append(flag)
        return _join(flags)


def _watch(name: str, text: Callable[..., Value], *arguments: object) -> tuple[Value, dict[Place, Value]]:
    """Trace a text, and list the premises in it that may hold."""
    found: dict[Place, list[Value]] = defaultdict(list)

    def listen(premise: Value) -> None:
        caller = sys._getframe(_CALLER_OF_IMPLIES)  # noqa: SLF001 -- each public way to it reads source files
        found[name, caller.f_code.co_filename, caller.f_lineno, caller.f_lasti].append(premise)

    with watching_premises(listen):
        value = text(*arguments)
    return value, _join(found)


def _join(flags: Mapping[Place, list[Value]]) -> dict[Place, Value]:
    joined = {place: any_of(*of_place) for place, of_place in flags.items()}
    return {place: flag for place, flag in joined.items() if flag is not False}


def _name_all(places: Iterable[Place]) -> dict[Place, str]:
    of_property: dict[str, list[Place]] = defaultdict(list)
    for place in sorted(places):
        of_property[place[0]].append(place)
    return {
        place: name if len(own) == 1 else f"{name} #{number}"
        for name, own in of_property.items()
        for number, place in enumerate(own, 1)
    }
