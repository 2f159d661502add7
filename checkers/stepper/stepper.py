"""Steps of packed worlds, remembered by what they depend on.

The interpreter steps once for each combination of read cells that occurs; after that a step is a look-up and
a few operations on an integer. Neighbouring instances share a look-up where their read cells together are
few, and a first look-up at the cells that guards ask most often says which of the others are worth making.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Protocol

from nomadspec.checkers.stepper.effect import Effect, Reach, compute_effect, find_reach
from nomadspec.checkers.stepper.evaluate import evaluate

if TYPE_CHECKING:
    from nomadspec.checkers.stepper.layout import Layout
    from nomadspec.model.language.bounded import BoundedModel
    from nomadspec.model.language.term import Term

_SHARED_BITS: Final = 12
"""Instances share a look-up while they read no more than this, so that its table stays small."""

_QUESTION_BITS: Final = 16
"""How much the first look-up reads at most."""


class Steps(Protocol):
    """Who knows the initial worlds of a bounded model and the successors of each, packed."""

    @property
    def initial(self) -> tuple[int, ...]:
        """Give the initial worlds."""
        ...

    def successors(self, packed: int) -> list[tuple[int, int]]:
        """List the instances that can happen by position, each with the packed world after it."""
        ...


@dataclass(frozen=True, slots=True)
class _Member:
    """An instance with a table of its own, asked only where the shared one does not know."""

    reach: Reach
    mask: int
    effects: dict[int, Effect | None] = field(default_factory=dict)


@dataclass(slots=True)
class _Group:
    """Neighbouring instances that share a table: read bits to the effects of those that can happen."""

    mask: int
    members: list[_Member]
    effects: dict[int, tuple[Effect, ...]] = field(default_factory=dict)


class Stepper:
    """The initial worlds and the successors of any world of a bounded model, packed."""

    def __init__(self, bounded: BoundedModel, layout: Layout) -> None:
        """Plan the look-ups; the tables fill while worlds are visited."""
        self._bounded = bounded
        self._layout = layout
        reaches = [find_reach(traced, at, bounded, layout) for at, traced in enumerate(bounded.traced)]
        self._groups = _share(reaches, layout)
        asked = _choose_question(bounded, layout)
        self._question = layout.mask(asked)
        self._deciding = self._list_deciding(asked)
        self._worthwhile: dict[int, tuple[_Group, ...]] = {}
        self.initial = tuple(layout.pack(cells) for cells in bounded.initial)

    def successors(self, packed: int) -> list[tuple[int, int]]:
        """List the instances that can happen by position, each with the packed world after it."""
        groups = self._worthwhile.get(packed & self._question)
        if groups is None:
            groups = self._find_worthwhile(packed)
        found = []
        for group in groups:
            effects = group.effects.get(packed & group.mask)
            if effects is None:
                effects = self._remember(group, packed)
            for position, keep, bits, copies in effects:
                after = packed & keep | bits
                for cells, left, right in copies:
                    after |= (packed & cells) << left >> right
                found.append((position, after))
        return found

    def _remember(self, group: _Group, packed: int) -> tuple[Effect, ...]:
        for member in group.members:
            key = packed & member.mask
            if key not in member.effects:
                member.effects[key] = compute_effect(member.reach, packed, self._bounded, self._layout)
        found = (member.effects[packed & member.mask] for member in group.members)
        effects = tuple(effect for effect in found if effect is not None)
        group.effects[packed & group.mask] = effects
        return effects

    def _find_worthwhile(self, packed: int) -> tuple[_Group, ...]:
        cells = self._layout.unpack(packed)
        groups = tuple(
            group
            for group, alternatives in zip(self._groups, self._deciding, strict=True)
            if any(all(evaluate(flag, cells) for flag in flags) for flags in alternatives)
        )
        self._worthwhile[packed & self._question] = groups
        return groups

    def _list_deciding(self, asked: frozenset[int]) -> list[list[list[Term]]]:
        """List for each instance of each group the conjuncts of its guard that the asked cells decide."""
        traced = self._bounded.traced
        return [
            [
                [flag for flag in traced[member.reach.position].guard if flag.reads <= asked]
                for member in group.members
            ]
            for group in self._groups
        ]


def _share(reaches: list[Reach], layout: Layout) -> list[_Group]:
    """Let neighbours share a table while their cells are few, or one reads nothing beyond the others."""
    groups: list[_Group] = []
    for reach in reaches:
        mask = layout.mask(reach.reads)
        member = _Member(reach, mask)
        last = groups[-1] if groups else None
        if last is not None:
            joint = last.mask | mask
            if joint.bit_count() <= _SHARED_BITS or joint == last.mask:
                last.mask = joint
                last.members.append(member)
                continue
        groups.append(_Group(mask, [member]))
    return groups


def _choose_question(bounded: BoundedModel, layout: Layout) -> frozenset[int]:
    """Choose the cells that decide most conjuncts for the bits that they take."""
    asked_by: Counter[frozenset[int]] = Counter()
    for traced in bounded.traced:
        asked_by.update(flag.reads for flag in traced.guard)
    width = {cells: layout.mask(cells).bit_count() for cells in asked_by}
    chosen: frozenset[int] = frozenset()
    for cells in sorted(asked_by, key=lambda cells: (-asked_by[cells] / max(1, width[cells]), sorted(cells))):
        if layout.mask(chosen | cells).bit_count() <= _QUESTION_BITS:
            chosen |= cells
    return chosen
