"""What each renaming does to each cell, for machine code; None where that would be too much."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nomadspec.checkers.explore.symmetry.canonical import has_few_renamings
from nomadspec.checkers.explore.symmetry.geometry import Geometry, Place, Renaming
from nomadspec.checkers.explore.symmetry.sorts import find_sorts
from nomadspec.checkers.explore.symmetry.tables import list_renamings
from nomadspec.checkers.native.canonical import (
    MOST_MOVES,
    CanonicalWriter,
    Move,
    Renamed,
    RowSort,
    count_moves,
    is_narrow,
)

if TYPE_CHECKING:
    from nomadspec.checkers.native.words import Words
    from nomadspec.model.language.frame import FiniteFrame


def write_canonical(frame: FiniteFrame, words: Words) -> str | None:
    """Write the canonical form as machine code, where there are few renamings and narrow rows."""
    sorts = find_sorts(frame)
    if not has_few_renamings(frame, sorts):
        return None
    geometry = Geometry(frame)
    rows = [[geometry.list_row(ids, member) for member in range(frame.length(ids))] for ids in sorts.rows]
    row_sorts = [
        RowSort(tuple(tuple(place.position for place in row) for row in of_sort)) for of_sort in rows
    ]
    if not all(is_narrow(sort.rows, words) for sort in row_sorts):
        return None
    renamings = []
    for renaming in list_renamings(frame, sorts.named):
        outside = tuple(_move(place, renaming) for place in geometry.list_outside(sorts.rows))
        of_rows = []
        for ids, of_sort in zip(sorts.rows, rows, strict=True):
            to_first = {**renaming, ids: (0,) * frame.length(ids)}
            of_rows.append(tuple(tuple(_move(place, to_first) for place in row) for row in of_sort))
        renamings.append(Renamed(outside, tuple(of_rows)))
    if count_moves(renamings) > MOST_MOVES:
        return None
    return CanonicalWriter(words, frame.intervals, row_sorts).text(renamings)


def _move(place: Place, renaming: Renaming) -> Move:
    target, interval = place.find_target(renaming), place.placed.interval
    if place.placed.field.domain.members not in renaming:
        return Move(place.position, target, None)
    values = tuple(
        place.rename(value, renaming) - interval.low for value in range(interval.low, interval.high + 1)
    )
    is_same = values == tuple(range(len(values)))
    return Move(place.position, target, None if is_same else values)
