"""What was tried before: a file with a line for each mutant in each search, from which a run goes on.

The first line says which text the lines are about. A ledger of another text is refused, since what a mutant
did to another model says nothing.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TextIO

from xxhash import xxh3_128

from nomadspec.checkers.mutants.scene import Difference, Effect
from nomadspec.model.errors import InputError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from nomadspec.checkers.manifest import Published
    from nomadspec.checkers.mutants.parts import Part

SCHEMA: Final = "nomadspec/mutants-ledger/1"

Key = tuple[str, str]
"""The name of a mutant, and the title of what it was tried on."""


class Ledger:
    """Remembers differences; with no file it forgets them at the end."""

    def __init__(self, path: Path | None, identity: str) -> None:
        """Take the file that was asked for, and read what is in it."""
        self._known: dict[Key, Difference] = {}
        self._file: TextIO | None = None
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
            self._file.close()

    def _read(self, path: Path, identity: str) -> None:
        if not path.exists():
            return
        lines = _read_whole_lines(path)
        head = _parse(path, 1, lines[0]) if lines else {}
        if head.get("schema") != SCHEMA:
            raise InputError(str(path), "it is no ledger of mutants", at="line 1", hint="name another file")
        if head.get("identity") != identity:
            raise UsageError(f"{path} is about another text of the model: remove it, or name another file.")
        for number, line in enumerate(lines[1:], 2):
            entry = _parse(path, number, line)
            key = (str(entry.get("mutant")), str(entry.get("search")))
            effect = Effect(entry["effect"]) if entry.get("effect") in set(Effect) else None
            if effect is None:
                raise InputError(str(path), "it names no effect", at=f"line {number}", hint="remove the line")
            self._known[key] = Difference(effect, frozenset(map(str, entry.get("names", []))))

    def _open(self, path: Path, identity: str) -> None:
        try:
            is_new = not path.exists()
            self._file = path.open("a", encoding="utf-8")
        except OSError as problem:
            raise UsageError(f"The ledger {path} cannot be written ({problem.strerror}).") from problem
        if is_new:
            self._write({"schema": SCHEMA, "identity": identity})

    def _write(self, entry: dict[str, object]) -> None:
        if self._file is not None:
            self._file.write(json.dumps(entry) + "\n")
            self._file.flush()


def _read_whole_lines(path: Path) -> list[str]:
    """Read a file; a last line that was not finished is removed: the run ended while it was written."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as problem:
        raise InputError(str(path), f"it cannot be read: {problem}") from problem
    whole = text[: text.rfind("\n") + 1]
    if whole != text and whole:
        path.write_text(whole, encoding="utf-8")
    return (whole or text).splitlines()


def _parse(path: Path, number: int, line: str) -> dict[str, Any]:
    try:
        found = json.loads(line)
    except json.JSONDecodeError as problem:
        raise InputError(str(path), f"it is not JSON: {problem.msg}", at=f"line {number}") from problem
    except (RecursionError, ValueError) as problem:  # too deep, or a number that is too long
        raise InputError(str(path), "it is no ledger of mutants", at=f"line {number}") from problem
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
