"""The canonical form by colours: for scopes with many permutations of the named sorts.

Ids are named in the order of their colours; only ids that share a colour can still be exchanged. Twins, whose
exchange changes nothing, need not be: one order of them is enough. All renamings that remain are tried, with
rows sorted, and the least result stands for the world and all that differ from it by names.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from nomadspec.checkers.explore.symmetry.colours import Refiner
from nomadspec.checkers.explore.symmetry.geometry import Geometry, Renaming

if TYPE_CHECKING:
    from collections.abc import Iterator

    from nomadspec.checkers.explore.symmetry.sorts import Sorts
    from nomadspec.checkers.stepper.layout import Layout
    from nomadspec.model.language.bounded import Cells
    from nomadspec.model.language.frame import FiniteFrame
    from nomadspec.model.language.sets import Ids


class Candidates:
    """The canonical form of a scope by colours."""

    def __init__(self, frame: FiniteFrame, layout: Layout, sorts: Sorts) -> None:
        """Find out where everything lies."""
        self._layout = layout
        self._named = sorts.named
        self._geometry = Geometry(frame)
        self._refiner = Refiner(frame, self._geometry, sorts.all)
        self._rows = [
            [
                [place.position for place in self._geometry.list_row(ids, member)]
                for member in range(frame.length(ids))
            ]
            for ids in sorts.rows
        ]

    def canonical(self, packed: int) -> int:
        """Give the least image among the candidates."""
        cells = self._layout.unpack(packed)
        images = (self._sort_rows(self._geometry.rename(cells, names)) for names in self._list(cells))
        return self._layout.pack(min(images))

    def _list(self, cells: Cells) -> Iterator[Renaming]:
        """List the renamings to try."""
        colours = self._refiner.refine(cells)
        plain = self._sort_rows(cells)
        orders = [list(self._list_orders(ids, colours[ids], cells, plain)) for ids in self._named]
        for chosen in product(*orders):
            yield {ids: _invert(order) for ids, order in zip(self._named, chosen, strict=True)}

    def _list_orders(self, ids: Ids, colours: list[int], cells: Cells, plain: Cells) -> Iterator[list[int]]:
        """List the orders of the ids of a sort: by colour, and within one colour all that twins leave."""
        classes: dict[int, list[list[int]]] = {}
        for member, colour in enumerate(colours):
            groups = classes.setdefault(colour, [])
            twins = next(
                (group for group in groups if self._are_twins(ids, group[0], member, cells, plain)), None
            )
            if twins is None:
                groups.append([member])
            else:
                twins.append(member)
        shuffled = [list(_interleave(classes[colour])) for colour in sorted(classes)]
        for parts in product(*shuffled):
            yield [member for part in parts for member in part]

    def _are_twins(self, ids: Ids, one: int, other: int, cells: Cells, plain: Cells) -> bool:
        names = list(range(self._geometry.length(ids)))
        names[one], names[other] = other, one
        return plain == self._sort_rows(self._geometry.rename(cells, {ids: tuple(names)}))

    def _sort_rows(self, cells: Cells) -> Cells:
        if not self._rows:
            return cells
        result = list(cells)
        for rows in self._rows:
            contents = sorted([cells[position] for position in row] for row in rows)
            for row, content in zip(rows, contents, strict=True):
                for position, value in zip(row, content, strict=True):
                    result[position] = value
        return tuple(result)


def _invert(order: list[int]) -> tuple[int, ...]:
    """Turn an order of ids into the new name of each."""
    names = [0] * len(order)
    for name, member in enumerate(order):
        names[member] = name
    return tuple(names)


def _interleave(groups: list[list[int]]) -> Iterator[list[int]]:
    """List all ways to merge some groups, each keeping its order."""
    groups = [group for group in groups if group]
    if not groups:
        yield []
    for at, group in enumerate(groups):
        rest = [*groups[:at], group[1:], *groups[at + 1 :]]
        for tail in _interleave(rest):
            yield [group[0], *tail]
