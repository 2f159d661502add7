"""Files that are there whole or not at all: they are written beside their name and renamed.

Whoever is killed meanwhile, or finds the disk full, leaves what was there before.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Final

PART: Final = ".part"
"""Ends the name of a file that is not whole yet."""

_NEW: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | getattr(os, "O_NOFOLLOW", 0)
_FOR_ALL: Final = 0o644
"""Nobody else may ever write, whatever the umask allows."""
FOR_ME: Final = 0o600
"""Nobody else may read either."""


def write_whole(path: Path, content: bytes, mode: int = _FOR_ALL) -> None:
    """Write a file; what is no file, such as a terminal or a pipe that is read, is written as it is."""
    if path.exists() and not path.is_file():
        _write_through(path, content)
    else:
        replace_whole(path, lambda file: file.write(content), mode, f".{os.getpid()}{PART}")


def put_whole(path: Path, content: bytes, mode: int = _FOR_ALL) -> None:
    """Put a file in the place of whatever has its name: a link or a pipe is gone, and not written through."""
    _replace(path, lambda file: file.write(content), mode, f".{os.getpid()}{PART}")


def _write_through(path: Path, content: bytes) -> None:
    """Write into something; a pipe that nobody reads is refused, for no signal would end the waiting."""
    number = os.open(path, os.O_WRONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    os.set_blocking(number, True)
    with os.fdopen(number, "wb") as file:
        file.write(content)


def replace_whole(
    path: Path, write: Callable[[IO[bytes]], object], mode: int = _FOR_ALL, part_end: str = PART
) -> None:
    """Let somebody write a file, and put it where it belongs: through a link, in the place that it names.

    Folders that are not there yet are made. Where nothing keeps others from writing the same file, the part
    needs an end of its own.
    """
    place = Path(os.path.realpath(path))
    make_folder(place)
    _replace(place, write, mode, part_end)


def make_folder(path: Path) -> None:
    """Make the folder of a file, where nothing is there; what is no folder is told by whoever writes."""
    if not path.parent.exists():
        path.parent.mkdir(parents=True, exist_ok=True)


def _replace(place: Path, write: Callable[[IO[bytes]], object], mode: int, part_end: str) -> None:
    part = place.parent / (place.name + part_end)
    try:
        with open_new(part, mode) as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
        part.replace(place)
        _keep_name(place.parent)
    except OSError as problem:
        problem.filename = problem.filename or str(place)  # writing does not say where
        with suppress(OSError):
            part.unlink(missing_ok=True)
        raise


@contextmanager
def open_new(path: Path, mode: int) -> Iterator[IO[bytes]]:
    """Open a file that is nobody else's: one that somebody left or put there is removed, not written."""
    path.unlink(missing_ok=True)
    number = os.open(path, _NEW, mode)
    with os.fdopen(number, "wb") as file:
        yield file


def _keep_name(folder: Path) -> None:
    """Let the new name outlast a loss of power, where folders can be told to."""
    with suppress(OSError):
        number = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
        try:
            os.fsync(number)
        finally:
            os.close(number)
