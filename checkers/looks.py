"""Notes on disk of which texts of this package were looked at, so that none is looked at twice.

A note is an empty file under the hash of what was looked at, and of all files from which it was read: whoever
changes the kernel has it looked at again. It is sealed, since whoever could write one would let texts pass
that are to be refused. One that cannot be read or written only takes time.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Final

from nomadspec import __version__, invariants, model
from nomadspec.checkers.native.build import find_cache
from nomadspec.checkers.sealing import (
    begin_seal,
    find_key,
    is_only_mine,
    is_same_seal,
    list_keys,
    make_folder,
    read_mine,
)
from nomadspec.checkers.whole_files import FOR_ME, put_whole

_PURPOSE: Final = "looked at"
_CLUSTER: Final = "cluster"
"""A cluster is no model of the language: no text of a model calls what is there."""


class LooksOnDisk:
    """Which texts of the package were looked at by this user, as far as a cache can be kept."""

    def has(self, what: str) -> bool:
        """Tell whether something was looked at, and nothing was refused."""
        path = _find_path(what)
        seal = read_mine(path) if path is not None and is_only_mine(path.parent) else None
        if path is None or seal is None:
            return False
        return any(is_same_seal(seal, _seal(key, path)) for key in list_keys(path.parent))

    def add(self, what: str) -> None:
        """Note that something was looked at, and nothing was refused."""
        path = _find_path(what)
        if path is None:
            return
        with suppress(OSError):  # a full disk, or a folder that cannot be made: the next process looks again
            make_folder(path.parent)
            key = find_key(path.parent) if is_only_mine(path.parent) else None
            if key is not None:
                put_whole(path, _seal(key, path), FOR_ME)


def _find_path(what: str) -> Path | None:
    folder = find_cache()
    try:
        digest = compute_digest_of_texts()
    except OSError:  # some file is gone, or may not be read: nobody knows what the texts were read from
        return None
    if folder is None:
        return None
    content = f"{__version__}\n{sys.version}\n{digest}\n{what}"
    return folder / f"looked-{sha256(content.encode()).hexdigest()}"


def _seal(key: bytes, path: Path) -> bytes:
    seal = begin_seal(key, _PURPOSE)
    seal.update(path.name.encode())
    return seal.digest()


@cache
def compute_digest_of_texts() -> str:
    """Compute a digest of every file that a text of the package's models can be read from."""
    digest = sha256()
    for path in list_files_of_texts():
        digest.update(f"{path}\0".encode())
        digest.update(sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def list_files_of_texts() -> list[Path]:
    """List the files of the language, of the models and of their properties."""
    roots = [Path(package.__path__[0]) for package in (invariants, model)]
    found = ((root, path) for root in roots for path in root.rglob("*.py"))
    return sorted(path for root, path in found if path.relative_to(root).parts[0] != _CLUSTER)
