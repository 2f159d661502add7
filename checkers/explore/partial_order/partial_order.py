"""The choice of the steps that are taken in a world, so that nothing that is asked about is missed.

A stubborn set may stand for all steps where

- one of its possible steps changes the world and is ranked: there are never endlessly many of those in a row,
  so that nothing waits for ever; and
- for each observable, one of these steps keeps it, or the set holds every step that can make it.

Why this is enough: take a way from a stored world to one where something is to be noticed. If it uses a step
of the set, that one can be taken first and the rest of the way is the same. If not, a ranked step of the set
can be taken before it: the way is as long as before, but begins in a world that is ranked higher, and its end
is noticed as well. Stuck worlds are never missed, since a step of the set would still be possible in them.
What is chosen follows from the world alone, so that whoever takes the steps takes the same ones.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from nomadspec.checkers.explore.partial_order.facts import find_facts
from nomadspec.checkers.explore.partial_order.footprints import find_footprints
from nomadspec.checkers.explore.partial_order.observables import find_observables
from nomadspec.checkers.explore.partial_order.ranks import find_ranked
from nomadspec.checkers.explore.partial_order.relations import Relations
from nomadspec.checkers.explore.partial_order.stubborn import Stubborn
from nomadspec.checkers.native.choice import Choices

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from nomadspec.checkers.explore.partial_order.footprints import Footprint
    from nomadspec.checkers.stepper.layout import Layout
    from nomadspec.model.language.bounded import BoundedModel
    from nomadspec.model.language.property import Property

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
        *,
        is_renamed: bool = False,
    ) -> None:
        """Find out what disturbs what; footprints are traced unless they are given."""
        asked = tuple(properties)
        self.facts = find_facts(bounded, is_renamed=is_renamed)
        self.footprints = tuple(footprints or find_footprints(self.facts, asked))
        self.relations = Relations(self.facts, self.footprints)
        self.choices = self._list_choices(asked, is_renamed=is_renamed)
        self._stubborn = Stubborn(self.choices, layout)

    def choose(self, packed: int, steps: Steps) -> Steps:
        """Choose among the possible steps: of the sets that are enough the first of the smallest."""
        if len(steps) <= 1:
            return steps
        enabled = moving = 0
        for position, after in steps:
            enabled |= 1 << position
            moving |= (after != packed) << position
        view = self._stubborn.look_at(packed, enabled)
        chosen, least = enabled, len(steps)
        for position, _ in steps:
            members = view.close(position, least)
            if members is not None and self._is_enough(members, members & moving):
                chosen, least = members, (members & enabled).bit_count()
        return [step for step in steps if chosen >> step[0] & 1]

    def _is_enough(self, members: int, moving: int) -> bool:
        """True if the others can wait, given which members of a set change the world."""
        ranked = moving & self.choices.ranked
        return ranked != 0 and all(
            keepers & ranked or not makers & ~members for keepers, makers in self.choices.observables
        )

    def _list_choices(self, properties: Sequence[Property], *, is_renamed: bool) -> Choices:
        facts = self.facts
        flags = {flag.id: flag for traced in facts.traced for flag in traced.guard}
        numbers = {known: at for at, known in enumerate(flags)}
        observables = find_observables(facts, properties, self.footprints)
        return Choices(
            disturbing=self.relations.disturbing,
            flags=tuple(flags.values()),
            enablers=tuple(map(self.relations.find_enablers, flags.values())),
            guards=tuple(tuple(numbers[flag.id] for flag in traced.guard) for traced in facts.traced),
            observables=tuple((observable.keepers, observable.makers) for observable in observables),
            ranked=find_ranked(facts, is_renamed=is_renamed),
        )
