"""Holds the recordings of files and folders against the kernel."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from nomadspec.checkers.oracle.check import judge_line, reader_beside
from nomadspec.checkers.oracle.context import Context
from nomadspec.checkers.oracle.judgement import Ruling
from nomadspec.checkers.oracle.reading import Line, read_lines, stem_of
from nomadspec.checkers.oracle.refinement.report import Refinement, Step
from nomadspec.checkers.oracle.registry import Kind, find_kind
from nomadspec.checkers.progress import Progress, Silence
from nomadspec.model.errors import InputError

Refiner = Callable[[Mapping[str, Any], Context], Iterator[Step]]
"""Lists the steps of a recording, each with what the kernel says of it."""

REFINED: Final = ("blocked/sequences", "broker/sequences", "plan-applier/plans", "state-store/sequences")
"""The kinds of recordings whose components the kernel has."""

_PACKAGE: Final = "nomadspec.checkers.oracle.refinement"
_PATTERNS: Final = ("*.ndjson", "*.ndjson.gz", "*.ndjson.xz")


def find_refiner(kind: Kind) -> Refiner:
    """Find who holds recordings of a kind against the kernel."""
    refiner: Refiner = import_module(f"{_PACKAGE}.{kind.family.replace('-', '_')}").refine
    return refiner


def refine_paths(
    paths: Iterable[Path], asked: Kind | None = None, progress: Progress | None = None
) -> Mapping[str, Refinement]:
    """Hold all recordings against the kernel that are of a kind which it has, file by file."""
    found: dict[str, Refinement] = {}
    heard = progress or Silence()
    for path in paths:
        for file in _list_files(path):
            kind = asked or find_kind(file.absolute().parent.name, stem_of(file))
            if kind is not None and kind.name in REFINED:
                told = found[str(file)] = Refinement()
                for number, line in enumerate(read_lines(file), start=1):
                    _refine(kind, line, told)
                    heard.update(f"refine {kind.name}", number)
    if not found:
        raise InputError(
            ", ".join(map(str, paths)),
            "there is no recording of a component that the kernel has",
            hint=f"these are {', '.join(REFINED)}",
        )
    return found


def refine_line(kind: Kind, line: Line) -> Iterator[Step]:
    """Hold one recording against the kernel."""
    return find_refiner(kind)(line.document, _context_of(line))


def _refine(kind: Kind, line: Line, told: Refinement) -> None:
    """What the model rejects says nothing of the kernel."""
    if judge_line(kind, line, _context_of(line)).ruling is Ruling.ACCEPTED:
        told.add(line.id, refine_line(kind, line))
    else:
        told.outside["a recording that is not accepted"] += 1


def _context_of(line: Line) -> Context:
    return Context(read_sibling=reader_beside(Path(line.file)))


def _list_files(path: Path) -> list[Path]:
    if not path.exists():
        raise InputError(str(path), "there is no such file or folder")
    if path.is_file():
        return [path]
    return sorted(file for pattern in _PATTERNS for file in path.rglob(pattern))
