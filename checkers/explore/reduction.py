"""Reductions: which world stands for which others, and whether every step is taken."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

from nomadspec.checkers.explore.symmetry.canonical import make_symmetry
from nomadspec.model.errors import UnknownNameError

if TYPE_CHECKING:
    from nomadspec.checkers.stepper.layout import Layout
    from nomadspec.model.language.bounded import BoundedModel

NONE: Final = "none"
SYMMETRY: Final = "symmetry"
PARTIAL_ORDER: Final = "partial-order"
BOTH: Final = "symmetry+partial-order"
REDUCTIONS: Final = (NONE, SYMMETRY, PARTIAL_ORDER, BOTH)


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
    """Make the reduction of worlds that belongs to a name, for a bounded model."""
    if name not in REDUCTIONS:
        raise UnknownNameError("reduction", name, REDUCTIONS)
    return make_symmetry(bounded.frame, layout) if does_rename(name) else NoReduction()


def does_rename(name: str) -> bool:
    """True if a reduction lets one world stand for those that differ from it by names."""
    return name in {SYMMETRY, BOTH}


def does_leave_steps(name: str) -> bool:
    """True if a reduction takes only some of the steps."""
    return name in {PARTIAL_ORDER, BOTH}
