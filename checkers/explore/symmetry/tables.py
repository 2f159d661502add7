"""The canonical form by tables: for scopes with few permutations of the named sorts.

A world is cut into pieces: its rows, and what belongs to no row. Cells move and are renamed each on its own,
so that the image of a world is the union of the images of its pieces, and those are remembered for all
permutations together. For each permutation the rows are sorted; the least result stands for all of them.
"""

from __future__ import annotations

from itertools import permutations, product
from typing import TYPE_CHECKING, Final

from nomadspec.checkers.explore.symmetry.geometry import Geometry, Place, Renaming

if TYPE_CHECKING:
    from collections.abc import Iterable

    from nomadspec.checkers.explore.symmetry.sorts import Sorts
    from nomadspec.checkers.stepper.layout import Layout
    from nomadspec.model.language.frame import FiniteFrame
    from nomadspec.model.language.sets import Ids

_PIECE_BITS: Final = 20
"""How wide a piece is at most, so that few values of it occur."""


class Tables:
    """The canonical form of a scope by tables of images."""

    def __init__(self, frame: FiniteFrame, layout: Layout, sorts: Sorts) -> None:
        """Cut the world into pieces; the tables fill while worlds are met."""
        geometry = Geometry(frame)
        renamings = list_renamings(frame, sorts.named)
        self._numbers = range(len(renamings))
        self._outside = _cut(geometry.list_outside(sorts.rows), layout, renamings)
        self._rows: list[list[list[_Piece]]] = []
        self._slots: list[_Slot] = []
        for ids in sorts.rows:
            members = range(frame.length(ids))
            # rows are compared in the place of the first one
            ones: list[Renaming] = [{**renaming, ids: (0,) * len(members)} for renaming in renamings]
            rows = [geometry.list_row(ids, member) for member in members]
            self._rows.append([_cut(row, layout, ones) for row in rows])
            self._slots += [_Slot(rows[0], row, layout) for row in rows]

    def canonical(self, packed: int) -> int:
        """Give the least image of a world."""
        outside = [piece.images(packed) for piece in self._outside]
        sorts = [[[piece.images(packed) for piece in row] for row in rows] for rows in self._rows]
        best: list[int] | None = None
        for number in self._numbers:
            image = [_unite(outside, number)]
            for rows in sorts:
                image += sorted([_unite(row, number) for row in rows])
            if best is None or image < best:
                best = image
        if best is None:
            return packed
        result = best[0]
        for slot, row in zip(self._slots, best[1:], strict=True):
            result |= slot.put(row)
        return result


def list_renamings(frame: FiniteFrame, named: Iterable[Ids]) -> list[Renaming]:
    """List all permutations of some sorts, together."""
    choices = [[(ids, names) for names in permutations(range(frame.length(ids)))] for ids in named]
    return [dict(choice) for choice in product(*choices)]


class _Piece:
    """Some cells, and for each value of them that was met its images under all renamings."""

    __slots__ = ("_images", "_layout", "_mask", "_moves")

    def __init__(self, places: list[Place], layout: Layout, renamings: list[Renaming]) -> None:
        self._layout = layout
        self._mask = layout.mask(place.position for place in places)
        self._moves = [
            [(place, place.find_target(renaming), renaming) for place in places] for renaming in renamings
        ]
        self._images: dict[int, tuple[int, ...]] = {}

    def images(self, packed: int) -> tuple[int, ...]:
        key = packed & self._mask
        known = self._images.get(key)
        if known is None:
            known = self._images[key] = tuple(self._move(key, moves) for moves in self._moves)
        return known

    def _move(self, packed: int, moves: list[tuple[Place, int, Renaming]]) -> int:
        layout = self._layout
        image = 0
        for place, target, renaming in moves:
            low = place.placed.interval.low
            raw = packed >> layout.shifts[place.position] & ((1 << layout.widths[place.position]) - 1)
            image |= (place.rename(raw + low, renaming) - low) << layout.shifts[target]
        return image


class _Slot:
    """Where a row is put, given as it would stand in the place of the first row."""

    __slots__ = ("_moves", "_put")

    def __init__(self, first: list[Place], row: list[Place], layout: Layout) -> None:
        masks: dict[int, int] = {}
        for source, target in zip(first, row, strict=True):
            distance = layout.shifts[target.position] - layout.shifts[source.position]
            masks[distance] = masks.get(distance, 0) | layout.mask([source.position])
        self._moves = [(mask, distance) for distance, mask in masks.items()]
        self._put: dict[int, int] = {}

    def put(self, row: int) -> int:
        known = self._put.get(row)
        if known is None:
            known = 0
            for mask, distance in self._moves:
                known |= (row & mask) << distance
            self._put[row] = known
        return known


def _cut(places: list[Place], layout: Layout, renamings: list[Renaming]) -> list[_Piece]:
    pieces: list[list[Place]] = [[]]
    for place in places:
        joint = [*pieces[-1], place]
        if sum(layout.widths[item.position] for item in joint) > _PIECE_BITS and pieces[-1]:
            pieces.append([place])
        else:
            pieces[-1] = joint
    return [_Piece(piece, layout, renamings) for piece in pieces if piece]


def _unite(images: list[tuple[int, ...]], number: int) -> int:
    united = 0
    for image in images:
        united |= image[number]
    return united
