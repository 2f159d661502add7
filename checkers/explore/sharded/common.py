"""Memory that several processes see at the same place: what lies there need not be copied to be told."""

from __future__ import annotations

import ctypes
import mmap
from collections.abc import Callable
from typing import Final, TypeAlias

from nomadspec.checkers.native.memory import UNCOUNTED, Memory

PIECE_BYTES: Final = 1 << 30
"""How many addresses each process has in it; only what is written takes memory."""

FLAGS: Final = mmap.MAP_SHARED | mmap.MAP_ANONYMOUS | UNCOUNTED
ALIGNED: Final = 64


class Common:
    """Memory for several processes, made before they start; each writes to a piece of its own."""

    def __init__(self, pieces: int) -> None:
        """Take the addresses."""
        self._map = mmap.mmap(-1, pieces * PIECE_BYTES, flags=FLAGS)
        self._address = ctypes.addressof(ctypes.c_char.from_buffer(self._map))
        self._taken = [piece * PIECE_BYTES for piece in range(pieces)]

    def take(self, piece: int, size: int) -> Part | None:
        """Take a part of a piece for good, if there is room."""
        begin = self._taken[piece]
        end = -(-(begin + size) // ALIGNED) * ALIGNED
        if end > (piece + 1) * PIECE_BYTES:
            return None
        self._taken[piece] = end
        return Part(self, begin, self._address + begin)

    def find_free(self, piece: int) -> int:
        """Give where the part of a piece begins that nobody took."""
        return self._taken[piece]

    def find(self, address: int) -> int | None:
        """Find where something lies, if it does so here."""
        offset = address - self._address
        return offset if 0 <= offset < len(self._map) else None

    def view(self, begin: int, size: int) -> memoryview:
        """Show some bytes."""
        return memoryview(self._map)[begin : begin + size]

    def write(self, begin: int, content: memoryview) -> None:
        """Put some bytes."""
        self._map[begin : begin + content.nbytes] = content


class Part:
    """A part of common memory, used as if it were memory of one's own."""

    def __init__(self, common: Common, begin: int, address: int) -> None:
        """Say where it is."""
        self._common = common
        self._begin = begin
        self.address = address

    def view(self, begin: int, size: int) -> memoryview:
        """Show some bytes where they lie."""
        return self._common.view(self._begin + begin, size)


TakeMemory: TypeAlias = Callable[[int], Memory | Part]
"""Where a process takes memory for what it will tell: in its piece, or of its own where it has none."""


def take_from(common: Common, piece: int, size: int) -> Memory | Part:
    """Take a part of a piece, or memory of one's own where there is no room."""
    return common.take(piece, size) or Memory(size)
