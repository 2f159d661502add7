"""Stories: an initial world and a list of rule applications; every engine gives them, every tool replays."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from nomadspec.model.errors import DisabledError, ModelError
from nomadspec.model.language.bounded import BoundedModel, Cells, Witnesses, find_start
from nomadspec.model.language.broken_promises import Failure
from nomadspec.model.language.logic import Value
from nomadspec.model.language.model_promises import name_promise

if TYPE_CHECKING:
    from nomadspec.model.language.trace import Instance

DEADLOCK = "deadlock"
"""What a story that ends in a stuck world shows, in the place of a property's name."""


@dataclass(frozen=True, slots=True)
class Application:
    """One rule application, with arguments as people write them."""

    rule: str
    arguments: Mapping[str, Value]

    def __str__(self) -> str:
        """Write it as a call: ``Dequeue(worker1, job2)``."""
        return f"{self.rule}({', '.join(_flat(value) for value in self.arguments.values())})"


@dataclass(frozen=True, slots=True)
class Story:
    """An initial world and the steps from it, with what they show."""

    model: str
    scope: str
    sizes: Mapping[str, int]
    profile: str
    steps: tuple[Application, ...]
    start: Application | None = None
    """The start rule that made the initial world; None for the declared first values."""
    loop: int | None = None
    """For a lasso: the steps from this number on repeat (equal to the length: the world just stays)."""
    property: str | None = None
    """The property that it violates (or reaches, for a ``sometimes``); ``deadlock`` for a stuck end; the
    promise of every model (``model/language/model_promises.py``) that its last step or world breaks."""
    case: tuple[str, ...] = ()
    """The values for which an ``eventually`` is violated."""
    witnesses: Witnesses = ()
    seed: int | None = None


@dataclass(frozen=True, slots=True)
class Moment:
    """One step of a replayed story: the instance and the cells after it."""

    instance: Instance
    cells: Cells


@dataclass(frozen=True, slots=True)
class Replay:
    """A story run again: the bounded model, the first world and every moment, up to a step that fails."""

    bounded: BoundedModel
    first: Cells
    moments: tuple[Moment, ...]
    failure: Failure | None = None
    """How the step behind the last moment fails; None where all steps happen."""

    @property
    def last(self) -> Cells:
        """Give the world at the end."""
        return self.moments[-1].cells if self.moments else self.first

    @property
    def worlds(self) -> tuple[Cells, ...]:
        """List the worlds, the first included."""
        return (self.first, *[moment.cells for moment in self.moments])


def replay(story: Story, bounded: BoundedModel) -> Replay:
    """Run a story on the interpreter; a step that its rule does not allow is a DisabledError.

    A step that its rule allows, but that fails, ends the replay, which says how.
    """
    start = story.start
    first = find_start(bounded, start.rule if start else None, start.arguments if start else {})
    moments: list[Moment] = []
    cells = first
    for number, application in enumerate(story.steps, 1):
        rule = bounded.model.find_rule(application.rule)
        instance = bounded.find_instance(rule, bounded.parse_arguments(rule, application.arguments))
        try:
            after = bounded.step(cells, instance) if instance is not None else None
        except ModelError as error:
            failure = Failure(name_promise(error), str(error), instance)
            return Replay(bounded, first, tuple(moments), failure)
        if instance is None or after is None:
            raise DisabledError(
                f"Step {number} of the story, {application}, is not possible in the world before it."
            )
        moments.append(Moment(instance, after))
        cells = after
    return Replay(bounded, first, tuple(moments))


def label_instance(bounded: BoundedModel, instance: Instance) -> Application:
    """Write an instance as an application."""
    return Application(instance.rule.name, bounded.label_arguments(instance))


def _flat(value: Value) -> str:
    """Write an argument on one line; a choice for each place as ``place:value``."""
    if isinstance(value, Mapping):
        return " ".join(f"{place}:{choice}" for place, choice in value.items())
    return str(value)
