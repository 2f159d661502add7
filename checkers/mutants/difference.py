"""What a mutant changes, as whoever compares it with the model says."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Effect(StrEnum):
    """What a mutant does to a search."""

    NONE = "none"
    """No step differs in any world, and no property asks anything else: the search is the very same."""
    STEPS = "steps"
    """Steps differ, and the stored worlds are the same."""
    WORLDS = "worlds"
    """The stored worlds differ."""


@dataclass(frozen=True, slots=True)
class Difference:
    """What a mutant changes in a search."""

    effect: Effect
    names: frozenset[str] = frozenset()
    """What is violated or missed only with the mutant, or no longer with it."""
