"""Judges the recordings of files and folders: finds what family they are of, and leaves none unanswered."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache, partial
from itertools import islice
from pathlib import Path
from typing import Final

from nomadspec.checkers.oracle.context import Context, Document
from nomadspec.checkers.oracle.folder_walk import Folder, holds_recordings, refuse_place, walk
from nomadspec.checkers.oracle.judgement import (
    Difference,
    Judgement,
    Ruling,
    Undecided,
    Unsupported,
    describe_defect,
)
from nomadspec.checkers.oracle.limits import LIMITS, Limits
from nomadspec.checkers.oracle.reading import (
    Line,
    find_file,
    read_lines,
    scan_lines,
    stem_of,
)
from nomadspec.checkers.oracle.registry import (
    TRACE,
    Kind,
    find_judge,
    find_kind,
    find_kind_by_format,
    find_trace_judge,
    list_kinds,
)
from nomadspec.checkers.oracle.time_limit import TooLongError, patience
from nomadspec.model.errors import ChoiceError, InputError, UnknownNameError, UnreadableError

MakeContext = Callable[..., Context]
"""Makes the surroundings of a recording from what reads the files beside it."""

Answer = Judgement | InputError
"""What is said of a recording, or of a file or line that cannot be read as one."""

MOST_DIFFERENCES: Final = 1000
"""Of one recording no more are told."""

_LOG: Final = "raft-log.ndjson"
_PARTS: Final = (
    "raft-state.json",
    "final.json",
    "initial.json",
    "scenario.json",
    "events.ndjson",
    "polls.ndjson",
)
"""What else the recording of a cluster may hold."""
_FEWEST_PARTS: Final = 2
"""A folder with so many of them is one, even without its log, its stream and its tables."""
_TELLING_PARTS: Final = frozenset({"events.ndjson", "raft-state.json"})
"""What nothing else is called, and what is judged by itself."""


def check_paths(paths: Iterable[Path], asked: Kind | None, make_context: MakeContext) -> Iterator[Answer]:
    """Judge all recordings of files and folders; what cannot be read is told among the answers."""
    wholes = dict.fromkeys(path if asked else _find_whole(path) for path in paths)
    for path in wholes:
        yield from _guard(path, _check_path(path, asked, make_context))


def _find_whole(path: Path) -> Path:
    """Give the folder of a cluster's recording for each of its files: a hook names those that changed."""
    folder = path.parent
    with suppress(OSError):  # no file can have this name
        if any(find_file(folder, name) == path for name in (_LOG, *_PARTS)) and (
            is_trace(folder) or is_part_of_trace(folder)
        ):
            return folder
    return path


def check_file(path: Path, asked: Kind | None, make_context: MakeContext) -> Iterator[Answer]:
    """Judge every recording of a file."""
    by_path = asked or find_kind(path.absolute().parent.name, stem_of(path))
    if by_path is not None and by_path.is_data:
        yield InputError(str(path), "recordings refer to this file, and it holds none itself")
        return
    limits = make_context().limits
    context = partial(make_context, read_sibling=reader_beside(path, limits))
    is_empty = True
    for line in scan_lines(path, limits):
        is_empty = False
        if isinstance(line, InputError):
            yield line
        elif kind := by_path or find_kind_by_format(line.document):
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
    """Judge the recording of a cluster: all differences are told, and what the model leaves out besides."""
    whole = Line(str(folder), 0, {"id": folder.name})
    found: list[Difference] = []

    def ask() -> Difference | None:
        for difference in islice(find_trace_judge()(folder, context), MOST_DIFFERENCES):
            found.append(difference)  # noqa: PERF402 -- what was found counts even if the search breaks off
        return next(iter(found), None)

    return _tell_all(judge(ask, TRACE, whole, context), found)


def _tell_all(judgement: Judgement, found: Sequence[Difference]) -> Judgement:
    """Put all that was found into a judgement: a difference counts, whatever ended the search for more.

    What the model leaves out is no difference; where it is all there is, the recording is not supported.
    """
    if found and judgement.ruling in {Ruling.UNDECIDED, Ruling.UNSUPPORTED}:
        left_out = (*judgement.gaps, judgement.reason)
        judgement = replace(judgement, ruling=Ruling.REJECTED, difference=found[0], reason="", gaps=left_out)
    elif judgement.ruling is Ruling.ACCEPTED and judgement.unseen:
        reason = f"inconclusive: {'; '.join(judgement.unseen)}; nothing that is seen is impossible"
        judgement = replace(judgement, ruling=Ruling.UNDECIDED, reason=reason)
    elif judgement.ruling is Ruling.ACCEPTED and judgement.gaps:
        reason = f"the model leaves out {', '.join(judgement.gaps)}; the rest is as it should be"
        judgement = replace(judgement, ruling=Ruling.UNSUPPORTED, reason=reason)
    return replace(judgement, others=tuple(found[1:]))


def judge(ask: Callable[[], Difference | None], kind: Kind, line: Line, context: Context) -> Judgement:
    """Ask for the first difference and say what follows from the answer, unless something cannot be read.

    Whatever else goes wrong is a defect of this program, and the answer for this recording alone.
    """
    difference, reason = None, ""
    try:
        with patience(context.limits.seconds):
            difference = ask()
        ruling = Ruling.REJECTED if difference else Ruling.ACCEPTED
    except Unsupported as answer:
        ruling, reason = Ruling.UNSUPPORTED, answer.reason
    except Undecided as answer:
        ruling, reason = Ruling.UNDECIDED, answer.reason
    except TooLongError as error:
        ruling, reason = Ruling.UNDECIDED, str(error)
    except ChoiceError as error:  # what was chosen was not open to the model
        ruling, reason = Ruling.REJECTED, str(error)
        difference = Difference(error.at, None, None, "")
    except UnreadableError:
        raise
    except InputError as error:  # what no server writes is no recording of one
        raise _place(error, line) from error
    except Exception as error:  # noqa: BLE001 -- the guard of one recording: the others must be judged
        ruling, reason = Ruling.DEFECT, describe_defect(error)
    return Judgement(
        file=line.file,
        family=kind.family,
        id=line.id,
        ruling=ruling,
        difference=difference,
        reason=reason,
        gaps=tuple(context.gaps),
        unseen=tuple(context.unseen),
        notes=tuple(context.notes),
        forgiven=dict(context.forgiven),
        defects=dict(context.defects),
        shares=dict(context.shares),
    )


def _place(error: InputError, line: Line) -> UnreadableError:
    """Say where in a file that stands which a judge could not read."""
    if Path(error.file).is_absolute() or error.file.startswith(line.file):
        return UnreadableError(error.file, error.problem, at=error.at, hint=error.hint)
    named = "" if error.file in {"", line.id, "the recording"} else error.file
    where = ".".join(filter(None, (named, error.at)))
    number = f"line {line.number}" if line.number else ""
    return UnreadableError(
        line.file, error.problem, at=", ".join(filter(None, (number, where))), hint=error.hint
    )


def find_differences(kind: Kind, line: Line, context: Context) -> Iterator[Difference]:
    """Find where a recording and the model differ, in order."""
    yield from find_judge(kind)(line.document, context)


def find_line(
    path: Path, name: str, asked: Kind | None, make_context: MakeContext
) -> tuple[Kind, Line, Context]:
    """Find the recording of a name in a file, with its kind and its surroundings."""
    known: list[str] = []
    limits = make_context().limits
    for line in read_lines(path, limits):
        if line.id == name:
            kind = (
                asked
                or find_kind(path.absolute().parent.name, stem_of(path))
                or find_kind_by_format(line.document)
            )
            if kind is None:
                raise _say_unknown(path)
            return kind, line, make_context(read_sibling=reader_beside(path, limits))
        known.append(line.id)
    raise UnknownNameError("recording", name, known)


def reader_beside(path: Path, limits: Limits = LIMITS) -> Callable[[str], tuple[Document, ...]]:
    """Give what reads the other files of a folder by their bare names, each once."""

    @cache
    def read(name: str) -> tuple[Document, ...]:
        found = find_file(path.parent, f"{name}.ndjson")
        if found is None:
            missing = str(path.parent / f"{name}.ndjson")
            raise UnreadableError(
                missing, f"the recordings of {path.name} refer to this file, and it is not there"
            )
        return tuple(line.document for line in read_lines(found, limits))

    return read


def is_trace(folder: Path) -> bool:
    """True if a folder holds the recording of a cluster with its log."""
    return find_file(folder, _LOG) is not None


def is_part_of_trace(folder: Path) -> bool:
    """True if a folder holds something of the recording of a cluster, even without its log."""
    parts = list_trace_parts(folder)
    return not _TELLING_PARTS.isdisjoint(parts) or len(parts) >= _FEWEST_PARTS


def list_trace_parts(folder: Path) -> tuple[str, ...]:
    """List what a folder holds of the recording of a cluster beside the log."""
    return tuple(name for name in _PARTS if find_file(folder, name) is not None)


def _attempt(ask: Callable[[], Judgement]) -> Answer:
    try:
        return ask()
    except UnreadableError as error:
        return error


def _guard(path: Path, answers: Iterator[Answer]) -> Iterator[Answer]:
    """Let what goes wrong with a file or folder end the answers about it, and nothing else."""
    try:
        yield from answers
    except InputError as error:
        yield error
    except OSError as error:
        yield refuse_place(error, path)
    except Exception as error:  # noqa: BLE001 -- the guard of one path: the others must be judged
        yield Judgement(str(path), "", path.name, Ruling.DEFECT, reason=describe_defect(error))


def _check_path(path: Path, asked: Kind | None, make_context: MakeContext) -> Iterator[Answer]:
    if not path.exists():
        yield InputError(str(path), "there is no such file or folder")
    elif path.is_dir():
        yield from _check_folder(path, asked, make_context)
    else:
        yield from check_file(path, asked, make_context)


def _check_folder(root: Path, asked: Kind | None, make_context: MakeContext) -> Iterator[Answer]:
    """Judge a folder and those in it."""
    parts: set[Path] = set()
    for found in walk(root, make_context().limits, is_trace):
        if isinstance(found, Folder):
            if is_part_of_trace(found.path):
                parts.add(found.path)
                yield _attempt(partial(judge_trace, found.path, make_context()))
            elif not any(each.is_dir() or _is_judged(each, asked) for each in found.inside):
                yield _say_empty(found.path)
        elif isinstance(found, UnreadableError):
            yield found
        elif found.is_dir():
            yield _attempt(partial(judge_trace, found, make_context()))
        elif _is_judged(found, asked) and (asked or found.parent not in parts):
            yield from _guard(found, check_file(found, asked, make_context))


def _is_judged(path: Path, asked: Kind | None) -> bool:
    kind = asked or find_kind(path.absolute().parent.name, stem_of(path))
    return holds_recordings(path) and not (kind is not None and kind.is_data)


def _say_empty(folder: Path) -> InputError:
    """Make the error of a folder with nothing to judge, which names what is missing of a recording."""
    parts = list_trace_parts(folder)
    if not parts:
        return InputError(str(folder), "there are no recordings in this folder")
    return InputError(
        str(folder),
        f"of the recording of a cluster there is only {', '.join(parts)}",
        hint=f"put {_LOG} beside it for a full judgement, or {', '.join(sorted(_TELLING_PARTS))}",
    )


def _say_unknown(path: Path) -> InputError:
    return InputError(
        str(path),
        "neither the path nor a `format` tells what family these recordings are of",
        hint=f"say it with --family: {', '.join(list_kinds())}",
    )
