"""What every model promises without a word, and how it fails: its text has an answer wherever it is run.

A rule that leaves a domain, counts further than the scope, misuses a queue or raises something breaks a
promise of its own model. That is a violation like that of a property: it has a story, which ends with the
step that fails. A property or premise that raises something in a reachable world breaks the same promise,
with a story that ends in that world.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from nomadspec.model.errors import CounterError, DomainError, ModelError, QueueError, StrayError
from nomadspec.model.language.property import Kind, Property

if TYPE_CHECKING:
    from nomadspec.model.language.bounded import BoundedModel, Cells
    from nomadspec.model.language.trace import Instance

DOMAINS_ARE_KEPT: Final = "domains_are_kept"
COUNTERS_FIT_THE_SCOPE: Final = "counters_fit_the_scope"
QUEUES_ARE_USED_WELL: Final = "queues_are_used_well"
RULES_DO_NOT_FAIL: Final = "rules_do_not_fail"
TEXTS_HAVE_ANSWERS: Final = "texts_have_answers"
"""A property that models have whose texts may ask a table for what it has not (answer_property.py)."""
WHY_ANSWERS: Final = "a text that asks a table for what it has not says nothing of the world"

PROMISES: Final[Mapping[str, str]] = {
    DOMAINS_ARE_KEPT: "no rule may write a value that its field does not admit",
    COUNTERS_FIT_THE_SCOPE: "what lies behind the end of a counter is not looked at",
    QUEUES_ARE_USED_WELL: "a rule pushes only what is not in the queue, and pops only its head",
    RULES_DO_NOT_FAIL: "the text of each rule and property must have an answer in every reachable world",
}
"""The promises by name, each with its reason."""


def is_promise_of_models(name: str) -> bool:
    """Tell whether a name stands for what is asked of every model, beside the properties that it declares."""
    return name in PROMISES or name == TEXTS_HAVE_ANSWERS


@dataclass(frozen=True, slots=True)
class Failure:
    """A promise that is broken, how, and the step that breaks it."""

    promise: str
    sentence: str
    instance: Instance | None = None
    """None where a world breaks it, in which a text was asked."""


def name_promise(error: ModelError) -> str:
    """Name the promise that an error of the interpreter breaks."""
    if isinstance(error, QueueError):
        return QUEUES_ARE_USED_WELL
    if isinstance(error, CounterError):
        return COUNTERS_FIT_THE_SCOPE
    if isinstance(error, StrayError):
        return RULES_DO_NOT_FAIL
    return DOMAINS_ARE_KEPT if isinstance(error, DomainError) else RULES_DO_NOT_FAIL


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
