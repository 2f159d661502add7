"""How a model breaks what it promises without a word (model_promises.py): in a step, or in a world.

A rule breaks a promise in the step that fails. A property or premise that raises something in a reachable
world breaks one, too, in that world.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from nomadspec.model.errors import ModelError
from nomadspec.model.language.model_promises import name_promise
from nomadspec.model.language.property import Kind, Property

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from nomadspec.model.language.bounded import BoundedModel, Cells
    from nomadspec.model.language.trace import Instance


@dataclass(frozen=True, slots=True)
class Failure:
    """A promise that is broken, how, and the step that breaks it."""

    promise: str
    sentence: str
    instance: Instance | None = None
    """None where a world breaks it, in which a text was asked."""


def find_failure(bounded: BoundedModel, cells: Cells, properties: Iterable[Property]) -> Failure | None:
    """Find the first thing that fails in a world: a text that is asked there, or a step from it."""
    asked = tuple(properties)
    return find_failing_world(bounded, cells, asked) or next(list_failing_steps(bounded, cells, asked), None)


def find_failing_world(bounded: BoundedModel, cells: Cells, properties: Iterable[Property]) -> Failure | None:
    """Find a text that raises something when it is asked of a world."""
    try:
        bounded.is_at_rest(cells)
        for prop in properties:
            for case in bounded.list_cases(prop) if prop.kind is not Kind.STEP else ():
                bounded.holds(prop, cells, *case)
                bounded.is_given(prop, cells, *case)
                bounded.is_kept(prop, cells, *case)
    except ModelError as error:
        return Failure(name_promise(error), str(error))
    return None


def find_failing_step(
    bounded: BoundedModel, before: Cells, instance: Instance, properties: Iterable[Property]
) -> Failure | None:
    """Find what fails in a step: the rule itself, or a ``step`` property that is asked of it."""
    try:
        after = bounded.step(before, instance)
        for prop in properties if after is not None else ():
            if prop.kind is Kind.STEP and after is not None:
                bounded.holds_step(prop, before, instance, after)
    except ModelError as error:
        return Failure(name_promise(error), str(error), instance)
    return None


def list_failing_steps(
    bounded: BoundedModel, cells: Cells, properties: Iterable[Property] = ()
) -> Iterator[Failure]:
    """List the steps from a world that fail, or of which a ``step`` property cannot be asked."""
    for instance in bounded.instances:
        failure = find_failing_step(bounded, cells, instance, properties)
        if failure is not None:
            yield failure
