"""Files that are read to their end: a pipe or a device may never have one, and a file may be too large.

What is opened is looked at once it is open, so that nobody can put something else there in between.
"""

from __future__ import annotations

import errno
import io
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from nomadspec.model.errors import UnreadableError

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

MOST_BYTES: Final = 16 << 20
"""No text that somebody writes by hand has more."""
_OPEN: Final = os.O_RDONLY | os.O_CLOEXEC | getattr(os, "O_NONBLOCK", 0)
"""Opening a pipe does not wait for somebody to write into it."""
_CHUNK: Final = 1 << 16


class _Unwaiting(io.FileIO):
    """A file that may call itself ordinary and yet wait for what it gives, as the log of a kernel does."""

    def __init__(self, number: int, path: Path) -> None:
        super().__init__(number, "rb")
        self._path = path

    def readinto(self, buffer: WriteableBuffer, /) -> int:
        count: int | None = super().readinto(buffer)
        if count is None:
            problem = "it has nothing to give for now, so that it may never end"
            raise UnreadableError(str(self._path), problem, hint="write what it gives to a file first")
        return count

    def readall(self) -> bytes:
        whole = bytearray()
        part = bytearray(_CHUNK)
        while count := self.readinto(part):
            whole += part[:count]
        return bytes(whole)


def open_ordinary(path: Path) -> io.BufferedReader:
    """Open a file; what may never end is refused, or as soon as it would have to be waited for."""
    with _expecting_a_name(path):
        number = os.open(path, _OPEN)
    try:
        demand_ordinary(path, os.fstat(number))
    except BaseException:  # whatever it is goes on; only the open file must not be left behind
        os.close(number)
        raise
    return io.BufferedReader(_Unwaiting(number, path), _CHUNK)


def look_at(path: Path) -> os.stat_result:
    """Ask the system about a file."""
    with _expecting_a_name(path):
        return path.stat()


@contextmanager
def _expecting_a_name(path: Path) -> Iterator[None]:
    """Refuse a name that no file can have, as one with a zero byte, as the system refuses others."""
    try:
        yield
    except ValueError:
        raise OSError(errno.EINVAL, "no file has such a name", str(path)) from None


def demand_ordinary(path: Path, about: os.stat_result) -> None:
    """Refuse pipes and devices in a sentence, and folders as the system does."""
    if stat.S_ISDIR(about.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if not stat.S_ISREG(about.st_mode):
        problem = "it is no ordinary file, so that it may never end"
        raise UnreadableError(str(path), problem, hint="write what it gives to a file first")


def is_file(path: Path) -> bool:
    """True if there is a file of this name, which may be one that no system allows."""
    try:
        return path.is_file()
    except (OSError, ValueError):  # the name is too long, has a zero byte, or leads in a circle
        return False


def read_whole(path: Path, most_bytes: int = MOST_BYTES) -> bytes:
    """Read a file to its end; one that says that it is too long is not begun."""
    with open_ordinary(path) as file:
        is_long = os.fstat(file.fileno()).st_size > most_bytes
        content = b"" if is_long else file.read(most_bytes + 1)
    if is_long or len(content) > most_bytes:
        raise UnreadableError(
            str(path), f"it is longer than {most_bytes >> 20} MiB", hint="name a smaller file"
        )
    return content


def read_text(path: Path, most_bytes: int = MOST_BYTES) -> str:
    """Read a text in UTF-8 with the line ends of any system."""
    return read_whole(path, most_bytes).decode().replace("\r\n", "\n").replace("\r", "\n")
