"""A lock beside a file, so that no two searches write one checkpoint."""

from __future__ import annotations

import fcntl
import os
from typing import IO, TYPE_CHECKING, Final
from weakref import WeakSet

if TYPE_CHECKING:
    from pathlib import Path


_OPEN: Final = os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOFOLLOW
"""Whatever lies there, opening it does not wait, and makes no file elsewhere."""
_FOR_ALL: Final = 0o644


class Lock:
    """A file of its own that the system locks: when its process ends, however that is, it is free again."""

    def __init__(self, path: Path) -> None:
        """Lock what lies at a path, sooner or later."""
        self._path = path.parent / f"{path.name}.lock"
        self._file: IO[bytes] | None = None
        _LOCKS.add(self)

    def take(self) -> bool:
        """Take it, unless somebody has it; where nothing can be locked, nobody has."""
        try:
            number = os.open(self._path, _OPEN, _FOR_ALL)
        except OSError:
            return True
        file = os.fdopen(number, "wb", buffering=0)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.close()
            return False
        except OSError:
            self._file = file
            return True
        if not self._is_in_place(file):  # who had it has removed it in the meantime
            file.close()
            return False
        self._file = file
        return True

    def give_back(self) -> None:
        """Remove it, if it was taken."""
        if self._file is not None:
            self._path.unlink(missing_ok=True)
            self.leave()

    def leave(self) -> None:
        """Close it, so that this process no longer has a part in it."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def _is_in_place(self, file: IO[bytes]) -> bool:
        try:
            return os.path.samestat(os.fstat(file.fileno()), self._path.stat())
        except FileNotFoundError:
            return False


_LOCKS: WeakSet[Lock] = WeakSet()


def _leave_all() -> None:
    """Leave to the process before what a copy of it must not hold on to."""
    for lock in _LOCKS:
        lock.leave()


os.register_at_fork(after_in_child=_leave_all)
