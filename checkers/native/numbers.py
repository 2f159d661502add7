"""Numbers in a file that grow at their end, and are used like an array."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Final, TypeAlias, overload

from nomadspec.checkers.native.memory import Memory

if TYPE_CHECKING:
    from pathlib import Path

_AT_ONCE: Final = 1 << 16


class FiledNumbers(Sequence[int]):
    """Numbers of one size, in a file that nobody else sees."""

    def __init__(self, typecode: str, folder: Path, numbers: Iterable[int] = ()) -> None:
        """Begin with some numbers; the type code is that of an array."""
        self.typecode = typecode
        self.itemsize = array(typecode).itemsize
        self._folder = folder
        self._memory = Memory(1 << 16, folder=folder)
        self._count = 0
        self.extend(numbers)

    def append(self, number: int) -> None:
        """Add a number."""
        self.extend((number,))

    def extend(self, numbers: Iterable[int]) -> None:
        """Add some numbers."""
        waiting = iter(numbers)
        while chunk := array(self.typecode, islice(waiting, _AT_ONCE)):
            self.frombytes(chunk.tobytes())

    def frombytes(self, content: bytes | memoryview) -> None:
        """Add numbers as they lie in memory."""
        self.reserve(len(content) // self.itemsize)
        self._memory.write(self._count * self.itemsize, content)
        self._count += len(content) // self.itemsize

    def reserve(self, more: int) -> None:
        """Take the room for so many more; there may be none left on the disk."""
        self._memory.ensure((self._count + more) * self.itemsize)

    def make_zeros(self, count: int) -> FiledNumbers:
        """Make so many zeros of the size of an ``I``, in the same folder."""
        zeros = FiledNumbers("I", self._folder)
        zeros.reserve(count)
        zeros._count = count
        return zeros

    def rest(self) -> None:
        """Let the system move what is not used out of memory."""
        self._memory.rest()

    def buffer_info(self) -> tuple[int, int]:
        """Give the address and how many numbers there are, until more are added."""
        return self._memory.address, self._count

    def __len__(self) -> int:
        """Count the numbers."""
        return self._count

    @overload
    def __getitem__(self, at: int) -> int: ...

    @overload
    def __getitem__(self, at: slice) -> array[int]: ...

    def __getitem__(self, at: int | slice) -> int | array[int]:
        """Read a number, or copy neighbouring ones."""
        if isinstance(at, slice):
            begin, end, _ = at.indices(self._count)
            return self._read(begin, max(begin, end))
        if not -self._count <= at < self._count:
            raise IndexError(at)
        return self._read(at % self._count, at % self._count + 1)[0]

    def __iter__(self) -> Iterator[int]:
        """Read all numbers in their order."""
        for begin in range(0, self._count, _AT_ONCE):
            yield from self._read(begin, min(begin + _AT_ONCE, self._count))

    def _read(self, begin: int, end: int) -> array[int]:
        numbers = array(self.typecode)
        numbers.frombytes(self._memory.read(begin * self.itemsize, (end - begin) * self.itemsize))
        return numbers


Numbers: TypeAlias = "array[int] | FiledNumbers"


def file_numbers(numbers: Numbers, folder: Path) -> FiledNumbers:
    """Move numbers to a file."""
    return numbers if isinstance(numbers, FiledNumbers) else FiledNumbers(numbers.typecode, folder, numbers)


def make_zeros(beside: Numbers, count: int) -> Numbers:
    """Make so many zeros, in a file if other numbers lie in one."""
    return beside.make_zeros(count) if isinstance(beside, FiledNumbers) else array("I", bytes(4)) * count


def reserve(numbers: Numbers, more: int) -> None:
    """Take the room for so many more, where it may be missing later."""
    if isinstance(numbers, FiledNumbers):
        numbers.reserve(more)


def rest(numbers: Numbers) -> None:
    """Let the system move what is not used out of memory, where it can."""
    if isinstance(numbers, FiledNumbers):
        numbers.rest()
