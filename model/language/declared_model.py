"""What a model declares, whatever asks it: a world class, rules, properties and scopes, found by name.

This is what a bounded model knows of its model (bounded.py); a ``Model`` can be bounded (model.py).
"""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Self

from nomadspec.model.errors import UnknownNameError, UsageError
from nomadspec.model.language.model_promises import TEXTS_HAVE_ANSWERS
from nomadspec.model.language.scope import Rest, Scope

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from nomadspec.model.language.property import Kind, Property
    from nomadspec.model.language.rule import Rule
    from nomadspec.model.language.sets import Size
    from nomadspec.model.language.world import World


@dataclass(frozen=True, slots=True)
class DeclaredModel:
    """A name, a world class, rules, properties and scopes."""

    name: str
    about: str
    world: type[World]
    rules: tuple[Rule, ...]
    properties: tuple[Property, ...] = ()
    scopes: tuple[Scope, ...] = (Scope("default", "every size at its default"),)
    starts: tuple[Rule, ...] = ()
    """How initial worlds are made from the declared first values; with none, those are the initial world."""
    is_at_rest: Rest | None = None
    """Which worlds may have no successor."""

    def with_properties(self, properties: Iterable[Property]) -> Self:
        """Give the same model with more properties."""
        return replace(self, properties=(*self.properties, *properties))

    def with_answers(self, answers: Property | None) -> Self:
        """Give the same model with the property that its texts have answers, where that is a question."""
        result = copy(self)
        others = [prop for prop in self.properties if prop.name != TEXTS_HAVE_ANSWERS]
        object.__setattr__(result, "properties", (*others, *([] if answers is None else [answers])))
        return result

    def find_scope(self, name: str | None = None) -> Scope:
        """Find a scope by its name; the first one without a name."""
        for scope in self.scopes:
            if name in {None, scope.name}:
                return scope
        raise UnknownNameError(f"scope of {self.name}", str(name), (scope.name for scope in self.scopes))

    def find_rule(self, name: str) -> Rule:
        """Find a rule by its name."""
        rules = (*self.rules, *self.starts)
        for rule in rules:
            if rule.name == name:
                return rule
        raise UnknownNameError(f"rule of {self.name}", name, (rule.name for rule in rules))

    def find_property(self, name: str) -> Property:
        """Find a property by its name."""
        for prop in self.properties:
            if prop.name == name:
                return prop
        raise UnknownNameError(f"property of {self.name}", name, (prop.name for prop in self.properties))

    def list_properties(self, *kinds: Kind) -> tuple[Property, ...]:
        """List the properties of some kinds, in their order."""
        return tuple(prop for prop in self.properties if prop.kind in kinds)

    def promises(self, prop: Property, scope: str, sizes: Mapping[str, int]) -> bool:
        """True if a scope promises that a ``sometimes`` is reached there; changed sizes promise less."""
        is_changed = self.sizes_of(self.find_scope(scope).sizes) != sizes
        return not prop.scopes or (scope in prop.scopes and not is_changed)

    def sizes_of(self, chosen: Mapping[str, int]) -> dict[str, int]:
        """Complete chosen sizes with the defaults, and refuse those that the model does not have."""
        declared = {size.name: size for size in self.world.schema.sizes}
        sizes = {**{name: size.default for name, size in declared.items()}, **chosen}
        self._check_sizes(declared, sizes)
        return sizes

    def _check_sizes(self, declared: Mapping[str, Size], sizes: Mapping[str, int]) -> None:
        for name in sizes:
            if name not in declared:
                raise UnknownNameError(f"size of {self.name}", name, declared)
        for name, value in sizes.items():
            _check_size(declared[name], value)


def _check_size(size: Size, value: object) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or value < size.least:
        raise UsageError(f"The size {size.name} must be a number of at least {size.least}, not {value!r}.")
    if size.is_feature and value > 1:
        raise UsageError(f"The feature {size.name} is on, 1, or off, 0, and nothing else: not {value!r}.")
