"""The steps of a search that are remembered, so that a mutant only has to take those that it changes.

A mutant concerns few instances. Every other one does what it did: the rows of the worlds that were visited
before are kept as they were, and what an instance does to a world is remembered by the cells that it reads.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from nomadspec.checkers.stepper.effect import Effect, Reach, compute_effect, find_reach

if TYPE_CHECKING:
    from collections.abc import Iterable

    from nomadspec.checkers.mutants.altered import Altered
    from nomadspec.checkers.pycode.stepper import Stepper
    from nomadspec.checkers.stepper.layout import Layout
    from nomadspec.model.language.bounded import BoundedModel

Row: TypeAlias = list[tuple[int, int]]
"""What can happen in a world: positions of instances, each with the packed world after it."""


@dataclass(frozen=True, slots=True)
class Move:
    """One instance, and what it does by the cells that it reads."""

    reach: Reach
    mask: int
    effects: dict[int, Effect | None] = field(default_factory=dict)

    def after(self, packed: int, bounded: BoundedModel, layout: Layout) -> int | None:
        """Give the world after it; None where it cannot happen."""
        key = packed & self.mask
        if key not in self.effects:
            self.effects[key] = compute_effect(self.reach, packed, bounded, layout)
        effect = self.effects[key]
        return None if effect is None else _apply(effect, packed)

    @property
    def touches(self) -> int:
        """Give the mask of all that it reads, copies or writes."""
        copied = 0
        for cells, _, _ in self.reach.copies:
            copied |= cells
        return self.mask | copied | ~self.reach.keep


def make_move(bounded: BoundedModel, layout: Layout, position: int) -> Move:
    """Find out what the instance at a position reads."""
    reach = find_reach(bounded.traced[position], position, bounded, layout)
    return Move(reach, layout.mask(reach.reads))


class KeptSteps:
    """The steps of a bounded model as it is; the rows of visited worlds are kept."""

    def __init__(self, bounded: BoundedModel, layout: Layout, stepper: Stepper) -> None:
        """Let a stepper take the steps."""
        self.bounded = bounded
        self.layout = layout
        self.rows: dict[int, Row] = {}
        self.moves = [make_move(bounded, layout, position) for position in range(len(bounded.instances))]
        self._stepper = stepper

    @property
    def initial(self) -> tuple[int, ...]:
        """Give the initial worlds."""
        return self._stepper.initial

    def successors(self, packed: int) -> Row:
        """List what can happen in a world."""
        if packed not in self.rows:
            self.rows[packed] = self._stepper.successors(packed)
        return self.rows[packed]


class AlteredSteps:
    """The steps of the same model with some instances changed."""

    def __init__(self, kept: KeptSteps, altered: Altered) -> None:
        """Take over what the others do."""
        self._kept = kept
        self._altered = altered
        self._changed = altered.changed
        layout = kept.layout
        self._moves = [make_move(altered, layout, position) for position in sorted(altered.happening)]
        self._others = [move for move in kept.moves if move.reach.position not in self._changed]
        self.initial = tuple(layout.pack(cells) for cells in altered.initial)

    def successors(self, packed: int) -> Row:
        """List what can happen in a world, in the order of the instances."""
        row = self._kept.rows.get(packed)
        if row is None:
            found = self._take(self._others, packed)
        else:
            found = [step for step in row if step[0] not in self._changed]
        return sorted([*found, *self._take(self._moves, packed)])

    def differ(self, worlds: Iterable[int]) -> bool:
        """True if a changed instance does something else in one of the visited worlds."""
        if self.initial != self._kept.initial:
            return True
        new = {move.reach.position: move for move in self._moves}
        return any(self._differs(position, new.get(position), worlds) for position in sorted(self._changed))

    def _differs(self, position: int, new: Move | None, worlds: Iterable[int]) -> bool:
        kept = self._kept
        old = kept.moves[position] if position < len(kept.moves) else None
        mask = (old.touches if old else 0) | (new.touches if new else 0)
        for packed in {world & mask: world for world in worlds}.values():
            before = next((after for at, after in kept.rows[packed] if at == position), None)
            after = new.after(packed, self._altered, kept.layout) if new else None
            if before != after:
                return True
        return False

    def _take(self, moves: Iterable[Move], packed: int) -> Row:
        bounded, layout = self._altered, self._kept.layout
        afters = ((move.reach.position, move.after(packed, bounded, layout)) for move in moves)
        return [(position, after) for position, after in afters if after is not None]


def _apply(effect: Effect, packed: int) -> int:
    _, keep, bits, copies = effect
    after = packed & keep | bits
    for cells, left, right in copies:
        after |= (packed & cells) << left >> right
    return after
