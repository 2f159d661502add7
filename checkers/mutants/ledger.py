"""What was tried before: a file with a line for each mutant in each search, from which a run goes on.

The first line says which text the lines are about. A ledger of another text is refused, since what a mutant
did to another model says nothing.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TextIO

from xxhash import xxh3_128

from nomadspec.checkers.atomic_files import make_folder
from nomadspec.checkers.mutants.difference import Difference, Effect
from nomadspec.checkers.oracle.strict_json import parse_json
from nomadspec.checkers.regular_files import read_whole
from nomadspec.checkers.stopping import shielded
from nomadspec.model.errors import InputError, UnreadableError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from nomadspec.checkers.manifest import Published
    from nomadspec.checkers.mutants.parts import Part

SCHEMA: Final = "nomadspec/mutants-ledger/1"

_MOST_BYTES: Final = 256 << 20

Key = tuple[str, str]
"""The name of a mutant, and the title of what it was tried on."""


class Ledger:
    """Remembers differences; with no file it forgets them at the end."""

    def __init__(self, path: Path | None, identity: str) -> None:
        """Take the file that was asked for, and read what is in it."""
        self._known: dict[Key, Difference] = {}
        self._file: TextIO | None = None
        self.problem: str | None = None
        """Why nothing more was written: what was found is reported all the same."""
        if path is not None:
            if path.exists() and not path.is_file():
                raise UsageError(f"The ledger {path} is no file; name another one.")
            self._read(path, identity)
            self._open(path, identity)

    def find(self, mutant: str, search: str) -> Difference | None:
        """Find what a mutant did to a search; None where it was not tried."""
        return self._known.get((mutant, search))

    def note(self, mutant: str, search: str, difference: Difference) -> None:
        """Remember what a mutant did to a search."""
        self._known[mutant, search] = difference
        self._write(
            {
                "mutant": mutant,
                "search": search,
                "effect": difference.effect.value,
                "names": sorted(difference.names),
            }
        )

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            with suppress(OSError):  # what is left of a line that could not be written
                self._file.close()
            self._file = None

    def _read(self, path: Path, identity: str) -> None:
        if not path.exists():
            return
        lines = _read_whole_lines(path, _compute_head(identity))
        if lines is None:
            return
        head = _parse(path, 1, lines[0]) if lines else {}
        if head.get("schema") != SCHEMA:
            raise InputError(str(path), "it is no ledger of mutants", at="line 1", hint="name another file")
        if head.get("identity") != identity:
            raise UsageError(f"{path} is about another text of the model: remove it, or name another file.")
        for number, line in enumerate(lines[1:], 2):
            key, difference = _read_entry(path, number, _parse(path, number, line))
            self._known[key] = difference

    def _open(self, path: Path, identity: str) -> None:
        try:
            make_folder(path)
            is_new = not path.exists() or not path.stat().st_size
            self._file = path.open("a", encoding="utf-8")
        except OSError as problem:
            raise UsageError(f"The ledger {path} cannot be written ({problem.strerror}).") from problem
        if is_new:
            self._write(_compute_head(identity))

    def _write(self, entry: dict[str, object]) -> None:
        if self._file is not None:
            try:
                with shielded():
                    self._file.write(json.dumps(entry) + "\n")
                    self._file.flush()
            except OSError as problem:
                self.problem = f"The ledger {self._file.name} could not be written ({problem.strerror})."
                self.close()


def _compute_head(identity: str) -> dict[str, object]:
    return {"schema": SCHEMA, "identity": identity}


def _read_whole_lines(path: Path, head: dict[str, object]) -> list[str] | None:
    """Read a file; a last line that was not finished is removed: the run ended while it was written.

    None where it ended even while the first line was written, so that nothing is lost.
    """
    try:
        content = read_whole(path, _MOST_BYTES)
        text = content.decode()
    except (OSError, UnicodeDecodeError) as problem:
        raise InputError(str(path), f"it cannot be read: {problem}") from problem
    whole = content[: content.rfind(b"\n") + 1]
    is_begun = not whole and json.dumps(head).startswith(text)
    if whole != content and (whole or is_begun):
        os.truncate(path, len(whole))
    return None if is_begun else (whole.decode() or text).splitlines()


def _read_entry(path: Path, number: int, entry: dict[str, Any]) -> tuple[Key, Difference]:
    effect, names = entry.get("effect"), entry.get("names", [])
    if not isinstance(effect, str) or effect not in set(Effect):
        raise InputError(str(path), "it names no effect", at=f"line {number}", hint="remove the line")
    if not isinstance(names, list):
        raise InputError(str(path), "its names are no list", at=f"line {number}", hint="remove the line")
    key = str(entry.get("mutant")), str(entry.get("search"))
    return key, Difference(Effect(effect), frozenset(map(str, names)))


def _parse(path: Path, number: int, line: str) -> dict[str, Any]:
    try:
        found = parse_json(line, str(path), f"line {number}")
    except UnreadableError as problem:  # without its hint: this verb has no option for deeper lines
        raise InputError(
            str(path), f"it is no ledger of mutants: {problem.problem}", at=problem.at
        ) from problem
    return found if isinstance(found, dict) else {}


def compute_identity(parts: Iterable[Part], searches: Iterable[Published]) -> str:
    """Compute the digest of the texts that mutants are made of, the files beside them, and the searches."""
    known = xxh3_128()
    folders = sorted({Path(part.file).parent for part in parts})
    for path in [path for folder in folders for path in sorted(folder.glob("*.py"))]:
        known.update(path.read_bytes())
    for entry in searches:
        known.update(repr((entry.title, entry.distinct, entry.known, entry.violates)).encode())
    return known.hexdigest()
