"""Stored worlds outside of Python's memory, read as if they were a list of packed worlds."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from itertools import islice
from typing import TYPE_CHECKING, Final, overload

from nomadspec.checkers.native.memory import Memory
from nomadspec.checkers.native.packing import count_bytes, find_packing

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from nomadspec.checkers.native.words import Words

_WORD: Final = 8
_AT_ONCE: Final = 1 << 14
_FEW: Final = 10
"""So many worlds are put together in Python: to call machine code takes longer."""


class PackedWorlds(Sequence[int]):
    """Packed worlds by number, each in some bytes."""

    def __init__(self, width: int, folder: Path | None = None) -> None:
        """Begin with none; with a folder, they lie in a file there."""
        self.width = width
        self.memory = Memory(1 << 20, folder=folder)
        self.stored = 0

    def ensure(self, count: int) -> None:
        """Make room for so many worlds."""
        self.memory.ensure(count * self.width)

    def store(self, content: bytes | memoryview) -> None:
        """Store some worlds as they lie in memory."""
        count = len(content) // self.width
        self.ensure(self.stored + count)
        self.memory.write(self.stored * self.width, content)
        self.stored += count

    def pack(self, worlds: Iterable[int]) -> None:
        """Store some packed worlds."""
        waiting = iter(worlds)
        while chunk := list(islice(waiting, _AT_ONCE)):
            self.store(self._pack(chunk))

    def write_packed(self, begin: int, end: int) -> bytes:
        """Write neighbouring worlds in as few bytes as hold them."""
        return self.memory.read(begin * self.width, (end - begin) * self.width)

    def _pack(self, worlds: Sequence[int]) -> bytes:
        return pack_worlds(worlds, self.width)

    def view(self, begin: int, end: int) -> memoryview:
        """Show neighbouring worlds where they lie."""
        return self.memory.view(begin * self.width, (end - begin) * self.width)

    def __len__(self) -> int:
        """Count the worlds."""
        return self.stored

    @overload
    def __getitem__(self, at: int) -> int: ...

    @overload
    def __getitem__(self, at: slice) -> list[int]: ...

    def __getitem__(self, at: int | slice) -> int | list[int]:
        """Read a world, or neighbouring ones."""
        if isinstance(at, slice):
            begin, end, _ = at.indices(self.stored)
            return list(self._read(begin, max(begin, end)))
        if not -self.stored <= at < self.stored:
            raise IndexError(at)
        (world,) = self._read(at % self.stored, at % self.stored + 1)
        return world

    def __iter__(self) -> Iterator[int]:
        """Read all worlds in their order."""
        for begin in range(0, self.stored, _AT_ONCE):
            yield from self._read(begin, min(begin + _AT_ONCE, self.stored))

    def _read(self, begin: int, end: int) -> Iterator[int]:
        yield from list_packed(self.memory.read(begin * self.width, (end - begin) * self.width), self.width)


class StoredWorlds(PackedWorlds):
    """Packed worlds by number, each in some machine words."""

    def __init__(self, words: Words, worlds: Iterable[int], folder: Path | None = None) -> None:
        """Store the worlds that are there already."""
        super().__init__(_WORD * words.count, folder)
        self.words = words
        self.pack(worlds)

    def pack(self, worlds: Iterable[int]) -> None:
        """Store some packed worlds."""
        if type(worlds) is not PackedWorlds:
            super().pack(worlds)
            return
        for begin in range(0, len(worlds), _AT_ONCE):
            content = worlds.write_packed(begin, min(len(worlds), begin + _AT_ONCE))
            self.store(find_packing(self.words).unpack(content))

    def write_packed(self, begin: int, end: int) -> bytes:
        """Write neighbouring worlds in as few bytes as hold them."""
        return find_packing(self.words).pack(self.memory.address + begin * self.width, end - begin)

    def _pack(self, worlds: Sequence[int]) -> bytes:
        return array("Q", (word for world in worlds for word in self.words.split(world))).tobytes()

    def _read(self, begin: int, end: int) -> Iterator[int]:
        words = array("Q", self.memory.read(begin * self.width, (end - begin) * self.width))
        step = self.words.count
        if end - begin <= _FEW:
            yield from [self.words.join(words[at : at + step]) for at in range(0, len(words), step)]
        else:
            yield from list_packed(self.write_packed(begin, end), count_bytes(self.words))


def list_packed(content: bytes | memoryview, width: int) -> list[int]:
    """List packed worlds of so many bytes each."""
    return [int.from_bytes(content[at : at + width], "little") for at in range(0, len(content), width)]


def pack_worlds(worlds: Iterable[int], width: int) -> bytes:
    """Write packed worlds in so many bytes each."""
    return b"".join([packed.to_bytes(width, "little") for packed in worlds])
