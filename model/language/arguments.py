"""What the arguments of rules and properties can be: told by their types, or by the decorator.

An argument whose type is the class of a set's ids, ``job: JobId`` where the world declares
``jobs: Ids[JobId]``, is one of them; one whose type is an enum is one of its members. Of any other the
decorator says what it can be.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import IntEnum
from itertools import product
from types import SimpleNamespace
from typing import TYPE_CHECKING, Final, TypeAlias, get_args, get_type_hints

from nomadspec.model.errors import ModelError, UsageError
from nomadspec.model.language.domain import Domain, Interval, Map, as_domain
from nomadspec.model.language.world import Ids, World

if TYPE_CHECKING:
    from nomadspec.model.language.frame import FiniteFrame
    from nomadspec.model.language.logic import Value

ArgumentSpec: TypeAlias = Ids | Domain | Map | type[IntEnum]
Argument: TypeAlias = "int | tuple[int, ...]"

_SETS: Final[dict[tuple[type[World], type], list[Ids]]] = {}
"""The sets of a world whose ids are of a class, as far as they have been asked for."""


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
    world = _read_type(text, parameters[0]) if parameters else None
    found: dict[str, ArgumentSpec] = {}
    for parameter in parameters[first:]:
        spec = given[parameter.name] if parameter.name in given else _find_by_type(text, parameter, world)
        if spec is not None:
            found[parameter.name] = spec
    return {**found, **given}


def list_unknown(text: Callable[..., object], first: int, arguments: Mapping[str, ArgumentSpec]) -> list[str]:
    """List the arguments after the first ones of which nobody says what they can be."""
    return [name for name in list(inspect.signature(text).parameters)[first:] if name not in arguments]


def _find_by_type(
    text: Callable[..., object], parameter: inspect.Parameter, world: object
) -> ArgumentSpec | None:
    kind = _read_type(text, parameter)
    if not isinstance(kind, type):
        return None
    if issubclass(kind, IntEnum):
        return kind
    sets = _list_sets(world, kind, text) if isinstance(world, type) and issubclass(world, World) else ()
    if len(sets) > 1:
        names = " and ".join(one.name for one in sets)
        raise ModelError(
            f"{text.__name__} takes {parameter.name}: {kind.__name__}, which are the ids of {names}: say in "
            f"its decorator which are meant, {parameter.name}=....{sets[0].name}."
        )
    return sets[0] if sets else None


def _list_sets(world: type[World], kind: type, text: Callable[..., object]) -> list[Ids]:
    """List the sets of a world that say that their ids are of a class: ``jobs: Ids[JobId]``."""
    known = _SETS.get((world, kind))
    if known is not None:
        return known
    found: list[Ids] = []
    for base in reversed(world.__mro__):
        for name, annotation in inspect.get_annotations(base).items():
            declared = vars(base).get(name)
            if not isinstance(declared, Ids) or getattr(world, name) is not declared:
                continue
            if isinstance(annotation, str) and kind.__name__ not in annotation:
                continue
            module = sys.modules.get(base.__module__)
            names = {**_list_names(text), **(vars(module) if module is not None else {})}
            if get_args(_evaluate(annotation, names)) == (kind,):
                found.append(declared)
    if found:
        _SETS[world, kind] = found
    return found


def _list_names(text: Callable[..., object]) -> Mapping[str, object]:
    names: Mapping[str, object] = getattr(text, "__globals__", {})
    return names


def _read_type(text: Callable[..., object], parameter: inspect.Parameter) -> object:
    return _evaluate(parameter.annotation, _list_names(text))


def _evaluate(annotation: object, names: Mapping[str, object]) -> object:
    """Give what an annotation means: None where it names what is not there when the module runs."""
    if not isinstance(annotation, str):
        return annotation
    try:
        return get_type_hints(SimpleNamespace(__annotations__={"it": annotation}), dict(names))["it"]
    except (NameError, AttributeError, TypeError):
        return None
