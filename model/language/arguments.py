"""What the arguments of rules and properties can be: told by their types, or by the decorator.

An argument whose type is the class of a set's ids, ``job: JobId`` where the world declares
``jobs: Ids[JobId]``, is one of them; one whose type is an enum is one of its members. Of any other the
decorator says what it can be. How types are read is told in argument_types.py.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import IntEnum
from itertools import product
from typing import TYPE_CHECKING, TypeAlias

from nomadspec.model.errors import ModelError, UsageError
from nomadspec.model.language.argument_types import (
    explain_type,
    find_classes,
    find_world,
    is_telling,
    read_type,
)
from nomadspec.model.language.domain import Domain, Interval, Map, as_domain
from nomadspec.model.language.sets import Ids
from nomadspec.model.language.world import World

if TYPE_CHECKING:
    from nomadspec.model.language.frame import FiniteFrame
    from nomadspec.model.language.logic import Value

ArgumentSpec: TypeAlias = Ids | Domain | Map | type[IntEnum]
Argument: TypeAlias = "int | tuple[int, ...]"


@dataclass(frozen=True, slots=True)
class ArgumentDomain:
    """What an argument can be in a scope: a value, or for a ``Map`` one value for each place of an index."""

    name: str
    interval: Interval
    places: tuple[str, ...] | None = None
    index: Ids | None = None
    """The set of which each member has a value."""

    @property
    def count(self) -> int:
        """How many values there are."""
        choices = max(0, self.interval.high - self.interval.low + 1)
        return choices if self.places is None else int(choices ** len(self.places))

    def values(self) -> Iterator[Argument]:
        """List the values in order."""
        if self.places is None:
            return iter(self.interval.values())
        return product(self.interval.values(), repeat=len(self.places))

    def label(self, value: Argument) -> Value:
        """Write a value as people and files do."""
        if isinstance(value, tuple):
            return {
                place: self.interval.label(item) for place, item in zip(self.places or (), value, strict=True)
            }
        return self.interval.label(value)

    def parse(self, label: Value) -> Argument:
        """Read a value as people and files write it."""
        if self.places is None:
            return self.interval.parse(label)
        if not isinstance(label, dict) or label.keys() != set(self.places):
            raise UsageError(f"The argument {self.name} needs a value for each of {', '.join(self.places)}.")
        return tuple(self.interval.parse(label[place]) for place in self.places)


def resolve_arguments(
    arguments: tuple[tuple[str, ArgumentSpec], ...], frame: FiniteFrame
) -> tuple[ArgumentDomain, ...]:
    """Give the domains of declared arguments in a scope."""
    return tuple(_resolve(name, spec, frame) for name, spec in arguments)


def _resolve(name: str, spec: ArgumentSpec, frame: FiniteFrame) -> ArgumentDomain:
    index = [spec.index] if isinstance(spec, Map) else []
    domain = as_domain(spec.domain if isinstance(spec, Map) else spec)
    sizes = [spec.on] if isinstance(spec, Map) and spec.on is not None else []
    frame.schema.refuse_strangers(f"its argument {name}", [*index, *domain.list_parts(), *sizes])
    interval = domain.bound_by(frame.sizes)
    if any(frame.sizes[size.name] == 0 for size in sizes):
        interval = replace(interval, high=min(interval.low, interval.high))
    if not index:
        return ArgumentDomain(name, interval)
    places = tuple(index[0].name_of(at) for at in range(frame.length(index[0])))
    return ArgumentDomain(name, interval, places, index[0])


def find_arguments(
    text: Callable[..., object], first: int, given: Mapping[str, ArgumentSpec]
) -> dict[str, ArgumentSpec]:
    """Say what each argument after the first ones can be, in the order of the text: as given, or by its type.

    One of which nobody says that is left out; one that is given and that the text does not take comes last.
    """
    parameters = list(inspect.signature(text).parameters.values())
    world = find_world(text, parameters) if len(parameters) > first else None
    found: dict[str, ArgumentSpec] = {}
    for parameter in parameters[first:]:
        _expect_one(text, parameter)
        if parameter.name in given:
            found[parameter.name] = given[parameter.name]
            _expect_type(text, parameter, world, given[parameter.name])
        elif (spec := _find_by_type(text, parameter, world)) is not None:
            found[parameter.name] = spec
    return {**found, **given}


def explain_unknown(text: Callable[..., object], first: int, arguments: Mapping[str, ArgumentSpec]) -> str:
    """End a sentence with the first argument of which nobody says what it can be, and why; "" for none."""
    parameters = list(inspect.signature(text).parameters.values())
    for parameter in parameters[first:]:
        if parameter.name not in arguments:
            why = explain_type(text, parameter, find_world(text, parameters))
            return f"; what can {parameter.name} be? {why}"
    return ""


def _expect_one(text: Callable[..., object], parameter: inspect.Parameter) -> None:
    """Refuse what is not one argument that is given by its place."""
    if parameter.kind not in {parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD}:
        bare = str(parameter.replace(annotation=parameter.empty, default=parameter.empty))
        said = f"{bare} after a *" if bare == parameter.name else bare
        raise ModelError(
            f"{text.__name__} takes {said}, but each argument has a name and a place of its own: write no *."
        )


def _expect_type(
    text: Callable[..., object], parameter: inspect.Parameter, world: type[World] | None, given: ArgumentSpec
) -> None:
    """Refuse a set, or an enum, that is of another class than the type of the argument."""
    of: type | None = given if isinstance(given, type) else None
    if isinstance(given, Ids) and world is not None:
        of = find_classes(world, text).get(given)
    if of is None:
        return
    kind = read_type(text, parameter)
    if not isinstance(kind, type) or not is_telling(kind) or kind in of.__mro__ or of in kind.__mro__:
        return
    said = f"{given.name}, whose ids are of {of.__name__}" if isinstance(given, Ids) else of.__name__
    raise ModelError(
        f"{text.__name__} takes {parameter.name}: {kind.__name__}, but its decorator gives {said}: "
        "make them agree."
    )


def _find_by_type(
    text: Callable[..., object], parameter: inspect.Parameter, world: type[World] | None
) -> ArgumentSpec | None:
    kind = read_type(text, parameter)
    if not isinstance(kind, type) or not is_telling(kind):
        return None
    classes = find_classes(world, text) if world is not None else {}
    if None in classes.values():  # it may be of this class, too
        return None
    sets = [declared for declared, of in classes.items() if of is kind]
    is_enum = issubclass(kind, IntEnum)
    if len(sets) > 1 or (sets and is_enum):
        name, of = parameter.name, world.__name__ if world is not None else ""
        choice = [f"{name}={of}.{one.name}" for one in sets] + [f"{name}={kind.__name__}"] * is_enum
        what = ("an enum and " if is_enum else "") + f"the ids of {' and '.join(one.name for one in sets)}"
        raise ModelError(
            f"{text.__name__} takes {name}: {kind.__name__}, which are {what}: say in its decorator which "
            f"are meant, {' or '.join(choice)}."
        )
    if issubclass(kind, IntEnum):
        return kind
    return sets[0] if sets else None
