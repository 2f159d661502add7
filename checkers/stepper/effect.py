"""What a step does to a packed world: which bits stay, which are set, and which are copied from elsewhere.

An instance reads some cells to decide and to compute what it writes. Cells that it only copies (a snapshot)
are moved by mask and shift, so that they do not enter the key under which its effect is remembered.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from nomadspec.model.language.term import Term

if TYPE_CHECKING:
    from nomadspec.checkers.stepper.layout import Layout
    from nomadspec.model.language.bounded import BoundedModel
    from nomadspec.model.language.trace import TracedInstance

Copies: TypeAlias = tuple[tuple[int, int, int], ...]
"""Masks of cells that are copied, each with how far to shift left and then right."""

Effect: TypeAlias = tuple[int, int, int, Copies]
"""The position of an instance, the mask of what stays, the bits that are set, and the copies."""


@dataclass(frozen=True, slots=True)
class Reach:
    """The cells that one instance reads, computes and copies."""

    position: int
    reads: frozenset[int]
    computed: tuple[int, ...]
    keep: int
    copies: Copies


def find_reach(traced: TracedInstance, position: int, bounded: BoundedModel, layout: Layout) -> Reach:
    """Find out which cells an instance reads, computes and copies."""
    copied = _find_copied(traced, bounded)
    computed = tuple(cell for cell in traced.writes if cell not in copied)
    values = (*traced.guard, *(traced.writes[cell] for cell in computed))
    reads = frozenset[int]().union(*(value.reads for value in values if isinstance(value, Term)))
    reads |= bounded.duties.list_reads(position)
    keep = ~layout.mask(traced.writes)
    return Reach(position, reads, computed, keep, _join_copies(copied, layout))


def compute_effect(reach: Reach, packed: int, bounded: BoundedModel, layout: Layout) -> Effect | None:
    """Let the interpreter step, and keep what it does to any world with the same read cells."""
    after = bounded.step(layout.unpack(packed), bounded.instances[reach.position])
    if after is None:
        return None
    return reach.position, reach.keep, layout.pack_some(after, reach.computed), reach.copies


def _find_copied(traced: TracedInstance, bounded: BoundedModel) -> dict[int, int]:
    """Find the written cells that are plain copies of a cell with the same values."""
    intervals = bounded.frame.intervals
    copied: dict[int, int] = {}
    for cell, value in traced.writes.items():
        if isinstance(value, Term) and value.op == "cell":
            source = next(iter(value.reads))
            ours, theirs = intervals[cell], intervals[source]
            if (ours.is_flag, ours.low, ours.high) == (theirs.is_flag, theirs.low, theirs.high):
                copied[cell] = source
    return copied


def _join_copies(copied: dict[int, int], layout: Layout) -> Copies:
    """Move all cells that go equally far by one mask and shift."""
    by_distance: dict[int, list[int]] = {}
    for cell, source in copied.items():
        by_distance.setdefault(layout.shifts[cell] - layout.shifts[source], []).append(source)
    return tuple(
        (layout.mask(sources), max(distance, 0), max(-distance, 0))
        for distance, sources in by_distance.items()
    )
