"""Claims about functions of the model: what must come out of them, whatever they are given.

A claim is about one dimension. Its parts say together that a set of allocations is taken exactly where there
is enough of it; a proof has a row for each.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from nomadspec.invariants.cluster.resources.draw import Draw
from nomadspec.model.language.logic import Value
from nomadspec.model.specification.profiles import Profile
from nomadspec.model.specification.quirk import Quirk

Statement = Callable[[Draw], Value]
"""Says of what is drawn whether it is as it must be."""


class Part(msgspec.Struct, frozen=True):
    """One part of a claim."""

    name: str
    state: Callable[[Draw, Profile], Value]
    """Says of what is drawn whether it is as it must be, for those who have the quirks of a profile."""


def part(name: str, say: Statement) -> Part:
    """Make a part that is the same for all profiles."""
    return Part(name, lambda draw, _profile: say(draw))


class Claim(msgspec.Struct, frozen=True):
    """What must be true of one dimension, and for how much of everything that is shown."""

    name: str
    dimension: str
    why: str
    spec: tuple[str, ...]
    scope: str
    """In words: for any number of what, and what is bounded."""
    parts: tuple[Part, ...]
    is_unbounded: bool = True
    """Whether it is about any number of allocations."""
    quirk: Quirk | None = None
    """Who has this quirk breaks it."""
