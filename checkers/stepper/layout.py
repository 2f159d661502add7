"""Where each cell of a world lies in a packed integer, and how to go there and back.

Cells follow one another in the order of the declarations, low bits first, each less its lowest value. This is
also the canonical form of fingerprints, so a packed world is hashed as it is. Python's integers have any
width: a world may need more bits than a machine word has.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import accumulate
from typing import TYPE_CHECKING, Final

from nomadspec.model.language.fingerprint import count_bytes

if TYPE_CHECKING:
    from nomadspec.model.language.bounded import BoundedModel, Cells

_MOST_RECENT: Final = 64
"""So many worlds stay unpacked: whoever steps or checks asks for the same one again and again."""


class Layout:
    """The places of the cells of a bounded model in a packed world."""

    __slots__ = ("_lows", "_masks", "_recent", "bits", "byte_count", "shifts", "widths")

    def __init__(self, bounded: BoundedModel) -> None:
        """Lay the cells out one after another."""
        intervals = bounded.frame.intervals
        self.widths = tuple(interval.bits for interval in intervals)
        ends = tuple(accumulate(self.widths))
        self.shifts = tuple(end - width for end, width in zip(ends, self.widths, strict=True))
        self.bits = ends[-1] if ends else 0
        self.byte_count = count_bytes(self.bits)
        self._lows = tuple(None if interval.is_flag else interval.low for interval in intervals)
        self._masks = tuple((1 << width) - 1 for width in self.widths)
        self._recent: dict[int, Cells] = {}

    def pack(self, cells: Cells) -> int:
        """Pack the values of the cells."""
        packed = 0
        for value, shift, low in zip(cells, self.shifts, self._lows, strict=True):
            packed |= (value - (low or 0)) << shift
        return packed

    def pack_some(self, cells: Cells, places: Iterable[int]) -> int:
        """Pack the values of some cells; the bits of all others are 0."""
        packed = 0
        for place in places:
            packed |= (cells[place] - (self._lows[place] or 0)) << self.shifts[place]
        return packed

    def unpack(self, packed: int) -> Cells:
        """Give the values of the cells; those of flags are bools."""
        cells = self._recent.get(packed)
        if cells is None:
            cells = tuple(
                [  # a list is made faster than a generator is asked
                    bool(packed >> shift & mask) if low is None else (packed >> shift & mask) + low
                    for shift, mask, low in zip(self.shifts, self._masks, self._lows, strict=True)
                ]
            )
            if len(self._recent) == _MOST_RECENT:
                self._recent.clear()
            self._recent[packed] = cells
        return cells

    def raw(self, packed: int, cell: int) -> int:
        """Give the bits of a cell: its value less its lowest one."""
        return packed >> self.shifts[cell] & self._masks[cell]

    def mask(self, cells: Iterable[int]) -> int:
        """Compute the mask that keeps the bits of some cells."""
        found = 0
        for cell in cells:
            found |= self._masks[cell] << self.shifts[cell]
        return found
