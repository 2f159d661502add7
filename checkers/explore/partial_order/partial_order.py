"""The choice of the steps that are taken in a world, so that nothing that is asked about is missed.

A stubborn set may stand for all steps where

- one of its possible steps leads to a world that is still to be expanded: then nothing waits for ever; and
- for each observable, one of these steps keeps it, or the set holds every step that can make it.

Why this is enough: take a way from a stored world to one where something is to be noticed. If it uses a step
of the set, that one can be taken first and the rest of the way is the same. If not, a step of the set can be
taken before it: the way is as long as before, but begins in a world that is expanded later, and its end is
noticed as well. Stuck worlds are never missed, since a step of the set would still be possible in them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from nomadspec.checkers.explore.partial_order.footprints import find_footprints
from nomadspec.checkers.explore.partial_order.observables import Observable, find_observables
from nomadspec.checkers.explore.partial_order.relations import Relations
from nomadspec.checkers.explore.partial_order.stubborn import Stubborn

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from nomadspec.checkers.explore.partial_order.footprints import Footprint
    from nomadspec.checkers.stepper.layout import Layout
    from nomadspec.model.bounded import BoundedModel
    from nomadspec.model.property import Property

Steps: TypeAlias = "list[tuple[int, int]]"
"""Positions of instances, each with the packed world after it."""


class PartialOrder:
    """Chooses steps for one bounded model and the properties that are asked about."""

    def __init__(
        self,
        bounded: BoundedModel,
        layout: Layout,
        properties: Iterable[Property],
        footprints: Sequence[Footprint] | None = None,
    ) -> None:
        """Find out what disturbs what; footprints are traced unless they are given."""
        asked = tuple(properties)
        self.footprints = tuple(footprints or find_footprints(bounded, asked))
        self.relations = Relations(bounded, self.footprints)
        self._stubborn = Stubborn(bounded.traced, self.relations, layout)
        self._observables = find_observables(bounded, asked, self.footprints)

    def choose(self, packed: int, steps: Steps, is_later: Callable[[int], bool]) -> Steps:
        """Choose among the possible steps; ``is_later`` tells of which ends are still to be expanded."""
        if len(steps) <= 1:
            return steps
        enabled = 0
        for position, _ in steps:
            enabled |= 1 << position
        view = self._stubborn.look_at(packed, enabled)
        sets = dict.fromkeys(view.close(position) for position, _ in steps)
        for members in sorted(sets, key=lambda members: (members & enabled).bit_count()):
            if not enabled & ~members:
                break
            chosen = [step for step in steps if members >> step[0] & 1]
            if self._is_enough(members, [position for position, after in chosen if is_later(after)]):
                return chosen
        return steps

    def _is_enough(self, members: int, later: list[int]) -> bool:
        """Tell whether the others can wait, given which of the chosen steps lead to later worlds."""
        mask = 0
        for position in later:
            mask |= 1 << position
        return mask != 0 and all(_is_served(observable, members, mask) for observable in self._observables)


def _is_served(observable: Observable, members: int, later: int) -> bool:
    return bool(observable.keepers & later) or not observable.makers & ~members
