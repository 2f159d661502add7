"""Which stored worlds are equally far from the initial ones: a level is a range of numbers."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


def list_levels(parents: Sequence[int]) -> Iterator[range]:
    """List the levels, given for each world the number of the one from which it was found."""
    begin = end = 0
    while end < len(parents) and parents[end] == end:
        end += 1
    while begin < len(parents):
        yield range(begin, end)
        # in the order of their parents: a level ends before the first world that was found from within it
        begin, end = end, bisect_left(parents, end, lo=end)
