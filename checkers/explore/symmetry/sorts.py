"""Which sets of ids are interchangeable, and how each of them is made canonical.

A *row sort* occurs only as an index, once in a field: what a world says of one of its ids is a row, and rows
are sorted. The ids of a *named sort* also stand in cells (or twice in an index): its permutations are tried.
The places of an ``index`` set have an order that shows; they are never exchanged.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nomadspec.model.language.frame import FiniteFrame, Placed
    from nomadspec.model.language.sets import Ids


@dataclass(frozen=True, slots=True)
class Sorts:
    """The sets of two or more interchangeable ids of a scope."""

    rows: tuple[Ids, ...]
    named: tuple[Ids, ...]

    @property
    def all(self) -> tuple[Ids, ...]:
        """Both kinds."""
        return (*self.rows, *self.named)


def find_sorts(frame: FiniteFrame) -> Sorts:
    """Sort the interchangeable sets of a scope into row sorts and named sorts."""
    placed = tuple(frame.placed.values())
    symmetric = [ids for ids in frame.schema.sets if ids.is_symmetric and frame.length(ids) > 1]
    rows: list[Ids] = []
    # rows of two sorts that meet in a field cannot be sorted apart: the larger sort comes first
    for ids in sorted(symmetric, key=lambda ids: -frame.length(ids)):
        if _is_index_only(ids, placed) and not any(_do_meet(ids, other, placed) for other in rows):
            rows.append(ids)
    return Sorts(
        tuple(ids for ids in symmetric if ids in rows), tuple(ids for ids in symmetric if ids not in rows)
    )


def _is_index_only(ids: Ids, placed: tuple[Placed, ...]) -> bool:
    return all(
        place.field.domain.members is not ids and place.field.index.count(ids) <= 1 for place in placed
    )


def _do_meet(one: Ids, other: Ids, placed: tuple[Placed, ...]) -> bool:
    return any(one in place.field.index and other in place.field.index for place in placed)
