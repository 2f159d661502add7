"""The table that finds stored worlds, and grows with them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from nomadspec.checkers.native.memory import Memory

if TYPE_CHECKING:
    from nomadspec.checkers.native.program import Program
    from nomadspec.checkers.native.worlds import StoredWorlds

_FIRST_BITS: Final = 16
_LARGE_BITS: Final = 22
"""A table quadruples below this size and doubles from there on: to grow costs more than to be empty."""

_FULLEST: Final = 0.8
_SLOT_BYTES: Final = 8
_PIECES: Final = 16
"""A table is copied to a larger one in so many pieces, each of which is given back at once."""


class Table:
    """Open places for the hashes and numbers of worlds."""

    def __init__(self, program: Program, worlds: StoredWorlds) -> None:
        """Enter the worlds that are stored already."""
        self._program = program
        self._worlds = worlds
        self.bits = _find_bits(len(worlds))
        self.memory = Memory(_SLOT_BYTES << self.bits)
        self.enter(0)

    @property
    def size(self) -> int:
        """How many bytes the table takes."""
        return self.memory.size

    def enter(self, begin: int) -> None:
        """Enter the stored worlds from one on; there must be room for them."""
        worlds = self._worlds
        self._program.index(worlds.memory.address, begin, len(worlds), self.memory.address, self.bits)

    def remove(self, begin: int) -> None:
        """Take the stored worlds from one on out of the table again."""
        worlds = self._worlds
        self._program.sharing.remove(
            worlds.memory.address, begin, len(worlds), self.memory.address, self.bits
        )

    def make_room(self, more: int) -> None:
        """Grow until so many more worlds find a place."""
        bits = self.bits
        while self._is_too_full(len(self._worlds) + more):
            self.bits += 2 if self.bits < _LARGE_BITS else 1
        if self.bits == bits:
            return
        larger = Memory(_SLOT_BYTES << self.bits)
        piece = (1 << bits) // _PIECES
        for begin in range(0, 1 << bits, piece):
            self._program.grow(self.memory.address, begin, begin + piece, larger.address, self.bits)
            self.memory.forget(_SLOT_BYTES * begin, _SLOT_BYTES * (begin + piece))
        self.memory.close()
        self.memory = larger

    def _is_too_full(self, worlds: int) -> bool:
        return worlds > _FULLEST * (1 << self.bits)


def _find_bits(worlds: int) -> int:
    bits = _FIRST_BITS
    while worlds > _FULLEST * (1 << bits):
        bits += 1
    return bits
