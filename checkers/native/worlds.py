"""Stored worlds outside of Python's memory, read as if they were a list of packed worlds."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, overload

from nomadspec.checkers.native.memory import Memory

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from nomadspec.checkers.native.words import Words

_WORD: Final = 8
_AT_ONCE: Final = 1 << 14


class StoredWorlds(Sequence[int]):
    """Packed worlds by number, each in some machine words."""

    def __init__(self, words: Words, worlds: Iterable[int]) -> None:
        """Store the worlds that are there already."""
        self.words = words
        self.width = _WORD * words.count
        content = array("Q", (word for world in worlds for word in words.split(world))).tobytes()
        self.memory = Memory(max(len(content), 1 << 20))
        self.memory.write(0, content)
        self.stored = len(content) // self.width

    def ensure(self, count: int) -> None:
        """Make room for so many worlds."""
        self.memory.ensure(count * self.width)

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
        words = array("Q")
        words.frombytes(self.memory.read(begin * self.width, (end - begin) * self.width))
        step = self.words.count
        if step == 1:
            yield from words
            return
        for at in range(0, len(words), step):
            yield self.words.join(words[at : at + step].tolist())
