"""When a search is written to its checkpoint, and when that is removed."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from nomadspec.checkers.explore.checkpoint import check_free, count_worlds, read_checkpoint, write_checkpoint
from nomadspec.checkers.explore.lock import Lock
from nomadspec.checkers.explore.search_digest import compute_identity
from nomadspec.model.errors import UsageError

if TYPE_CHECKING:
    from types import TracebackType
    from typing import Self

    from nomadspec.checkers.explore.search_state import Explored
    from nomadspec.checkers.explore.task import Task

SECONDS_BETWEEN = 30.0
"""How long a search goes on between two checkpoints, at least."""

MOST_SHARE = 20
"""Writing takes at most about one part in so many of the time."""


@dataclass(frozen=True, slots=True)
class Kept:
    """What is left of a search on disk."""

    path: str | None = None
    problem: str | None = None
    """Why it is less than the search found, if it is."""


class Keeper:
    """Keeps a search in a file; with no file it keeps nothing."""

    def __init__(self, path: Path | str | None, task: Task) -> None:
        """Take the file that was asked for."""
        self._path = None if path is None else Path(path)
        place = None if path is None else Path(os.path.realpath(path))
        self._task = task
        self._identity = "" if path is None else compute_identity(task)
        self._written_at = time.monotonic()
        self._due = self._written_at + SECONDS_BETWEEN
        self._problem: OSError | None = None
        self._is_resumed = False
        self._worlds = 0
        """How many worlds the file holds."""
        self._lock = None if place is None else Lock(place)
        self._missing = [] if place is None else [one for one in place.parents if not os.path.lexists(one)]
        """The folders that are not there before there is a file, the innermost first."""

    def __enter__(self) -> Self:
        """See to it that no other search writes the same file."""
        if self._lock is not None and not self._lock.take():
            raise UsageError(
                f"Another search writes the checkpoint {self._path}: wait for it, or choose another file."
            )
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Leave the file to others, and no folder that was made for one that is not there."""
        if self._lock is not None:
            self._lock.give_back()
        with suppress(OSError):  # what has something in it stays, and so do those around it
            for folder in self._missing:
                folder.rmdir()

    def load(self, folder: Path | None = None) -> Explored:
        """Read the search that is to be resumed, into files if a folder for them is given."""
        if self._path is None:
            raise UsageError("To resume a search, name the checkpoint that it is to be resumed from.")
        explored = read_checkpoint(self._path, self._task, self._identity, folder)
        self._is_resumed = True
        return explored

    def begin(self, explored: Explored) -> None:
        """Write at once, so that a place that cannot be written is known before there is much to lose."""
        if self._path is None:
            return
        if not self._is_resumed:
            check_free(self._path)
        self._write(self._path, explored)
        if self._problem is not None:
            reason = self._problem.strerror
            raise UsageError(f"The checkpoint {self._path} cannot be written ({reason}).")

    def keep_now_and_then(self, explored: Explored) -> None:
        """Write when it is time; a clock that went back, as on a machine that was moved, says that it is."""
        if self._path is not None and not self._written_at <= time.monotonic() < self._due:
            self._write(self._path, explored)

    def keep_last(self, explored: Explored) -> Kept:
        """Write a search that was stopped, and say where; if that fails, say what is there instead."""
        if self._path is None:
            return Kept()
        self._write(self._path, explored)
        if self._problem is None:
            return Kept(str(self._path))
        failed = f"it could not be written at the end ({self._problem.strerror})"
        if not self._path.exists():
            return Kept(None, f"{failed}, and {self._path} is gone")
        return Kept(
            str(self._path), f"{failed} and holds what was found before: {count_worlds(self._worlds)}"
        )

    def forget(self) -> None:
        """Remove the file of a search that is over."""
        if self._path is not None:
            Path(os.path.realpath(self._path)).unlink(missing_ok=True)

    def _write(self, path: Path, explored: Explored) -> None:
        """Write; a full disk does no harm later on, for the checkpoint before is still there."""
        begun = time.monotonic()
        try:
            write_checkpoint(path, self._task, self._identity, explored)
            self._problem, self._worlds = None, len(explored.worlds)
        except OSError as problem:
            self._problem = problem
        now = self._written_at = time.monotonic()
        self._due = now + max(SECONDS_BETWEEN, MOST_SHARE * (now - begun))
