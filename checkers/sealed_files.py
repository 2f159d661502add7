"""Small files that this program keeps for itself: whole, sealed with the user's key, and bound to their name.

A file that cannot be read or written is as good as none: its content is made again.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from nomadspec.checkers.atomic_files import FOR_ME, put_whole
from nomadspec.checkers.sealing import (
    SEAL_BYTES,
    begin_seal,
    find_key,
    is_only_mine,
    is_same_seal,
    list_keys,
    make_folder,
    read_mine,
)

if TYPE_CHECKING:
    from pathlib import Path


def read_sealed(path: Path, purpose: str) -> bytes | None:
    """Read what the same user's program wrote for a purpose, under the same name and whole; else nothing."""
    found = read_mine(path) if is_only_mine(path.parent) else None
    if found is None:
        return None
    seal, content = found[:SEAL_BYTES], found[SEAL_BYTES:]
    is_ours = any(is_same_seal(seal, _seal(key, path, purpose, content)) for key in list_keys(path.parent))
    return content if is_ours else None


def write_sealed(path: Path, purpose: str, content: bytes) -> None:
    """Write beside the name and rename, so that no other process reads half a file."""
    with suppress(OSError):  # a full disk, or a folder that cannot be made: the next process makes it again
        make_folder(path.parent)
        key = find_key(path.parent) if is_only_mine(path.parent) else None
        if key is not None:
            put_whole(path, _seal(key, path, purpose, content) + content, FOR_ME)


def _seal(key: bytes, path: Path, purpose: str, content: bytes) -> bytes:
    seal = begin_seal(key, purpose)
    seal.update(path.name.encode())
    seal.update(content)
    return seal.digest()
