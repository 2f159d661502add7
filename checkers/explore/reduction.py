"""Reductions: which world stands for which others, so that one of them is enough."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

from nomadspec.checkers.explore.symmetry.canonical import make_symmetry
from nomadspec.model.errors import UnknownNameError

if TYPE_CHECKING:
    from nomadspec.checkers.stepper.layout import Layout
    from nomadspec.model.bounded import BoundedModel

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


def make_reduction(name: str, bounded: BoundedModel, layout: Layout) -> Reduction:
    """Make the reduction with this name for a bounded model."""
    if name == NONE:
        return NoReduction()
    if name == SYMMETRY:
        return make_symmetry(bounded.frame, layout)
    raise UnknownNameError("reduction", name, (NONE, SYMMETRY))
