"""Models: what an engine takes. A world class, rules, properties, scopes; and a model bounded by a scope.

A ``Model`` is unbounded: it says nothing about how many of anything there are. ``model.at("small")`` bounds
it by a scope and a profile and gives a ``BoundedModel``, which the engines run.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from copy import copy
from dataclasses import dataclass, field, replace
from inspect import isfunction
from typing import Any, TypeAlias

from nomadspec.model.errors import ModelError, UnknownNameError, UsageError
from nomadspec.model.language.bounded import BoundedModel
from nomadspec.model.language.duplicate_texts import refuse_alike
from nomadspec.model.language.labels import expect_lines
from nomadspec.model.language.logic import Value
from nomadspec.model.language.model_promises import PROMISES, TEXTS_HAVE_ANSWERS, WHY_ANSWERS
from nomadspec.model.language.property import Kind, Property
from nomadspec.model.language.rule import Rule
from nomadspec.model.language.shadowed_definitions import refuse_hidden_beside
from nomadspec.model.language.story import DEADLOCK
from nomadspec.model.language.value_wording import say
from nomadspec.model.language.world import Schema, Size, World
from nomadspec.model.specification.profiles import NOMAD_2_0, Profile, find_profile

Rest: TypeAlias = Callable[..., Value]


@dataclass(frozen=True, slots=True)
class Scope:
    """A bounded model: sizes that differ from their defaults, and the profile that it is about."""

    name: str
    why: str
    sizes: Mapping[str, int] = field(default_factory=dict)
    profile: str | None = None
    """The profile that the scope is about; None where it serves any."""
    constraint: Rest | None = None
    """From which worlds a search takes steps: a function of s; None where it takes them from all."""


@dataclass(frozen=True, slots=True)
class Model:
    """A name, a world class, rules, properties and scopes; ``at`` bounds it."""

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

    def __post_init__(self) -> None:
        """Refuse what no scope can make sense of, and names that stand for two things."""
        if not isinstance(getattr(self.world, "schema", None), Schema):
            raise ModelError(
                f"The world of the model {self.name} is {self.world!r}: give a subclass of World."
            )
        self._keep_tuples()
        for kind, parts, wanted in (
            ("rules", (*self.rules, *self.starts), Rule),
            ("properties", self.properties, Property),
        ):
            strange = [part for part in parts if not isinstance(part, wanted)]
            if strange:
                is_other = isinstance(strange[0], Property | Rule)
                hint = "a rule and a property of one name hide each other" if is_other else "decorate it"
                raise ModelError(f"The {kind} of the model {self.name} include {say(strange[0])}: {hint}.")
        if self.is_at_rest is not None and not isfunction(self.is_at_rest):
            raise ModelError(
                f"is_at_rest of the model {self.name} is no function: define one that takes (s)."
            )
        if not self.scopes:
            raise ModelError(f"The model {self.name} has no scope: leave scopes out, or give one.")
        for kind, names in (
            ("rules", [rule.name for rule in (*self.rules, *self.starts)]),
            ("properties", [prop.name for prop in self.properties]),
            ("scopes", [scope.name for scope in self.scopes]),
        ):
            twice = [name for name, times in Counter(names).items() if times > 1]
            if twice:
                raise ModelError(f"The model {self.name} has two {kind} named {twice[0]}: rename one.")
        self._check_property_names()
        self._check_scopes()
        expect_lines(self)
        refuse_hidden_beside(self.name, (*self.rules, *self.starts, *self.properties))
        refuse_alike(self)

    def _keep_tuples(self) -> None:
        """Keep what comes from a generator, of which nothing would be left for those who ask next."""
        for kind in ("rules", "properties", "scopes", "starts"):
            parts: Any = getattr(self, kind)
            if not isinstance(parts, Iterable):
                raise ModelError(
                    f"The {kind} of the model {self.name} are {say(parts)}: give a tuple, such as (mine,)."
                )
            object.__setattr__(self, kind, tuple(parts))

    def _check_property_names(self) -> None:
        """Refuse names that stories use for what every model has."""
        for name in (prop.name for prop in self.properties):
            if name == DEADLOCK:
                raise ModelError(
                    f"A property cannot be named {DEADLOCK}: that is what stories of stuck worlds claim."
                )
            if name == TEXTS_HAVE_ANSWERS:
                raise ModelError(
                    f"A property cannot be named {name}: every model is asked that, as {WHY_ANSWERS}."
                )
            if name in PROMISES:
                raise ModelError(
                    f"A property cannot be named {name}, as a promise of every model is: {PROMISES[name]}."
                )

    def _check_scopes(self) -> None:
        """Refuse sizes that the world does not have, and promises of scopes that the model does not have."""
        declared = {size.name: size for size in self.world.schema.sizes}
        for scope in self.scopes:
            self._check_sizes(declared, scope.sizes)
            if scope.constraint is not None and not isfunction(scope.constraint):
                raise ModelError(
                    f"The constraint of the scope {scope.name} of {self.name} is no function: "
                    "define one that takes (s)."
                )
        chosen = set(declared).intersection(*(scope.sizes for scope in self.scopes))
        left = {name: size.default for name, size in declared.items() if name not in chosen}
        self._check_sizes(declared, left)
        for name in {name for prop in self.properties for name in prop.scopes}:
            self.find_scope(name)

    def at(
        self, scope: str | None = None, *, sizes: Mapping[str, int] | None = None, profile: str | None = None
    ) -> BoundedModel:
        """Bound the model by a scope (the first one by default), sizes that differ from it, and a profile."""
        chosen = self.find_scope(scope)
        all_sizes = self.sizes_of({**chosen.sizes, **(sizes or {})})
        return BoundedModel(self, chosen.name, all_sizes, self.profile_for(chosen, profile))

    def with_properties(self, properties: Iterable[Property]) -> Model:
        """Give the same model with more properties."""
        return replace(self, properties=(*self.properties, *properties))

    def with_answers(self, answers: Property | None) -> Model:
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
        """Tell whether a scope promises that a ``sometimes`` is reached there; changed sizes promise less."""
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

    @staticmethod
    def profile_for(scope: Scope, name: str | None) -> Profile:
        """Give the profile that was asked for, else the scope's own, else that of the described release."""
        if name is None:
            return find_profile(scope.profile) if scope.profile is not None else NOMAD_2_0
        return find_profile(name)


def _check_size(size: Size, value: object) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or value < size.least:
        raise UsageError(f"The size {size.name} must be a number of at least {size.least}, not {value!r}.")
    if size.is_feature and value > 1:
        raise UsageError(f"The feature {size.name} is on, 1, or off, 0, and nothing else: not {value!r}.")
