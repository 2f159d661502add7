"""Memory that machine code writes to: it grows without being copied, and is zero where nobody wrote.

What is large has more addresses than it needs yet, since it would lose its large pages if it had to move.
Memory in a file is the system's to move to the disk: what is not used for a while takes no room. Its place on
the disk is taken before it is used, so that a full disk is an error where memory is asked for and not later.
"""

from __future__ import annotations

import ctypes
import mmap
import os
import platform
import weakref
from contextlib import suppress
from pathlib import Path
from tempfile import mkstemp
from typing import Final

_PAGE: Final = mmap.PAGESIZE
_FLAGS: Final = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS
_LARGE: Final = 1 << 22
"""From this size on memory is asked for in large pages: to touch a page for the first time is what costs."""

_MOST: Final = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2
"""How many addresses large memory has, if the system gives so many: what nobody touches takes no memory."""

_USUAL_BIT: Final = 0x4000 if platform.machine() in {"x86_64", "aarch64"} else 0
UNCOUNTED: Final = getattr(mmap, "MAP_NORESERVE", _USUAL_BIT)
"""Says that addresses are not memory that is promised: else this process could not start others."""


class Memory:
    """A piece of memory with an address that holds until it is resized."""

    def __init__(self, size: int, *, folder: Path | None = None) -> None:
        """Take memory from the system, or a file in a folder that nobody else sees and that goes with it."""
        size = _round_up(size)
        self.size = size
        """How many bytes there are."""
        self.folder = folder
        self._file = None if folder is None else _open_file(folder)
        if self._file is None:
            self._map = mmap.mmap(-1, size, flags=_FLAGS)
        else:
            weakref.finalize(self, os.close, self._file)
            os.posix_fallocate(self._file, 0, size)
            self._map = mmap.mmap(self._file, size)
        self._enlarge_pages()
        self.address = self._find_address()

    def ensure(self, size: int) -> None:
        """Grow to at least this size, half as much again at a time; the address may change."""
        if size > self.size:
            self._resize(_round_up(max(size, self.size + self.size // 2)))

    def read(self, begin: int, size: int) -> bytes:
        """Copy some bytes."""
        return self._map[begin : begin + size]

    def view(self, begin: int, size: int) -> memoryview:
        """Show some bytes where they lie; while somebody looks at them, the memory cannot grow."""
        return memoryview(self._map)[begin : begin + size]

    def write(self, begin: int, content: bytes | memoryview) -> None:
        """Put some bytes."""
        self._map[begin : begin + len(content)] = content

    def word(self, at: int) -> int:
        """Read a word."""
        return int.from_bytes(self._map[8 * at : 8 * at + 8], "little")

    def put(self, at: int, value: int) -> None:
        """Write a word."""
        self._map[8 * at : 8 * at + 8] = (value & (1 << 64) - 1).to_bytes(8, "little")

    def rest(self) -> None:
        """Let the system move what lies in a file out of memory; it comes back as it is touched."""
        if self._file is not None:
            self._map.madvise(mmap.MADV_DONTNEED)

    def close(self) -> None:
        """Give the memory back."""
        self._map.close()

    def _resize(self, size: int) -> None:
        if self._file is not None:
            os.posix_fallocate(self._file, 0, size)
            self._map.resize(size)
        elif size > len(self._map):
            self._move(size)
        self.size = size
        self.address = self._find_address()

    def _move(self, size: int) -> None:
        """Go on where there is room, for good if memory is large."""
        if size < _LARGE:
            self._map.resize(size)
            return
        old, self._map = self._map, _reserve(size)
        self._enlarge_pages()
        with memoryview(old) as source, memoryview(self._map) as target:
            target[: len(source)] = source
        old.close()

    def _enlarge_pages(self) -> None:
        if self._file is None and len(self._map) >= _LARGE:
            with suppress(OSError, AttributeError):  # a system without large pages is only slower
                self._map.madvise(mmap.MADV_HUGEPAGE)

    def _find_address(self) -> int:
        return ctypes.addressof(ctypes.c_char.from_buffer(self._map))


def _reserve(size: int) -> mmap.mmap:
    """Take many more addresses than are needed, or fewer where the system is strict."""
    if UNCOUNTED:
        with suppress(OSError):
            return mmap.mmap(-1, max(size, _MOST), flags=_FLAGS | UNCOUNTED)
    return mmap.mmap(-1, size, flags=_FLAGS)


def _open_file(folder: Path) -> int:
    """Open a new file that has no name, so that it goes with whoever holds it."""
    file, name = mkstemp(dir=folder)
    Path(name).unlink()
    return file


def _round_up(size: int) -> int:
    return max(1, -(-size // _PAGE)) * _PAGE
