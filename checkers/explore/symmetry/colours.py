"""Colour refinement: what can be said of each id without using names.

Every id begins with the colour of its sort. Then, again and again, it gets a colour made of its old one and
of all cells that it indexes or stands in, each described by its field, its value and the colours of the other
ids involved. Two worlds that differ by names only give ids that correspond the same colours.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

if TYPE_CHECKING:
    from nomadspec.checkers.explore.symmetry.geometry import Geometry
    from nomadspec.model.language.bounded import Cells
    from nomadspec.model.language.frame import FiniteFrame
    from nomadspec.model.language.sets import Ids

Colours: TypeAlias = "dict[Ids, list[int]]"
"""For each sort the colour of each of its ids; colours of different sorts differ."""

_ABOVE_VALUES: Final = 1 << 64
"""Added to the colour of an id that a cell holds, so that it is no plain value."""

_Node: TypeAlias = tuple[int, int]
_Signature: TypeAlias = tuple[int, tuple[tuple[int, ...], ...]]


class Refiner:
    """Colours the ids of the worlds of a scope."""

    def __init__(self, frame: FiniteFrame, geometry: Geometry, sorts: tuple[Ids, ...]) -> None:
        """Number the fields and sorts."""
        self._sorts = sorts
        self._lengths = [frame.length(ids) for ids in sorts]
        numbers = {ids: number for number, ids in enumerate(sorts)}
        fields = {name: number for number, name in enumerate(frame.placed)}
        self._cells: list[_Cell] = [
            _Cell(
                place.position,
                fields[place.placed.field.name],
                tuple(
                    (numbers.get(ids, -1), member)
                    for ids, member in zip(place.placed.field.index, place.members, strict=True)
                ),
                numbers.get(members, -1)
                if (members := place.placed.field.domain.members) is not None
                else -1,
            )
            for place in geometry.places
        ]

    def refine(self, cells: Cells) -> Colours:
        """Colour the ids of a world until no further ones can be told apart."""
        colours: dict[_Node, int] = {
            (sort, member): sort for sort, length in enumerate(self._lengths) for member in range(length)
        }
        count = len(set(colours.values()))
        while True:
            colours = self._refine_once(cells, colours)
            if len(set(colours.values())) == count:
                break
            count = len(set(colours.values()))
        return {
            ids: [colours[number, member] for member in range(length)]
            for number, (ids, length) in enumerate(zip(self._sorts, self._lengths, strict=True))
        }

    def _refine_once(self, cells: Cells, colours: dict[_Node, int]) -> dict[_Node, int]:
        seen: dict[_Node, list[tuple[int, ...]]] = {node: [] for node in colours}
        for cell in self._cells:
            cell.describe(int(cells[cell.position]), colours, seen)
        signatures: dict[_Node, _Signature] = {
            node: (colour, tuple(sorted(seen[node]))) for node, colour in colours.items()
        }
        ranks = {signature: rank for rank, signature in enumerate(sorted(set(signatures.values())))}
        return {node: ranks[signature] for node, signature in signatures.items()}


class _Cell:
    """A cell as the refinement sees it: its field, the ids that index it, and the sort of its value."""

    __slots__ = ("_field", "_index", "_nowhere", "_places", "_value_sort", "position")

    def __init__(
        self, position: int, field: int, index: tuple[tuple[int, int], ...], value_sort: int
    ) -> None:
        self.position = position
        self._field = field
        self._index = index
        self._value_sort = value_sort
        # where each id stands in the index, so that a pair (a, a) differs from a pair (a, b)
        self._places = {node: tuple(int(other == node) for other in index) for node in index if node[0] >= 0}
        self._nowhere = (0,) * len(index)

    def describe(
        self, value: int, colours: dict[_Node, int], seen: dict[_Node, list[tuple[int, ...]]]
    ) -> None:
        """Tell each id involved what the cell says of it."""
        held = (self._value_sort, value) if self._value_sort >= 0 and value >= 0 else None
        if held is None and not self._places:
            return
        shown = value if held is None else _ABOVE_VALUES + colours[held]
        others = [member if sort < 0 else colours[sort, member] for sort, member in self._index]
        told = (self._field, shown, *others)
        for node, places in self._places.items():
            seen[node].append((*told, *places, int(node == held)))
        if held is not None and held not in self._places:
            seen[held].append((*told, *self._nowhere, 1))
