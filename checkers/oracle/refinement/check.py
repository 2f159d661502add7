"""Holds the recordings of files and folders against the kernel."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from nomadspec.checkers.oracle.check import is_trace, judge_line, judge_trace, reader_beside
from nomadspec.checkers.oracle.context import Context
from nomadspec.checkers.oracle.folder_walk import holds_recordings, refuse_place, walk
from nomadspec.checkers.oracle.judgement import Judgement, Ruling, describe_defect
from nomadspec.checkers.oracle.limits import LIMITS, Limits
from nomadspec.checkers.oracle.reading import Line, demand_end, scan_lines, stem_of
from nomadspec.checkers.oracle.refinement.report import Refinement, Step
from nomadspec.checkers.oracle.refinement.trace import refine_folder
from nomadspec.checkers.oracle.registry import TRACE, Kind, find_kind
from nomadspec.checkers.oracle.time_limit import TooLongError, patience
from nomadspec.checkers.progress import Progress, Silence
from nomadspec.checkers.stopping import interruptible
from nomadspec.model.errors import InputError
from nomadspec.model.specification.profiles import NOMAD_2_0

Refiner = Callable[[Mapping[str, Any], Context], Iterator[Step]]
"""Lists the steps of a recording, each with what the kernel says of it."""

REFINED: Final = ("blocked/sequences", "broker/sequences", "plan-applier/plans", "state-store/sequences")
"""The kinds of recordings whose components the kernel has."""

_NOT_ACCEPTED: Final = "a recording that is not accepted"
_PACKAGE: Final = "nomadspec.checkers.oracle.refinement"


def find_refiner(kind: Kind) -> Refiner:
    """Find who holds recordings of a kind against the kernel."""
    refiner: Refiner = import_module(f"{_PACKAGE}.{kind.family.replace('-', '_')}").refine
    return refiner


def refine_paths(
    paths: Iterable[Path],
    asked: Kind | None = None,
    progress: Progress | None = None,
    limits: Limits = LIMITS,
) -> Mapping[str, Refinement]:
    """Hold all recordings against the kernel that are of a kind which it has, by file or folder.

    What cannot be read and what was stopped is told among the others.
    """
    found: dict[str, Refinement] = {}
    path = Path()
    try:
        with interruptible():
            for path in paths:
                _refine_path(path, asked, progress or Silence(), limits, found)
    except KeyboardInterrupt:
        found.setdefault(str(path), Refinement()).unfinished.append("it was stopped before its end")
    if not found:
        raise InputError(
            ", ".join(map(str, paths)),
            "there is no recording of a component that the kernel has",
            hint=f"these are {', '.join(REFINED)}, and clusters",
        )
    return found


def _refine_path(
    path: Path, asked: Kind | None, heard: Progress, limits: Limits, found: dict[str, Refinement]
) -> None:
    try:
        for place in _list_places(path, limits):
            if isinstance(place, InputError):
                found.setdefault(str(path), Refinement()).unreadable.append(str(place))
                continue
            kind = (
                TRACE if place.is_dir() else asked or find_kind(place.absolute().parent.name, stem_of(place))
            )
            if kind == TRACE:
                _refine_trace(place, found.setdefault(str(place.parent), Refinement()), limits)
            elif kind is not None and kind.name in REFINED:
                _refine_file(kind, place, found.setdefault(str(place), Refinement()), limits)
            heard.update("refine", sum(told.agreed.total() for told in found.values()))
    except InputError as error:
        found.setdefault(str(path), Refinement()).unreadable.append(str(error))
    except OSError as error:
        found.setdefault(str(path), Refinement()).unreadable.append(str(refuse_place(error, path)))


def refine_line(kind: Kind, line: Line, limits: Limits = LIMITS) -> Iterator[Step]:
    """Hold one recording against the kernel."""
    return find_refiner(kind)(line.document, _context_of(line, limits))


def _refine_file(kind: Kind, path: Path, told: Refinement, limits: Limits) -> None:
    """Hold the recordings of a file against the kernel; what the model rejects says nothing of it."""
    for line in scan_lines(path, limits):
        if isinstance(line, InputError):
            told.unreadable.append(str(line))
            continue
        judgement = partial(judge_line, kind, line, _context_of(line, limits))
        _refine(line.id, judgement, partial(refine_line, kind, line, limits), told, limits)


def _refine_trace(folder: Path, told: Refinement, limits: Limits) -> None:
    judging, refining = Context(NOMAD_2_0, limits=limits), Context(NOMAD_2_0, limits=limits)
    judgement = partial(judge_trace, folder, judging)
    _refine(folder.name, judgement, partial(refine_folder, folder, refining), told, limits)


def _refine(
    name: str,
    ask: Callable[[], Judgement],
    list_steps: Callable[[], Iterator[Step]],
    told: Refinement,
    limits: Limits,
) -> None:
    """Hold one recording against the kernel in a guard of its own."""
    try:
        judgement = ask()
        if judgement.ruling is Ruling.DEFECT:
            told.defects.append(f"{name}: {judgement.reason}")
        elif judgement.ruling is not Ruling.ACCEPTED:
            told.outside[_NOT_ACCEPTED] += 1
        else:
            with patience(limits.seconds):
                steps = list(list_steps())
            told.add(name, steps)
    except TooLongError as error:
        told.unfinished.append(f"{name}: {error}")
    except InputError as error:
        told.unreadable.append(str(error))
    except Exception as error:  # noqa: BLE001 -- the guard of one recording: the others must be judged
        told.defects.append(f"{name}: {describe_defect(error)}")


def _context_of(line: Line, limits: Limits) -> Context:
    return Context(NOMAD_2_0, read_sibling=reader_beside(Path(line.file), limits), limits=limits)


def _list_places(path: Path, limits: Limits) -> Iterator[Path | InputError]:
    """List the files of recordings, and the folders that are recordings of clusters."""
    if not path.exists():
        raise InputError(str(path), "there is no such file or folder")
    demand_end(path, limits)
    for found in [path] if path.is_file() else walk(path, limits, is_trace):
        if isinstance(found, InputError) or (
            isinstance(found, Path) and (found == path or found.is_dir() or holds_recordings(found))
        ):
            yield found
