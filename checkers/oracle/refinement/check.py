"""Holds the recordings of files and folders against the kernel."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from nomadspec.checkers.oracle.check import is_trace, judge_line, judge_trace, reader_beside
from nomadspec.checkers.oracle.context import Context
from nomadspec.checkers.oracle.judgement import Ruling
from nomadspec.checkers.oracle.reading import Line, read_lines, stem_of
from nomadspec.checkers.oracle.refinement.report import Refinement, Step
from nomadspec.checkers.oracle.refinement.trace import refine_folder
from nomadspec.checkers.oracle.registry import TRACE, Kind, find_kind
from nomadspec.checkers.progress import Progress, Silence
from nomadspec.model.errors import InputError

Refiner = Callable[[Mapping[str, Any], Context], Iterator[Step]]
"""Lists the steps of a recording, each with what the kernel says of it."""

REFINED: Final = ("blocked/sequences", "broker/sequences", "plan-applier/plans", "state-store/sequences")
"""The kinds of recordings whose components the kernel has."""

_NOT_ACCEPTED: Final = "a recording that is not accepted"
_PACKAGE: Final = "nomadspec.checkers.oracle.refinement"
_PATTERNS: Final = ("*.ndjson", "*.ndjson.gz", "*.ndjson.xz")


def find_refiner(kind: Kind) -> Refiner:
    """Find who holds recordings of a kind against the kernel."""
    refiner: Refiner = import_module(f"{_PACKAGE}.{kind.family.replace('-', '_')}").refine
    return refiner


def refine_paths(
    paths: Iterable[Path], asked: Kind | None = None, progress: Progress | None = None
) -> Mapping[str, Refinement]:
    """Hold all recordings against the kernel that are of a kind which it has, by file or folder."""
    found: dict[str, Refinement] = {}
    heard = progress or Silence()
    for path in paths:
        for place in _list_places(path):
            kind = (
                TRACE if place.is_dir() else asked or find_kind(place.absolute().parent.name, stem_of(place))
            )
            if kind == TRACE:
                _refine_trace(place, found.setdefault(str(place.parent), Refinement()))
            elif kind is not None and kind.name in REFINED:
                _refine_file(kind, place, found.setdefault(str(place), Refinement()))
            heard.update("refine", sum(told.agreed.total() for told in found.values()))
    if not found:
        raise InputError(
            ", ".join(map(str, paths)),
            "there is no recording of a component that the kernel has",
            hint=f"these are {', '.join(REFINED)}, and clusters",
        )
    return found


def refine_line(kind: Kind, line: Line) -> Iterator[Step]:
    """Hold one recording against the kernel."""
    return find_refiner(kind)(line.document, _context_of(line))


def _refine_file(kind: Kind, path: Path, told: Refinement) -> None:
    """Hold the recordings of a file against the kernel; what the model rejects says nothing of it."""
    for line in read_lines(path):
        if judge_line(kind, line, _context_of(line)).ruling is Ruling.ACCEPTED:
            told.add(line.id, refine_line(kind, line))
        else:
            told.outside[_NOT_ACCEPTED] += 1


def _refine_trace(folder: Path, told: Refinement) -> None:
    if judge_trace(folder, Context()).ruling is Ruling.ACCEPTED:
        told.add(folder.name, refine_folder(folder, Context()))
    else:
        told.outside[_NOT_ACCEPTED] += 1


def _context_of(line: Line) -> Context:
    return Context(read_sibling=reader_beside(Path(line.file)))


def _list_places(path: Path) -> list[Path]:
    """List the files of recordings, and the folders that are recordings of clusters."""
    if not path.exists():
        raise InputError(str(path), "there is no such file or folder")
    if path.is_file() or is_trace(path):
        return [path]
    folders = [folder for folder in path.rglob("*") if folder.is_dir() and is_trace(folder)]
    files = [file for pattern in _PATTERNS for file in path.rglob(pattern) if not is_trace(file.parent)]
    return sorted((*folders, *files))
