"""How many worlds a search will find, guessed from how its levels grow.

In most models the growth of the levels slows down steadily: the logarithm of the ratio of neighbours falls on
about a straight line, which ends where levels vanish. The line is fitted to several stretches of what is
known, and the guesses differ: their range is what is told. It is a guess, and some models surprise it.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from math import exp, log
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_FEWEST_RATIOS: Final = 7
_STRETCHES: Final = (4, 6, 8, 12, 16)
_FARTHEST: Final = 1_000
"""How many times what is known a guess may be: beyond that nothing is known."""

_MOST_LEVELS: Final = 10_000
_MOST_WORLDS: Final = 1e15
_SPREAD_BEFORE_PEAK: Final = 4
_SPREAD_AFTER_PEAK: Final = 2
"""By how much the range of what is to come is made wider: guesses agree by chance, mostly before the peak."""


@dataclass(frozen=True, slots=True)
class Guess:
    """How many worlds there may be at least and at most, and how many levels."""

    low: int
    high: int | None
    """None where the growth does not slow down yet, so that no end can be seen."""
    levels: int
    """How many levels the guess in the middle has."""


def guess_total(levels: Sequence[int]) -> Guess | None:
    """Guess how many worlds there are, given the sizes of the levels that are complete; None for too few."""
    if len(levels) <= _FEWEST_RATIOS or min(levels) <= 0:
        return None
    ratios = [log(after / before) for before, after in pairwise(levels)]
    fits = [_fit(ratios, length) for length in _list_stretches(len(ratios))]
    ends = [_follow(levels, *fit) for fit in fits]
    known = sum(levels)
    finite = sorted(end for end in ends if end is not None)
    if not finite:
        return Guess(known, None, len(levels))
    middle = finite[len(finite) // 2]
    spread = _SPREAD_BEFORE_PEAK if levels[-1] == max(levels) else _SPREAD_AFTER_PEAK
    low = known + (finite[0][0] - known) // spread
    high = None if 2 * len(finite) < len(ends) else known + (finite[-1][0] - known) * spread
    return Guess(low, None if high is not None and high > _FARTHEST * known else high, middle[1])


def _list_stretches(count: int) -> Iterator[int]:
    yield from (length for length in _STRETCHES if length < count)
    yield count


def _fit(ratios: Sequence[float], length: int) -> tuple[float, float]:
    """Fit a line to the last ratios by least squares: the value at the last one, and how it changes."""
    stretch = ratios[-length:]
    middle, mean = (length - 1) / 2, sum(stretch) / length
    spread = sum((at - middle) ** 2 for at in range(length))
    slope = sum((at - middle) * (ratio - mean) for at, ratio in enumerate(stretch)) / spread
    return mean + slope * (length - 1 - middle), slope


def _follow(levels: Sequence[int], ratio: float, slope: float) -> tuple[int, int] | None:
    """Follow a line to where levels vanish: all worlds until then, and how many levels; None for no end."""
    size, total = float(levels[-1]), float(sum(levels))
    for number in range(len(levels), _MOST_LEVELS):
        ratio += slope
        size *= exp(min(ratio, 700.0))
        if size < 1:
            return int(total), number
        total += size
        if total > _MOST_WORLDS or (ratio > 0 and slope >= 0):
            return None
    return None
