"""Walks through folders: in order, to each folder once whatever links lead to it, and not without end."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Final

from nomadspec.checkers.oracle.limits import LIMITS, Limits, refuse_walk
from nomadspec.model.errors import UnreadableError

ENDINGS: Final = (".ndjson", ".ndjson.gz", ".ndjson.xz")
"""What the name of a file of recordings ends in."""


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder that a walk came to, and what is in it without the folders where the walk has been."""

    path: Path
    inside: tuple[Path, ...]


Found = Path | Folder | UnreadableError
"""A file, or a folder that is a recording as a whole; a folder that is entered; what cannot be looked at."""


def walk(root: Path, limits: Limits, is_whole: Callable[[Path], bool]) -> Iterator[Found]:
    """Come to a folder and to all that is in it; folders that are whole are not entered.

    It keeps no stack of calls, for folders stand inside one another deeper than Python calls.
    """
    seen: set[tuple[int, int]] = set()
    left = limits.walk
    waiting = [root]
    while waiting:
        path = waiting.pop()
        try:
            if not path.is_dir() or is_whole(path):
                yield path
                continue
            if _identify(path) in seen:
                continue
            seen.add(_identify(path))
            inside = list(islice(path.iterdir(), left + 1))
            new = tuple(each for each in sorted(inside) if not (each.is_dir() and _identify(each) in seen))
        except OSError as error:
            yield refuse_place(error, path)
            continue
        left -= len(inside)
        if left < 0:
            raise refuse_walk(str(root), limits)
        yield Folder(path, new)
        waiting.extend(reversed(new))


def _identify(folder: Path) -> tuple[int, int]:
    """Say which folder it is, whatever links lead to it: to resolve a deep path takes a look at each part."""
    found = folder.stat()
    return found.st_dev, found.st_ino


def holds_recordings(path: Path) -> bool:
    """True if a file holds recordings, by its name."""
    return path.name.endswith(ENDINGS)


def refuse_place(error: OSError, path: Path) -> UnreadableError:
    """Say why the system does not let a file or folder be read."""
    return UnreadableError(str(error.filename or path), f"it cannot be read: {error.strerror or error}")


def list_bounded(folder: Path, limits: Limits = LIMITS) -> list[Path]:
    """List what is in a folder in order, unless there is too much."""
    paths = list(islice(folder.iterdir(), limits.walk + 1))
    if len(paths) > limits.walk:
        raise refuse_walk(str(folder), limits)
    return sorted(paths)
