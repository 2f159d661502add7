"""Where each cell of a packed world lies in machine words: no cell crosses from one word into the next."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from nomadspec.checkers.stepper.layout import Layout

WORD_BITS: Final = 64

WIDEST: Final = 1 << 62
"""How large the numbers of machine code may be, so that nothing overflows."""


class WideError(Exception):
    """A model calculates with numbers that do not fit machine words."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A cell in the words: which word, how far up, and the mask of its bits there."""

    word: int
    shift: int
    mask: int
    """Of the value, before it is shifted up."""


class Words:
    """A packed world, cut into words at borders of cells."""

    __slots__ = ("bits", "count", "spots", "starts")

    def __init__(self, layout: Layout) -> None:
        """Fill one word after the other with whole cells, in the order of the packed world.

        Raises WideError where a cell is wider than a word.
        """
        self.starts = [0]
        self.bits = layout.bits
        spots = []
        for begin, width in zip(layout.shifts, layout.widths, strict=True):
            if width > WORD_BITS:
                raise WideError
            if begin + width > self.starts[-1] + WORD_BITS:
                self.starts.append(begin)
            spots.append(Spot(len(self.starts) - 1, begin - self.starts[-1], (1 << width) - 1))
        self.spots = tuple(spots)
        self.count = len(self.starts)

    def split(self, packed: int) -> list[int]:
        """Cut a packed world into its words."""
        ends = [*self.starts[1:], self.bits]
        return [
            packed >> begin & (1 << (end - begin)) - 1 for begin, end in zip(self.starts, ends, strict=True)
        ]

    def join(self, words: list[int]) -> int:
        """Put the words of a packed world together."""
        packed = 0
        for word, begin in zip(words, self.starts, strict=True):
            packed |= word << begin
        return packed
