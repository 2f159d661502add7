"""Which stored worlds are equally far from the initial ones: a level is a range of numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


def list_levels(parents: Sequence[int]) -> Iterator[range]:
    """List the levels, given for each world the number of the one from which it was found."""
    begin = end = 0
    while begin < len(parents):
        # a level ends before the first world that was found from within it
        while end < len(parents) and (parents[end] < begin or parents[end] == end):
            end += 1
        yield range(begin, end)
        begin = end
