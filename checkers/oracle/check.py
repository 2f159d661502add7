"""Judges the recordings of files and folders: finds what family they are of, and leaves none unanswered."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial
from pathlib import Path
from typing import Final

from nomadspec.checkers.oracle.context import Context, Document
from nomadspec.checkers.oracle.judgement import Difference, Judgement, Ruling, Undecided, Unsupported
from nomadspec.checkers.oracle.reading import Line, find_file, read_lines, scan_lines, stem_of
from nomadspec.checkers.oracle.registry import (
    FORMATS,
    TRACE,
    Kind,
    find_judge,
    find_kind,
    find_trace_judge,
    list_kinds,
)
from nomadspec.model.errors import InputError, UnknownNameError, UnreadableError

MakeContext = Callable[..., Context]
"""Makes the surroundings of a recording from what reads the files beside it."""

Answer = Judgement | InputError
"""What is said of a recording, or of a file or line that cannot be read as one."""

_PATTERNS: Final = ("*.ndjson", "*.ndjson.gz", "*.ndjson.xz")


def check_paths(
    paths: Iterable[Path], asked: Kind | None = None, make_context: MakeContext = Context
) -> Iterator[Answer]:
    """Judge all recordings of files and folders; what cannot be read is told among the answers."""
    for path in paths:
        if not path.exists():
            yield InputError(str(path), "there is no such file or folder")
        elif path.is_dir():
            yield from _check_folder(path, asked, make_context)
        else:
            yield from check_file(path, asked, make_context)


def check_file(
    path: Path, asked: Kind | None = None, make_context: MakeContext = Context
) -> Iterator[Answer]:
    """Judge every recording of a file."""
    by_path = asked or find_kind(path.absolute().parent.name, stem_of(path))
    if by_path is not None and by_path.is_data:
        yield InputError(str(path), "recordings refer to this file, and it holds none itself")
        return
    context = partial(make_context, read_sibling=reader_beside(path))
    is_empty = True
    for line in scan_lines(path):
        is_empty = False
        if isinstance(line, InputError):
            yield line
        elif kind := by_path or _kind_by_format(line):
            yield _attempt(partial(judge_line, kind, line, context()))
        else:
            yield _say_unknown(path)
            return
    if is_empty:
        yield InputError(str(path), "there is no recording in it")


def judge_line(kind: Kind, line: Line, context: Context) -> Judgement:
    """Judge one recording."""
    return judge(lambda: next(find_differences(kind, line, context), None), kind, line, context)


def judge_trace(folder: Path, context: Context) -> Judgement:
    """Judge the recording of a cluster."""
    whole = Line(str(folder), 0, {"id": folder.name})
    return judge(lambda: next(find_trace_judge()(folder, context), None), TRACE, whole, context)


def judge(ask: Callable[[], Difference | None], kind: Kind, line: Line, context: Context) -> Judgement:
    """Ask for the first difference and say what follows from the answer, unless a file cannot be read."""
    difference, reason = None, ""
    try:
        difference = ask()
        ruling = Ruling.REJECTED if difference else Ruling.ACCEPTED
    except Unsupported as answer:
        ruling, reason = Ruling.UNSUPPORTED, answer.reason
    except Undecided as answer:
        ruling, reason = Ruling.UNDECIDED, answer.reason
    except UnreadableError:
        raise
    except InputError as error:  # what no server writes is no recording of one
        ruling, reason = Ruling.REJECTED, str(error)
        difference = Difference(error.at, None, None, "")
    return Judgement(
        file=line.file,
        family=kind.family,
        id=line.id,
        ruling=ruling,
        difference=difference,
        reason=reason,
        notes=tuple(context.notes),
        forgiven=dict(context.forgiven),
    )


def find_differences(kind: Kind, line: Line, context: Context) -> Iterator[Difference]:
    """Find where a recording and the model differ, in order."""
    yield from find_judge(kind)(line.document, context)


def find_line(path: Path, name: str, asked: Kind | None = None) -> tuple[Kind, Line, Context]:
    """Find the recording of a name in a file, with its kind and its surroundings."""
    known: list[str] = []
    for line in read_lines(path):
        if line.id == name:
            kind = asked or find_kind(path.absolute().parent.name, stem_of(path)) or _kind_by_format(line)
            if kind is None:
                raise _say_unknown(path)
            return kind, line, Context(read_sibling=reader_beside(path))
        known.append(line.id)
    raise UnknownNameError("recording", name, known)


def reader_beside(path: Path) -> Callable[[str], tuple[Document, ...]]:
    """Give what reads the other files of a folder by their bare names, each once."""

    @cache
    def read(name: str) -> tuple[Document, ...]:
        found = find_file(path.parent, f"{name}.ndjson")
        if found is None:
            missing = str(path.parent / f"{name}.ndjson")
            raise UnreadableError(
                missing, f"the recordings of {path.name} refer to this file, and it is not there"
            )
        return tuple(line.document for line in read_lines(found))

    return read


def is_trace(folder: Path) -> bool:
    """Tell whether a folder holds the recording of a cluster."""
    return find_file(folder, "raft-log.ndjson") is not None


def _attempt(ask: Callable[[], Judgement]) -> Answer:
    try:
        return ask()
    except UnreadableError as error:
        return error


def _check_folder(folder: Path, asked: Kind | None, make_context: MakeContext) -> Iterator[Answer]:
    if is_trace(folder):
        yield _attempt(partial(judge_trace, folder, make_context()))
        return
    is_empty = True
    for path in sorted(folder.iterdir()):
        if path.is_dir() or _is_judged(path, asked):
            is_empty = False
            check = _check_folder if path.is_dir() else check_file
            yield from check(path, asked, make_context)
    if is_empty:
        yield InputError(str(folder), "there are no recordings in this folder")


def _is_judged(path: Path, asked: Kind | None) -> bool:
    kind = asked or find_kind(path.absolute().parent.name, stem_of(path))
    return any(path.match(pattern) for pattern in _PATTERNS) and not (kind is not None and kind.is_data)


def _kind_by_format(line: Line) -> Kind | None:
    family = FORMATS.get(str(line.document.get("format")))
    return None if family is None else find_kind(family, "")


def _say_unknown(path: Path) -> InputError:
    return InputError(
        str(path),
        "neither the path nor a `format` tells what family these recordings are of",
        hint=f"say it with --family: {', '.join(list_kinds())}",
    )
