"""Scopes: how many of everything there are when a model is bounded, and what a search of it leaves out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from nomadspec.model.language.logic import Value

Rest: TypeAlias = Callable[..., Value]
"""A text that is asked of a world, and of nothing else: a function of s."""


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
