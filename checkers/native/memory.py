"""Memory that machine code writes to: it grows without being copied, and is zero where nobody wrote."""

from __future__ import annotations

import ctypes
import mmap
from typing import Final

_PAGE: Final = mmap.PAGESIZE
_FLAGS: Final = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS


class Memory:
    """A piece of memory with an address that holds until it is resized."""

    def __init__(self, size: int, *, is_populated: bool = False) -> None:
        """Take memory from the system; populated memory is there at once, the rest as it is touched."""
        flags = _FLAGS | (getattr(mmap, "MAP_POPULATE", 0) if is_populated else 0)
        self._map = mmap.mmap(-1, _round_up(size), flags=flags)
        self.address = self._find_address()

    @property
    def size(self) -> int:
        """How many bytes there are."""
        return len(self._map)

    def ensure(self, size: int) -> None:
        """Grow to at least this size, half as much again at a time; the address may change."""
        if size > self.size:
            self._map.resize(_round_up(max(size, self.size + self.size // 2)))
            self.address = self._find_address()

    def read(self, begin: int, size: int) -> bytes:
        """Copy some bytes."""
        return self._map[begin : begin + size]

    def write(self, begin: int, content: bytes) -> None:
        """Put some bytes."""
        self._map[begin : begin + len(content)] = content

    def word(self, at: int) -> int:
        """Read a word."""
        return int.from_bytes(self._map[8 * at : 8 * at + 8], "little")

    def put(self, at: int, value: int) -> None:
        """Write a word."""
        self._map[8 * at : 8 * at + 8] = (value & (1 << 64) - 1).to_bytes(8, "little")

    def close(self) -> None:
        """Give the memory back."""
        self._map.close()

    def _find_address(self) -> int:
        return ctypes.addressof(ctypes.c_char.from_buffer(self._map))


def _round_up(size: int) -> int:
    return max(1, -(-size // _PAGE)) * _PAGE
