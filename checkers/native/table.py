"""The table that finds stored worlds, and grows with them."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING, Final

from nomadspec.checkers.native.memory import Memory

if TYPE_CHECKING:
    from nomadspec.checkers.native.program import Program
    from nomadspec.checkers.native.worlds import StoredWorlds

_SLOT_BYTES: Final = 8
_FEWEST: Final = 1 << 16
_FULLEST: Final = 0.7
_GROWTH: Final = 1.5
"""A table that doubled would be more than half empty where it matters: when there are many worlds."""


class Table:
    """Open places for the hashes and numbers of worlds."""

    def __init__(self, program: Program, worlds: StoredWorlds) -> None:
        """Enter the worlds that are stored already."""
        self._program = program
        self._worlds = worlds
        self.slots = _find_slots(_FEWEST, len(worlds))
        """How many worlds would fill it."""
        self.memory = Memory(1)
        self.memory.ensure(self.size)
        self.enter(0)

    @property
    def size(self) -> int:
        """How many bytes the table takes."""
        return _SLOT_BYTES * self.slots

    def enter(self, begin: int) -> None:
        """Enter the stored worlds from one on; there must be room for them."""
        worlds = self._worlds
        self._program.index(worlds.memory.address, begin, len(worlds), self.memory.address, self.slots)

    def remove(self, begin: int) -> None:
        """Take the stored worlds from one on out of the table again."""
        worlds = self._worlds
        self._program.sharing.remove(
            worlds.memory.address, begin, len(worlds), self.memory.address, self.slots
        )

    def make_room(self, more: int) -> None:
        """Grow until so many more worlds find a place."""
        slots = _find_slots(self.slots, len(self._worlds) + more)
        if slots == self.slots:
            return
        self.memory.ensure(_SLOT_BYTES * slots)
        waiting = Memory(self.size)
        self._program.grow(self.memory.address, self.slots, slots, waiting.address)
        waiting.close()
        self.slots = slots


def _find_slots(slots: int, worlds: int) -> int:
    """Find how many slots it takes, where there are some already."""
    while worlds > _FULLEST * slots:
        slots = ceil(_GROWTH * slots)
    return slots
