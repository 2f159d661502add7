"""Reductions: which world stands for which others, so that one of them is enough."""

from __future__ import annotations

from typing import Final, Protocol

from nomadspec.model.errors import UnknownNameError

NONE: Final = "none"
SYMMETRY: Final = "symmetry"


class Reduction(Protocol):
    """Who chooses the world that stands for all that differ from it by names only."""

    def canonical(self, packed: int) -> int:
        """Give the packed world that stands for this one."""
        ...


class NoReduction:
    """Every world stands for itself."""

    def canonical(self, packed: int) -> int:
        """Give the world itself."""
        return packed


def make_reduction(name: str) -> Reduction:
    """Make the reduction with this name."""
    if name == NONE:
        return NoReduction()
    raise UnknownNameError("reduction", name, (NONE,))
