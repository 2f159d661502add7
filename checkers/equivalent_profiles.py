"""Which profiles make no difference to a model, so that one run judges them all."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING

from nomadspec.invariants.catalogue import find_model
from nomadspec.model.language.bounded import BoundedModel
from nomadspec.model.specification.profiles import Profile, find_profile

if TYPE_CHECKING:
    from nomadspec.model.specification.quirk import Quirk


def list_alike(model: str, scope: str | None, profile: str, others: Iterable[str]) -> tuple[str, ...]:
    """List those profiles under which the bounded model is the very same.

    A rule's text is a function of the quirks that it asks for. Where another profile gives the same answers
    to all that were asked, everything that was traced is the same as well.
    """
    chosen = find_profile(profile)
    asked = list_asked(model, scope, profile)
    return tuple(other for other in others if _agree(chosen, find_profile(other), asked))


@cache
def list_asked(model: str, scope: str | None, profile: str) -> frozenset[Quirk]:
    """List the quirks that a model asks for in a scope under a profile."""
    found = find_model(model)
    chosen, bounds = find_profile(profile), found.find_scope(scope)
    asked: set[Quirk] = set()
    BoundedModel(found, bounds.name, found.sizes_of(bounds.sizes), _Asking(chosen.name, chosen.quirks, asked))
    return frozenset(asked)


def _agree(one: Profile, other: Profile, asked: Iterable[Quirk]) -> bool:
    return all(one.has(quirk) == other.has(quirk) for quirk in asked)


class _Asking(Profile):
    """A profile that remembers which quirks it was asked for."""

    __slots__ = ("_asked",)
    _asked: set[Quirk]

    def __init__(self, name: str, quirks: frozenset[Quirk], asked: set[Quirk]) -> None:
        super().__init__(name, quirks)
        object.__setattr__(self, "_asked", asked)

    def has(self, quirk: Quirk) -> bool:
        """Answer, and remember."""
        self._asked.add(quirk)
        return super().has(quirk)
