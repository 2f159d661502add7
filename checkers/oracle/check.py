"""Judges the recordings of files: finds what family they are of, and lets no recording go unanswered."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from nomadspec.checkers.oracle.context import Context, Document
from nomadspec.checkers.oracle.judgement import Difference, Judge, Judgement, Ruling, Undecided, Unsupported
from nomadspec.checkers.oracle.reading import Line, read_lines, stem_of
from nomadspec.checkers.oracle.registry import FORMATS, Kind, find_judge, find_kind, list_kinds
from nomadspec.model.errors import InputError


def check_file(path: Path, asked: Kind | None = None) -> Iterator[Judgement]:
    """Judge every recording of a file; a file that cannot be read raises where that shows."""
    family = path.parent.name
    for line in read_lines(path):
        kind = asked or find_kind(family, stem_of(path)) or _kind_by_format(line)
        if kind is None:
            raise InputError(
                str(path),
                "what family these recordings are of is not known from the path",
                hint=f"say it with --family, one of {', '.join(list_kinds())}",
            )
        if kind.is_data:
            return
        yield judge_line(kind, line, Context(read_sibling=_reader_beside(path)))


def judge_line(kind: Kind, line: Line, context: Context) -> Judgement:
    """Judge one recording."""
    difference, reason = None, ""
    try:
        difference = find_difference(find_judge(kind), line.document, context)
        ruling = Ruling.REJECTED if difference else Ruling.ACCEPTED
    except Unsupported as answer:
        ruling, reason = Ruling.UNSUPPORTED, answer.reason
    except Undecided as answer:
        ruling, reason = Ruling.UNDECIDED, answer.reason
    except InputError as error:  # what no server writes is no recording of one
        ruling, reason = Ruling.REJECTED, error.problem
        difference = Difference(error.at, None, None, "")
    return Judgement(
        file=line.file,
        family=kind.name,
        id=line.id,
        ruling=ruling,
        difference=difference,
        reason=reason,
        notes=tuple(context.notes),
        forgiven=dict(context.forgiven),
    )


def find_difference(judge: Judge, vector: Mapping[str, Any], context: Context) -> Difference | None:
    """Find the first difference between a recording and the model."""
    return next(judge(vector, context), None)


def _kind_by_format(line: Line) -> Kind | None:
    family = FORMATS.get(str(line.document.get("format")))
    return None if family is None else find_kind(family, "")


def _reader_beside(path: Path) -> Callable[[str], tuple[Document, ...]]:
    @cache
    def read(name: str) -> tuple[Document, ...]:
        found = sorted(path.parent.glob(f"{name}.ndjson*"))
        if not found:
            raise InputError(
                str(path.parent / f"{name}.ndjson"), "the recordings beside it refer to this file"
            )
        return tuple(line.document for line in read_lines(found[0]))

    return read
