"""Notes on disk of which texts of this package were checked, so that none is checked twice.

A note is an empty file under the hash of what was looked at, and of all files from which it was read: whoever
changes the kernel has it looked at again. It is sealed, since whoever could write one would let texts pass
that are to be refused. One that cannot be read or written only takes time.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Final

from nomadspec import invariants, model
from nomadspec.checkers.native.build import find_cache
from nomadspec.checkers.sealed_files import read_sealed, write_sealed
from nomadspec.version import __version__

_PURPOSE: Final = "looked at"
_CLUSTER: Final = "cluster"
"""A cluster is no model of the language: no text of a model calls what is there."""


class CheckedTextsOnDisk:
    """Which texts of the package were looked at by this user, as far as a cache can be kept."""

    def has(self, what: str) -> bool:
        """True if something was looked at, and nothing was refused."""
        path = _find_path(what)
        return path is not None and read_sealed(path, _PURPOSE) is not None

    def add(self, what: str) -> None:
        """Note that something was looked at, and nothing was refused."""
        path = _find_path(what)
        if path is not None:
            write_sealed(path, _PURPOSE, b"")


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
    roots = [package.__path__[0] for package in (invariants, model)]
    return [Path(folder, name) for folder, name in sorted(pair for root in roots for pair in _walk(root))]


def _walk(root: str) -> Iterator[tuple[str, str]]:
    """List the files of Python below a folder, each with the one in which it is."""
    for folder, within, names in os.walk(root):
        if folder == root and _CLUSTER in within:
            within.remove(_CLUSTER)
        yield from ((folder, name) for name in names if name.endswith(".py"))
