"""What this program keeps for itself is sealed: a keyed digest says that the same user wrote it.

The key is a file that only the user can read, made when it is first needed: the one that ``NOMADSPEC_KEY``
names, else one among the user's settings, else, where there is no place for settings, one beside what is
sealed. Whoever can write a file of compiled code or a checkpoint, but cannot read the key, changes nothing.
"""

from __future__ import annotations

import hmac
import os
import secrets
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Final, Protocol

KEY_VARIABLE: Final = "NOMADSPEC_KEY"
SEAL_BYTES: Final = 32
_KEY_BYTES: Final = 32
_KEY_NAME: Final = ".nomadspec-key"
_ONLY_ME: Final = 0o600
_OTHERS: Final = stat.S_IRWXG | stat.S_IRWXO
_OTHERS_WRITE: Final = stat.S_IWGRP | stat.S_IWOTH
_READ: Final = os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
_MAKE: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | os.O_NOFOLLOW


class Seal(Protocol):
    """A keyed digest under way."""

    def update(self, content: bytes, /) -> object:
        """Add some content."""
        ...

    def digest(self) -> bytes:
        """Give the digest of all content."""
        ...


def begin_seal(key: bytes, purpose: str) -> Seal:
    """Begin a digest that only who has the key can make; what is sealed for one purpose fits no other."""
    return hmac.new(key, f"{purpose}\0".encode(), sha256)


def is_same_seal(one: bytes, other: bytes) -> bool:
    """True if two seals are equal; the time does not tell how much of them agrees."""
    return hmac.compare_digest(one, other)


def find_key(beside: Path) -> bytes | None:
    """Find the key to seal with, or make one; None where no place keeps one."""
    return next((key for key in _each(beside, _read_or_make) if key), None)


def list_keys(beside: Path) -> list[bytes]:
    """List the keys that a seal may have been made with."""
    return [key for key in _each(beside, _read) if key]


def make_folder(folder: Path) -> None:
    """Make a folder, and those around it that are missing, so that nobody else can write any of them."""
    for missing in reversed([one for one in (folder, *folder.parents) if not one.exists()]):
        missing.mkdir(mode=0o700, exist_ok=True)


def is_only_mine(folder: Path) -> bool:
    """True if a folder is the user's, and nobody else can write it; where not, a warning says so once."""
    try:
        found = folder.stat()
    except OSError:
        return False
    if not stat.S_ISDIR(found.st_mode):
        return False
    return _is_trusted(folder, found, _OTHERS_WRITE, "written")


def read_mine(path: Path, others: int = _OTHERS_WRITE) -> bytes | None:
    """Read a file that is the user's and that nobody else can write; None where it is not, or not there."""
    try:
        number = os.open(path, _READ)
    except OSError:
        return None
    found = os.fstat(number)
    does = "read" if others & stat.S_IRUSR >> 3 else "written"
    if not stat.S_ISREG(found.st_mode) or not _is_trusted(path, found, others, does):
        os.close(number)
        return None
    with suppress(OSError), os.fdopen(number, "rb") as file:
        return file.read()
    return None


def find_own_folder(variable: str, usual: str) -> Path | None:
    """Find where the user has files of a kind; a variable counts only with a whole path, as XDG says."""
    chosen = Path(os.environ.get(variable, ""))
    if chosen.is_absolute():
        return chosen / "nomadspec"
    with suppress(RuntimeError):  # nobody's home
        return Path.home() / usual / "nomadspec"
    return None


def _is_trusted(path: Path, found: os.stat_result, others: int, does: str) -> bool:
    if found.st_uid != os.geteuid():
        _say_once(f"{path} belongs to another user, so it is not used.")
        return False
    if found.st_mode & others:
        _say_once(f"{path} can be {does} by others, so it is not used: `chmod go-rwx` makes it yours alone.")
        return False
    return True


_said: Final[set[str]] = set()


def _say_once(sentence: str) -> None:
    if sentence not in _said:
        _said.add(sentence)
        with suppress(OSError):
            sys.stderr.write(f"nomadspec: {sentence}\n")
            sys.stderr.flush()


def _each(beside: Path, find: Callable[[Path], bytes | None]) -> Iterator[bytes | None]:
    chosen = os.environ.get(KEY_VARIABLE)
    if chosen:
        yield find(Path(chosen))
        return
    settings = find_own_folder("XDG_CONFIG_HOME", ".config")
    if settings is not None:
        yield find(settings / "key")
    yield find(beside / _KEY_NAME)


def _read(path: Path) -> bytes | None:
    key = read_mine(path, _OTHERS)
    return key if key is not None and len(key) >= _KEY_BYTES else None


def _read_or_make(path: Path) -> bytes | None:
    """Make a key where there is none; of several processes at once that do so, one prevails."""
    if not os.path.lexists(path):
        part = path.with_name(f"{path.name}.{os.getpid()}")
        with suppress(OSError):
            make_folder(path.parent)
            part.unlink(missing_ok=True)
            number = os.open(part, _MAKE, _ONLY_ME)
            with os.fdopen(number, "wb") as file:
                file.write(secrets.token_bytes(_KEY_BYTES))
                file.flush()
                os.fsync(number)
            with suppress(FileExistsError):
                path.hardlink_to(part)
        with suppress(OSError):
            part.unlink(missing_ok=True)
    return _read(path)
