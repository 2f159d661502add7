"""Where each cell goes, and what becomes of its value, when ids are renamed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from nomadspec.model.language.bounded import Cells
    from nomadspec.model.language.frame import FiniteFrame, Placed
    from nomadspec.model.language.sets import Ids

Renaming: TypeAlias = Mapping["Ids", tuple[int, ...]]
"""For some sets, the new name of each id."""


@dataclass(frozen=True, slots=True)
class Place:
    """A cell of a scope: its position, its field, and the members that index it."""

    position: int
    placed: Placed
    members: tuple[int, ...]
    steps: tuple[tuple[Ids, int, int], ...]
    """For each index the set, the member, and how far the next member's cells are."""

    def find_target(self, renaming: Renaming) -> int:
        """Find the position to which the cell goes."""
        target = self.position
        for ids, member, stride in self.steps:
            names = renaming.get(ids)
            if names is not None:
                target += stride * (names[member] - member)
        return target

    def rename(self, value: int, renaming: Renaming) -> int:
        """Rename the id that the cell holds, if it holds one; NONE and SKIP stay."""
        ids = self.placed.field.domain.members
        return value if ids is None or ids not in renaming or value < 0 else renaming[ids][value]


class Geometry:
    """All cells of a scope."""

    def __init__(self, frame: FiniteFrame) -> None:
        """List the cells in order."""
        self.length = frame.length
        self.places = tuple(
            Place(placed.base + offset, placed, members, _list_steps(placed, members))
            for placed in frame.placed.values()
            for offset, members in enumerate(product(*map(range, placed.shape)))
        )

    def rename(self, cells: Cells, renaming: Renaming) -> Cells:
        """Give the world with other names."""
        renamed = list(cells)
        for place in self.places:
            renamed[place.find_target(renaming)] = place.rename(cells[place.position], renaming)
        return tuple(renamed)

    def list_row(self, ids: Ids, member: int) -> list[Place]:
        """List the cells of a row, in the same order for each member of the sort."""
        return [
            place
            for place in self.places
            if ids in place.placed.field.index
            and place.members[place.placed.field.index.index(ids)] == member
        ]

    def list_outside(self, rows: tuple[Ids, ...]) -> list[Place]:
        """List the cells that belong to no row of these sorts."""
        return [place for place in self.places if not any(ids in place.placed.field.index for ids in rows)]


def _list_steps(placed: Placed, members: tuple[int, ...]) -> tuple[tuple[Ids, int, int], ...]:
    return tuple(zip(placed.field.index, members, placed.strides, strict=True))
