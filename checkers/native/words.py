"""Where each cell of a packed world lies in machine words: no cell crosses from one word into the next.

Cells that are known to have one value only are not stored. What is left keeps its order, so that words
compare as packed worlds do.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from nomadspec.model.language.term import Term

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from nomadspec.checkers.stepper.layout import Layout
    from nomadspec.model.language.bounded import BoundedModel

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
    """Of the value, before it is shifted up; nothing where the cell is not stored."""
    fixed: int = 0
    """What a cell that is not stored holds, less the lowest that it could."""


@dataclass(frozen=True, slots=True)
class Run:
    """Neighbouring bits of a packed world that are neighbours in a word as well."""

    begin: int
    end: int
    word: int
    shift: int

    @property
    def mask(self) -> int:
        """Give the mask of the bits, before they are shifted up."""
        return (1 << self.end - self.begin) - 1


class Words:
    """A packed world, cut into words at borders of cells."""

    __slots__ = ("bits", "count", "fixed", "runs", "spots", "starts")

    def __init__(self, layout: Layout, fixed: Mapping[int, int] | None = None) -> None:
        """Fill one word after the other with whole cells, in the order of the packed world.

        Cells with a ``fixed`` content take no room. Raises WideError where a cell is wider than a word.
        """
        known = fixed or {}
        self.bits = layout.bits
        self.fixed = sum(content << layout.shifts[cell] for cell, content in known.items())
        """The bits of all cells that are not stored, in their places in a packed world."""
        self.starts = [0]
        """Where each word begins in a packed world, if all cells are stored."""
        self.runs: Sequence[Run] = []
        spots, used = [], 0
        for cell, (begin, width) in enumerate(zip(layout.shifts, layout.widths, strict=True)):
            if width > WORD_BITS:
                raise WideError
            if cell in known or not width:
                spots.append(Spot(len(self.starts) - 1, used, 0, known.get(cell, 0)))
                continue
            if used + width > WORD_BITS:
                self.starts.append(begin)
                used = 0
            spots.append(Spot(len(self.starts) - 1, used, (1 << width) - 1))
            self.runs = _lengthen(self.runs, Run(begin, begin + width, len(self.starts) - 1, used))
            used += width
        self.spots = tuple(spots)
        self.count = len(self.starts)

    def split(self, packed: int) -> list[int]:
        """Cut a packed world into its words."""
        words = [0] * self.count
        for run in self.runs:
            words[run.word] |= (packed >> run.begin & run.mask) << run.shift
        return words

    def join(self, words: Sequence[int]) -> int:
        """Put the words of a packed world together."""
        packed = self.fixed
        for run in self.runs:
            packed |= (words[run.word] >> run.shift & run.mask) << run.begin
        return packed


def _lengthen(runs: Sequence[Run], more: Run) -> Sequence[Run]:
    """Add a cell to the last run if it follows there in both."""
    if runs:
        last = runs[-1]
        if (last.end, last.word, last.shift + last.end - last.begin) == (more.begin, more.word, more.shift):
            return [*runs[:-1], Run(last.begin, more.end, last.word, last.shift)]
    return [*runs, more]


def find_fixed(bounded: BoundedModel) -> Mapping[int, int]:
    """Find the cells of a narrowed model that have one value, and what they hold less the lowest possible."""
    return {
        cell: int(value) - interval.low
        for cell, (value, interval) in enumerate(
            zip(bounded.cell_terms, bounded.frame.intervals, strict=True)
        )
        if not isinstance(value, Term)
    }
