"""The steps between stored worlds, kept in arrays only when a question about endless paths will be asked."""

from __future__ import annotations

from array import array
from typing import Final

_MOST_IN_TWO_BYTES: Final = 1 << 16


class Edges:
    """For each world in turn, the numbers of the worlds after it and the positions of the instances."""

    __slots__ = ("ends", "positions", "targets")

    def __init__(self, instance_count: int) -> None:
        """Start without worlds; positions take two bytes each where they can."""
        self.ends = array("Q")
        self.targets = array("I")
        self.positions = array("H" if instance_count <= _MOST_IN_TWO_BYTES else "I")

    def add(self, target: int, position: int) -> None:
        """Add a step from the world that is being expanded."""
        self.targets.append(target)
        self.positions.append(position)

    def close(self) -> None:
        """Say that the world has no more steps."""
        self.ends.append(len(self.targets))

    def span(self, world: int) -> range:
        """Give the places of the steps from a world."""
        return range(self.ends[world - 1] if world else 0, self.ends[world])
