"""Reads the parts of a recording that may be missing, and judges what is left where there is no log."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import msgspec

from nomadspec.checkers.oracle.context import Context
from nomadspec.checkers.oracle.judgement import Difference
from nomadspec.checkers.oracle.partial.sight import Row, Sight
from nomadspec.checkers.oracle.partial.stream_alone import judge_lines
from nomadspec.checkers.oracle.reading import find_file, read_document, read_lines
from nomadspec.checkers.oracle.shape import Shape, Whole, read_shape
from nomadspec.model.cluster.codec import read
from nomadspec.model.cluster.entities import Allocation, Deployment, Evaluation, Job, Node
from nomadspec.model.errors import InputError, UnreadableError

_STREAMS: Final = ("events", "events-leader")
_POLLS: Final = "polls.ndjson"
_DUMPS: Final = ("initial.json", "final.json")
_TABLES: Final = "raft-state.json"
_ROWS: Final[Mapping[str, type[Row]]] = {
    "Nodes": Node,
    "Jobs": Job,
    "Evals": Evaluation,
    "Allocs": Allocation,
    "Deployments": Deployment,
}
"""Which tables after the log hold what is judged by itself."""
_OBJECTS: Final[tuple[tuple[str, type[Row]], ...]] = (
    ("/v1/evaluations", Evaluation),
    ("/v1/deployments", Deployment),
    ("/v1/allocation/", Allocation),
    ("/v1/node/", Node),
    ("/v1/job/", Job),
)
"""Which answers of a dump hold whole objects; lists of the other kinds hold only parts of them."""


class _Index(msgspec.Struct, frozen=True, rename="pascal"):
    """The index of a table."""

    value: Whole = 0


class _Answer(msgspec.Struct, frozen=True):
    """One read of a dump."""

    path: str
    body: Any = None
    index: Whole | None = None
    status: Whole = 200


class _Dump(msgspec.Struct, frozen=True):
    """Reads that were made one after the other."""

    answers: tuple[_Answer, ...] = ()


class _Break(msgspec.Struct, frozen=True):
    """A place where the stream broke."""

    line: Whole


class _Scenario(msgspec.Struct, frozen=True):
    """What is used of the description of a scenario here."""

    stream_reconnects: tuple[_Break, ...] = ()


def read_part(folder: Path, name: str, context: Context) -> Mapping[str, Any] | None:
    """Read a document of a recording; nothing where it is missing."""
    path = find_file(folder, name)
    if path is None:
        return None
    document = read_document(path, context.limits)
    if not isinstance(document, dict):
        raise InputError(str(path), "a JSON object is due here")
    return document


def read_part_shape(shape: type[Shape], folder: Path, name: str, context: Context) -> Shape | None:
    """Read a document of a recording into its shape; nothing where it is missing."""
    document = read_part(folder, name, context)
    try:
        return None if document is None else read_shape(shape, document)
    except InputError as error:
        raise UnreadableError(str(find_file(folder, name)), error.problem, at=error.at) from None


def read_last_index(dump: Mapping[str, Any]) -> int:
    """Read the greatest index of the tables of a dump: how far the log was when it was made."""
    rows = dump.get("Indexes") or []
    if not isinstance(rows, list):
        raise InputError("raft-state", "a table is a list of rows", at="Indexes")
    return max((read_shape(_Index, row).value for row in rows if isinstance(row, dict)), default=0)


def list_parts(folder: Path) -> tuple[str, ...]:
    """List what a folder has that can be judged without a log: streams, and what was read or dumped."""
    names = (*(f"{name}.ndjson" for name in _STREAMS), *_DUMPS, _TABLES)
    return tuple(name for name in names if find_file(folder, name) is not None)


def judge_stream(folder: Path, context: Context) -> Iterator[Difference]:
    """Judge the event streams and dumps of a recording without its log: what they show has to be possible.

    No cause is asked for then, and nothing is decided again.

    Spec: WIRE-082, WIRE-085, EVAL-02, OBJ-213, OBJ-230, OBJ-273.
    """
    told = read_part_shape(_Scenario, folder, "scenario.json", context) or _Scenario()
    breaks = [each.line for each in told.stream_reconnects]
    for name in _STREAMS:
        path = find_file(folder, f"{name}.ndjson")
        if path is None:
            continue
        stream, found = judge_lines(read_lines(path, context.limits), breaks, context, name)
        yield from found
        if stream.first is None:
            context.miss(f"{name}, in which there is nothing")
        else:
            context.miss(f"decisions from index {stream.first} to {stream.last}, of which {name} shows ends")
        for since, until in stream.gaps:
            context.miss(f"{name} from index {since} to {until}")
    yield from _compare_dumps(folder, context)
    if find_file(folder, _POLLS) is not None:
        context.miss(f"the log, by which {_POLLS} would be judged")


def _compare_dumps(folder: Path, context: Context) -> Iterator[Difference]:
    """Judge what was read before and after, and the tables after it: as sights of the same objects."""
    sight, seen = Sight(context), 0
    for name in (*_DUMPS, _TABLES):
        document = read_part(folder, name, context)
        if document is None:
            continue
        rows, last = _list_tables(document) if name == _TABLES else _list_answers(document, name)
        yield from sight.see(rows, last, name.partition(".")[0])
        if seen and last > seen:
            context.miss(f"what happened from index {seen} to {last}, between two dumps")
        seen = max(seen, last)


def _list_answers(document: Mapping[str, Any], name: str) -> tuple[list[Row], int]:
    """List the objects of a dump, and the greatest index in it."""
    dump = read_shape(_Dump, document)
    rows = [row for answer in dump.answers for row in _list_objects(answer, name)]
    return rows, max((answer.index or 0 for answer in dump.answers), default=0)


def _list_tables(document: Mapping[str, Any]) -> tuple[list[Row], int]:
    """List the objects of the tables after the log, and how far the log was."""
    rows: list[Row] = []
    for table, kind in _ROWS.items():
        told = document.get(table) or []
        if not isinstance(told, list):
            raise InputError(_TABLES, "a table is a list of rows", at=table)
        rows += [read(kind, row, [], source=f"{_TABLES} {table}") for row in told]
    return rows, read_last_index(document)


def _list_objects(answer: _Answer, name: str) -> Iterator[Row]:
    path = answer.path.partition("?")[0]
    kind = next((kind for start, kind in _OBJECTS if path.startswith(start)), None)
    is_part = path.count("/") > _DEPTH  # versions and summaries of a job
    if kind is None or is_part or answer.status != _OK:
        return
    for body in answer.body if isinstance(answer.body, list) else [answer.body]:
        if body is not None:
            yield read(kind, body, [], source=f"{name} {path}")


_OK: Final = 200
_DEPTH: Final = 3
