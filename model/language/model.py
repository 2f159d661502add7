"""Models: what an engine takes. A world class, rules, properties, scopes; and a model bounded by a scope.

A ``Model`` is unbounded: it says nothing about how many of anything there are. ``model.at("small")`` bounds
it by a scope and a profile and gives a ``BoundedModel``, which the engines run.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from inspect import isfunction
from typing import Any

from nomadspec.model.errors import ModelError
from nomadspec.model.language.bounded import BoundedModel
from nomadspec.model.language.declared_model import DeclaredModel
from nomadspec.model.language.duplicate_texts import refuse_alike
from nomadspec.model.language.labels import expect_lines
from nomadspec.model.language.model_promises import PROMISES, TEXTS_HAVE_ANSWERS, WHY_ANSWERS
from nomadspec.model.language.property import Property
from nomadspec.model.language.rule import Rule
from nomadspec.model.language.scope import Scope
from nomadspec.model.language.shadowed_definitions import refuse_hidden_beside
from nomadspec.model.language.story import DEADLOCK
from nomadspec.model.language.value_wording import say
from nomadspec.model.language.world import Schema
from nomadspec.model.specification.profiles import UNNAMED, Profile, find_profile


@dataclass(frozen=True, slots=True)
class Model(DeclaredModel):
    """A name, a world class, rules, properties and scopes; ``at`` bounds it."""

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
        refuse_alike(self.name, "rules", (*self.rules, *self.starts))
        refuse_alike(self.name, "properties", self.properties)

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
        """Bound the model by a scope (the first one by default), sizes that differ from it, and a profile.

        The profile is the scope's own where none is named. A scope that serves any has none: then no text may
        ask for a quirk, since what is at work would be assumed.
        """
        chosen = self.find_scope(scope)
        all_sizes = self.sizes_of({**chosen.sizes, **(sizes or {})})
        return BoundedModel(self, chosen.name, all_sizes, self.profile_for(chosen, profile))

    @staticmethod
    def profile_for(scope: Scope, name: str | None) -> Profile:
        """Give the profile that was named, else the scope's own; where there is neither, none is assumed."""
        named = scope.profile if name is None else name
        return UNNAMED if named is None else find_profile(named)
