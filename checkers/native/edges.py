"""The steps between stored worlds, kept in arrays only when a question about endless paths will be asked."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, Final

from nomadspec.checkers.native.numbers import file_numbers, reserve, rest

if TYPE_CHECKING:
    from pathlib import Path

    from nomadspec.checkers.native.numbers import Numbers

_MOST_IN_TWO_BYTES: Final = 1 << 16


class Edges:
    """For each world in turn, the numbers of the worlds after it and the positions of the instances."""

    __slots__ = ("ends", "positions", "targets")

    def __init__(self, instance_count: int) -> None:
        """Start without worlds; positions take two bytes each where they can."""
        self.ends: Numbers = array("Q")
        self.targets: Numbers = array("I")
        self.positions: Numbers = array("H" if instance_count <= _MOST_IN_TWO_BYTES else "I")

    def file(self, folder: Path) -> None:
        """Move the steps to files."""
        self.ends = file_numbers(self.ends, folder)
        self.targets = file_numbers(self.targets, folder)
        self.positions = file_numbers(self.positions, folder)

    def reserve(self, worlds: int, steps: int) -> None:
        """Take the room for so many more, where it may be missing later."""
        for numbers, more in ((self.ends, worlds), (self.targets, steps), (self.positions, steps)):
            reserve(numbers, more)

    def rest(self) -> None:
        """Let the system move what lies in files out of memory."""
        for numbers in (self.ends, self.targets, self.positions):
            rest(numbers)

    def add(self, target: int, position: int) -> None:
        """Add a step from the world that is being expanded."""
        self.targets.append(target)
        self.positions.append(position)

    def close(self) -> None:
        """End the steps of a world."""
        self.ends.append(len(self.targets))

    def span(self, world: int) -> range:
        """Give the places of the steps from a world."""
        return range(self.ends[world - 1] if world else 0, self.ends[world])
