"""Questions from recordings, and wrong answers kept as recordings."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from pathlib import Path

from nomadspec.checkers.atomic_files import write_whole
from nomadspec.checkers.conform.calls import SCHEDULER, take_call_question
from nomadspec.checkers.conform.conversation import Row, Score
from nomadspec.checkers.conform.judging import Question, Terms, compute_expected
from nomadspec.checkers.conform.made_questions import MADE_KINDS, Coverage
from nomadspec.checkers.conform.protocol import KINDS
from nomadspec.checkers.conform.question_and_answer import take_question
from nomadspec.checkers.conform.rules_asked import note_rules
from nomadspec.checkers.escaping import write_json
from nomadspec.checkers.oracle.check import is_trace, list_trace_parts
from nomadspec.checkers.oracle.folder_walk import holds_recordings, walk
from nomadspec.checkers.oracle.judgement import Undecided, Unsupported
from nomadspec.checkers.oracle.limits import Limits
from nomadspec.checkers.oracle.reading import Line, scan_lines, stem_of
from nomadspec.checkers.oracle.registry import Kind, find_kind, find_kind_by_format
from nomadspec.checkers.report.judging import plain
from nomadspec.model.errors import InputError, UnknownNameError, UnreadableError


def list_recorded(
    paths: Iterable[Path],
    kinds: Sequence[str],
    terms: Terms,
    score: Score,
    coverage: Coverage,
    *,
    named: Container[str] = KINDS,
) -> Iterator[Question | InputError]:
    """List the questions of files and folders, of some kinds; what cannot be read is told in its place.

    Kinds that a program does not name are listed, and ask no rule.
    """
    for path in paths:
        if not path.exists():
            yield UnreadableError(str(path), "there is no such file or folder")
        for file in _list_files(path, terms.limits):
            if isinstance(file, InputError):
                yield file
                continue
            for question in _list_of_file(file, kinds, terms.limits, score):
                if isinstance(question, InputError) or question.kind.name not in named:
                    yield question
                else:
                    yield _measure(question, terms, coverage)


def _list_files(root: Path, limits: Limits) -> Iterator[Path | InputError]:
    """List the files of recordings in a folder; what is the recording of a cluster asks nothing."""
    if root.exists() and not root.is_dir():
        yield root
        return
    try:
        for found in walk(root, limits, lambda folder: is_trace(folder) or bool(list_trace_parts(folder))):
            if isinstance(found, InputError) or (
                isinstance(found, Path) and holds_recordings(found) and found.is_file()
            ):
                yield found
    except InputError as error:
        yield error


def _list_of_file(
    path: Path, kinds: Sequence[str], limits: Limits, score: Score
) -> Iterator[Question | InputError]:
    by_path = find_kind(path.absolute().parent.name, stem_of(path))
    if by_path is not None and by_path.name not in kinds:
        return
    for line in scan_lines(path, limits):
        if isinstance(line, InputError):
            yield line
            continue
        kind = by_path or find_kind_by_format(line.document)
        if kind is None:
            yield UnreadableError(str(path), "neither the path nor a `format` tells what it asks")
            return
        if kind.name not in kinds:
            continue
        question = take(kind, line)
        if question is None:
            score.passed_over += 1
        else:
            yield question


def _measure(question: Question, terms: Terms, coverage: Coverage) -> Question | InputError:
    """Note which rules a question asks; what the model cannot read is no question."""
    with note_rules() as rules:
        try:
            compute_expected(question, terms)
        except (Undecided, Unsupported):
            return question
        except InputError as error:
            at = ", ".join(filter(None, (question.id, error.at)))
            return UnreadableError(question.source, error.problem, at=at)
    coverage.add(question.kind.family, rules)
    return question


def take(kind: Kind, line: Line) -> Question | None:
    """Take the question out of a recording; None where it cannot be asked without its choices."""
    if kind.family == SCHEDULER:
        asked = take_call_question(line.document)
        return None if asked is None else Question(line.id, kind, asked, line.file)
    return Question(line.id, kind, take_question(kind.name, line.document), line.file)


def keep(row: Row, folder: Path) -> Path | None:
    """Keep a wrong answer as a recording that `vectors check` rejects; None where there is no answer."""
    if row.judged is None or not row.judged.recording:
        return None
    kind = row.question.kind
    file = folder / kind.family / f"{kind.kind or 'calls'}.ndjson"
    return _append(file, write_json(plain(row.judged.recording)))


def _append(file: Path, line: str) -> Path:
    """Put a line behind what a file holds, so that a run that is stopped leaves whole lines."""
    file.parent.mkdir(parents=True, exist_ok=True)
    before = file.read_text(encoding="utf-8") if file.exists() else ""
    write_whole(file, f"{before}{line}\n".encode())
    return file


def find_kinds(names: Sequence[str], *, is_made: bool) -> tuple[str, ...]:
    """Find the kinds that are meant by names of kinds and families; without any all are."""
    known = MADE_KINDS if is_made else KINDS
    families = {kind.partition("/")[0] for kind in known}
    for name in names:
        if name not in known and name not in families:
            raise UnknownNameError("family of questions", name, sorted({*known, *families}))
    return tuple(kind for kind in known if not names or kind in names or kind.partition("/")[0] in names)
