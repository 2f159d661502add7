"""What those who share a search tell one another: worlds and numbers in bulk, and what was noticed."""

from __future__ import annotations

import ctypes
from array import array
from bisect import bisect_left
from dataclasses import dataclass
from pickle import PickleBuffer
from typing import Final, TypeAlias

Bulk: TypeAlias = PickleBuffer | memoryview | bytes | bytearray
"""Many bytes, which need not be copied on the way.

What looks into memory is a view. A PickleBuffer of a view is made where it is sent, and never kept: before
Python 3.13 it is a crash where both become garbage in one cycle.
"""

LOW_HALF: Final = (1 << 32) - 1
_NUMBER: Final = 8


@dataclass(frozen=True, slots=True)
class Parcel:
    """Successors that belong to one shard, and for each the position and the number before it."""

    worlds: Bulk
    entries: Bulk

    def __len__(self) -> int:
        """Count the successors."""
        return memoryview(self.entries).nbytes // _NUMBER

    def __reduce__(self) -> tuple[type[Parcel], tuple[PickleBuffer, PickleBuffer]]:
        """Be sent without being copied."""
        return Parcel, (PickleBuffer(self.worlds), PickleBuffer(self.entries))

    def cut(self, end: int) -> Parcel:
        """Keep the successors of worlds with lower numbers."""
        entries = memoryview(self.entries).cast("B").cast("Q")
        kept = bisect_left(entries, end, key=lambda entry: entry & LOW_HALF)
        if kept == len(entries):
            return self
        worlds = memoryview(self.worlds)
        width = worlds.nbytes // len(entries)
        return Parcel(worlds[: kept * width], memoryview(self.entries)[: kept * _NUMBER])


@dataclass(frozen=True, slots=True)
class Noted:
    """Something that was noticed: of a step or a stuck world, or of a new world by its place in its shard."""

    question: int
    parent: int
    position: int
    place: int | None = None

    @property
    def order(self) -> tuple[int, int, bool]:
        """Give what orders it among all that was noticed: steps come before the worlds that they lead to."""
        return self.parent, self.position, self.place is not None


@dataclass(frozen=True, slots=True)
class Taken:
    """The steps from the first of some worlds."""

    worlds: int
    """How many of them had their steps taken: not all where there is no room, or a fault."""
    parcels: tuple[Parcel, ...]
    """For each shard what belongs to it."""
    noted: tuple[Noted, ...]


@dataclass(frozen=True, slots=True)
class Stored:
    """What became of the successors that a shard was given."""

    births: Bulk
    """For each new world the position of the step to it, and the number of the world before."""
    worlds: Bulk
    found: Bulk
    """For each successor its place in the shard; empty unless it was asked for."""
    fired: tuple[int, ...]
    count: int
    """How many were looked up: all, unless something decisive was noticed."""
    noted: tuple[Noted, ...]

    def __reduce__(self) -> tuple[type[Stored], tuple[object, ...]]:
        """Be sent without being copied."""
        bulks = (PickleBuffer(bulk) for bulk in (self.births, self.worlds, self.found))
        return Stored, (*bulks, self.fired, self.count, self.noted)


def count_numbers(bulk: Bulk) -> int:
    """Count the numbers of eight bytes."""
    return memoryview(bulk).nbytes // _NUMBER


def read_numbers(bulk: Bulk) -> array[int]:
    """Copy the numbers of eight bytes."""
    numbers = array("Q")
    numbers.frombytes(memoryview(bulk))
    return numbers


class Place:
    """Where a bulk lies, for as long as this is held; what must not be written is copied."""

    def __init__(self, bulk: Bulk) -> None:
        """Make sure that it can be written to, as addresses are only given of such bulks."""
        view = memoryview(bulk)
        if view.readonly:
            view = memoryview(bytearray(view))
        self._view = view

    @property
    def address(self) -> int:
        """The address, or 0 of nothing."""
        return ctypes.addressof(ctypes.c_char.from_buffer(self._view)) if self._view.nbytes else 0
