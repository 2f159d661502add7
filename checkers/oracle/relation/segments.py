"""The places of an order, cut where searches begin and end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from nomadspec.checkers.oracle.relation.expected import Expected
from nomadspec.checkers.oracle.relation.probing import Stretch


@dataclass(frozen=True, slots=True)
class Window:
    """The places that one search visits, from where the one before ended."""

    stretch: Stretch
    start: int
    length: int
    count: int

    @property
    def is_whole(self) -> bool:
        """True if all places are visited."""
        return self.length >= self.count

    @property
    def expected(self) -> Expected | None:
        """What the metrics tell; None where nothing was placed."""
        return Expected.of(self.stretch.alloc) if self.stretch.alloc else None

    @property
    def last(self) -> int:
        """The place that is visited last."""
        return (self.start + self.length - 1) % self.count

    def find_turn(self, place: int) -> int:
        """Find how many places are visited before a place."""
        return (place - self.start) % self.count

    def holds(self, place: int) -> bool:
        """True if a place is visited."""
        return self.find_turn(place) < self.length


@dataclass(frozen=True, slots=True)
class Segment:
    """Places that the same searches visit."""

    first: int
    size: int


def list_windows(count: int, stretches: Sequence[Stretch]) -> list[Window]:
    """List the windows of searches; those among preferred nodes only are left out."""
    windows: list[Window] = []
    start = 0
    for stretch in stretches:
        if stretch.is_aside:
            start = 0
            continue
        metrics = stretch.alloc.metrics if stretch.alloc else None
        length = min(metrics.nodes_evaluated, count) if metrics else count
        windows.append(Window(stretch, start, length, count))
        start = (start + length) % count
    return windows


def cut_segments(count: int, windows: Sequence[Window]) -> list[Segment]:
    """Cut the places where windows begin and end; the last of a window stands alone."""
    cuts = {0}
    for window in windows:
        if not window.is_whole and window.length:
            cuts |= {window.start, window.last, (window.last + 1) % count}
        else:
            cuts.add(window.start)
    firsts = sorted(cuts)
    return [Segment(at, end - at) for at, end in zip(firsts, [*firsts[1:], count], strict=True)]
