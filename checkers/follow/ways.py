"""The ways through a model that explain a log so far: which worlds they end in, and how each came about."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

_NOBODY: Final = -1


class Ways:
    """The ends of all ways, one way to each world; its steps are kept in arrays, so that logs can be long."""

    def __init__(self, initial: list[int]) -> None:
        """Begin in the initial worlds."""
        self._parents = array("q")
        self._positions = array("q")
        self._firsts: dict[int, int] = {}
        self.ends: dict[int, int] = {}
        """The worlds, each with the number of the step that led there."""
        for packed in initial:
            number = self._note(_NOBODY, _NOBODY)
            self._firsts[number] = packed
            self.ends[packed] = number

    def add(self, ends: dict[int, int], packed: int, parent: int, position: int) -> bool:
        """Add a world that is new among some ends; true if it was."""
        if packed in ends:
            return False
        ends[packed] = self._note(parent, position)
        return True

    def trace(self, number: int) -> tuple[int, list[int]]:
        """Give the initial world of a way and the positions of the instances on it."""
        positions = []
        while self._parents[number] != _NOBODY:
            positions.append(self._positions[number])
            number = self._parents[number]
        return self._firsts[number], positions[::-1]

    def _note(self, parent: int, position: int) -> int:
        self._parents.append(parent)
        self._positions.append(position)
        return len(self._parents) - 1


def list_new(ends: dict[int, int], known: int) -> Iterator[tuple[int, int]]:
    """List the ends that were added after the first so many."""
    yield from list(ends.items())[known:]
