"""What an exhaustive search of each published scope must find, read from ``manifest.toml`` beside this file.

The counts are promises: they change only when a model changes on purpose. Scopes that must fail are listed as
well, because they show that the checkers still find what they are there to find.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields
from enum import IntEnum
from functools import cache
from pathlib import Path
from typing import Final

from nomadspec.model.errors import InputError
from nomadspec.model.specification.profiles import INTENDED

MANIFEST_PATH: Final = Path(__file__).with_name("manifest.toml")

_ENTRY: Final = "[[scope]]\n"
_VERDICTS: Final = ("holds", "violated")
_KINDS: Final = {
    "str": (str, "a text"),
    "int": (int, "a number"),
    "int | None": (int, "a number"),
    "float": (float, "a number of seconds such as 1.5"),
    "str | None": (str, "a text"),
    "tuple[str, ...]": (tuple, "a list of texts"),
}


class Effort(IntEnum):
    """How much work a run may do; a larger one includes the smaller."""

    FAST = 0
    CI = 1
    DEEP = 2


@dataclass(frozen=True, slots=True)
class Published:
    """One published search and what it must find."""

    model: str
    scope: str
    profile: str
    reduction: str
    verdict: str
    seconds: float
    """How many seconds of a processor it took where it was measured last, compiled code cached."""
    effort: str
    """The least effort at which ``verify`` runs it."""
    distinct: int | None = None
    generated: int | None = None
    depth: int | None = None
    violates: str | None = None
    """What must be found violated; None where all must hold."""
    steps: int | None = None
    """The length of the shortest story that shows it."""
    known: tuple[str, ...] = ()
    """The IDs of the known findings that must be found again; everything else must hold."""

    @property
    def is_failing(self) -> bool:
        """True if the search must find a violation."""
        return self.verdict == "violated"

    @property
    def least_effort(self) -> Effort:
        """The least effort at which it runs."""
        return Effort[self.effort.upper()]

    @property
    def title(self) -> str:
        """Name it in a line: ``core flip, symmetry, nomad-2.0``."""
        reduced = "" if self.reduction == "none" else f", {self.reduction}"
        return f"{self.model} {self.scope}{reduced}, {self.profile}"


@cache
def list_published() -> tuple[Published, ...]:
    """List all published searches: the manifest that comes with the package, read once."""
    return load_manifest(MANIFEST_PATH)


def load_manifest(path: Path) -> tuple[Published, ...]:
    """Read a manifest; what is wrong in it is an InputError that names the entry."""
    return _read_entries(path, _read_text(path))


def find_published(model: str, scope: str) -> tuple[Published, ...]:
    """List the published searches of a scope: of the manifest only what has both names is read, for speed."""
    entries = _read_text(MANIFEST_PATH).split(_ENTRY)[1:]
    named = [entry for entry in entries if f'"{model}"' in entry and f'"{scope}"' in entry]
    if not named:
        return ()
    found = _read_entries(MANIFEST_PATH, "".join(_ENTRY + entry for entry in named))
    return tuple(entry for entry in found if (entry.model, entry.scope) == (model, scope))


def _read_text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError as problem:
        raise InputError(str(path), f"the file cannot be read ({problem.strerror})") from problem
    except UnicodeDecodeError as problem:
        raise InputError(str(path), f"it is not TOML: {problem}") from problem


def _read_entries(path: Path, text: str) -> tuple[Published, ...]:
    try:
        entries = tomllib.loads(text).get("scope")
    except tomllib.TOMLDecodeError as problem:
        raise InputError(str(path), f"it is not TOML: {problem}") from problem
    if not isinstance(entries, list):
        raise InputError(str(path), "it lists no scopes", hint="write [[scope]] above each entry")
    published = tuple(_read_entry(str(path), number, entry) for number, entry in enumerate(entries, 1))
    _check_unique(str(path), published)
    return published


def _read_entry(path: str, number: int, entry: Mapping[str, object]) -> Published:
    at = f"scope {number}"
    declared = {part.name: part for part in fields(Published)}
    for name in entry:
        if name not in declared:
            raise InputError(path, f"{name!r} is not a field", at=at, hint=f"known are {', '.join(declared)}")
    values: dict[str, object] = {}
    for name, part in declared.items():
        kind, words = _KINDS[str(part.type)]
        if name not in entry:
            if part.default is MISSING:
                raise InputError(path, f"{name} is missing", at=at, hint=f"give it {words}")
            continue
        value = entry[name]
        value = float(value) if kind is float and type(value) is int else value
        is_list = isinstance(value, list) and all(isinstance(item, str) for item in value)
        value = tuple(value) if kind is tuple and is_list else value  # type: ignore[arg-type]  # a list, see above
        if type(value) is not kind:
            raise InputError(path, f"{name} should be {words}, not {value!r}", at=at)
        values[name] = value
    return _checked(path, at, Published(**values))  # type: ignore[arg-type]  # each was checked against its declaration


def _checked(path: str, at: str, entry: Published) -> Published:
    if entry.verdict not in _VERDICTS:
        raise InputError(path, f"verdict should be holds or violated, not {entry.verdict!r}", at=at)
    if entry.effort.upper() not in Effort.__members__:
        raise InputError(path, f"effort should be fast, ci or deep, not {entry.effort!r}", at=at)
    if entry.is_failing != (entry.violates is not None):
        raise InputError(path, "violates belongs to scopes that are violated, and to all of them", at=at)
    if entry.is_failing and entry.profile == INTENDED.name:
        raise InputError(path, f"nothing may be violated under the profile {INTENDED.name}", at=at)
    if entry.known and (entry.is_failing or entry.profile == INTENDED.name):
        raise InputError(path, "known belongs to scopes that hold but for what is known", at=at)
    if not entry.is_failing and None in {entry.distinct, entry.generated, entry.depth}:
        raise InputError(path, "a scope that holds has distinct, generated and depth", at=at)
    return entry


def _check_unique(path: str, published: tuple[Published, ...]) -> None:
    seen: set[str] = set()
    for number, entry in enumerate(published, 1):
        if entry.title in seen:
            raise InputError(path, f"{entry.title} is listed twice", at=f"scope {number}")
        seen.add(entry.title)
