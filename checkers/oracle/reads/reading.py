"""Reads what was read of a cluster: the polls of a recording, and the dumps before and after it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from nomadspec.checkers.oracle.context import Context
from nomadspec.checkers.oracle.partial.folder import read_part_shape
from nomadspec.checkers.oracle.reading import find_file, read_lines
from nomadspec.checkers.oracle.shape import Whole, read_line_shape
from nomadspec.model.errors import InputError

POLLS: Final = "polls.ndjson"
DUMPS: Final = ("initial.json", "final.json")

OK: Final = 200


class Read(msgspec.Struct, frozen=True):
    """One read: what was asked for, and the answer."""

    path: str
    body: Any = None
    index: Whole | None = None
    """What the header of the answer names.

    Spec: WIRE-012.
    """
    status: Whole | None = OK
    unchanged: bool = False
    """Whether the body is the one of the read of the same path before."""
    place: str = ""
    """Where it stands in the recording."""


class _Dump(msgspec.Struct, frozen=True):
    """Reads that were made one after the other."""

    answers: tuple[Read, ...] = ()


def list_reads(folder: Path, context: Context) -> Iterator[Read]:
    """List the answers that hold objects, from the dump before the run to the one after it.

    Spec: WIRE-013.
    """
    before, after = DUMPS
    for reads in (_list_dumped(folder, before, context), _list_polled(folder, context)):
        yield from (each for each in reads if each.status == OK)
    yield from (each for each in _list_dumped(folder, after, context) if each.status == OK)


def _list_dumped(folder: Path, name: str, context: Context) -> Iterator[Read]:
    dump = read_part_shape(_Dump, folder, name, context) or _Dump()
    for at, answer in enumerate(dump.answers):
        yield replace(answer, place=f"{name.partition('.')[0]}[{at}]")


def _list_polled(folder: Path, context: Context) -> Iterator[Read]:
    path = find_file(folder, POLLS)
    known: dict[str, Any] = {}
    for line in read_lines(path, context.limits) if path is not None else ():
        told = read_line_shape(Read, line)
        if told.unchanged and told.path not in known:
            raise InputError(line.file, "nothing was read there before", at=f"line {line.number}, path")
        if told.status == OK:
            known[told.path] = body = known[told.path] if told.unchanged else told.body
            yield replace(told, body=body, place=f"polls[{line.number}]")
