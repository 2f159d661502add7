"""What is generated for each model, and what it does for a model without properties, symmetry, or gaps."""

from __future__ import annotations

from nomadspec.checkers.native.algorithms import shape
from nomadspec.checkers.native.algorithms.types import Word, Words


def inspect(_world: Words, _number: Word, _position: Word, _order: Word, _notes: Words, _open: Words) -> Word:
    """Ask the questions about a new world; tell whether that decides the search."""
    return 0


def canonical(_world: Words) -> None:
    """Bring a world into the form in which it is stored."""


def read_lanes(world: Words, lanes: Words) -> None:
    """Put the canonical bytes of a world together."""
    for at in range(shape.LANES):
        lanes[at] = world[at]
