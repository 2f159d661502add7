"""Where each cell goes, and what becomes of its value, when ids are renamed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from nomadspec.model.bounded import Cells
    from nomadspec.model.frame import FiniteFrame, Placed
    from nomadspec.model.world import Ids

Renaming: TypeAlias = Mapping["Ids", tuple[int, ...]]
"""For some sets, the new name of each id."""


@dataclass(frozen=True, slots=True)
class Place:
    """A cell of a scope: its position, its field, and the members that index it."""

    position: int
    placed: Placed
    members: tuple[int, ...]

    def find_target(self, renaming: Renaming) -> int:
        """Find the position to which the cell goes."""
        target = self.placed.base
        for depth, (ids, member) in enumerate(zip(self.placed.field.index, self.members, strict=True)):
            target += self.placed.stride(depth) * (renaming[ids][member] if ids in renaming else member)
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
            Place(placed.base + offset, placed, members)
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
