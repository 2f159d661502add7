"""Reads the log of a recorded cluster: every entry with its request, in the order of the indexes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any, Final

import msgspec

from nomadspec.checkers.oracle.context import Context
from nomadspec.checkers.oracle.judgement import Unsupported
from nomadspec.checkers.oracle.limits import LIMITS
from nomadspec.checkers.oracle.reading import find_file, read_lines
from nomadspec.checkers.oracle.shape import Whole, read_line_shape
from nomadspec.checkers.oracle.store_rows import demand_covered
from nomadspec.model.cluster.codec import Dialect, read
from nomadspec.model.cluster.store import Entry
from nomadspec.model.cluster.store.entries import OUTSIDE_TABLES, REQUEST_TYPES
from nomadspec.model.cluster.store.requests import Outside
from nomadspec.model.errors import InputError, UnreadableError

LOG: Final = "raft-log.ndjson"

_COMMAND: Final = "LogCommand"
OF_RAFT: Final = frozenset(
    {
        "LogNoop",
        "LogBarrier",
        "LogConfiguration",
        "LogAddPeerDeprecated",
        "LogRemovePeerDeprecated",
    }
)
"""The kinds of lines that are about the log itself."""


class LoggedEntry(msgspec.Struct, frozen=True, rename="pascal"):
    """A line of the log."""

    log_type: str
    index: Whole
    term: Whole = 0
    command_type: str = ""
    body: dict[str, Any] | None = None


class TypedEntry(msgspec.Struct, frozen=True):
    """A log entry with the name of its type, as the state store knows it."""

    type: str
    entry: Entry


def read_log(folder: Path, context: Context) -> Iterator[TypedEntry]:
    """Read the entries of a trace, from index 1 on and up to the first that is missing.

    Spec: WIRE-100, WIRE-101, WIRE-102.
    """
    path = find_file(folder, LOG)
    if path is None:
        raise UnreadableError(str(folder), _tell_missing(folder))
    for expected, line in enumerate(read_lines(path, context.limits), start=1):
        logged = read_line_shape(LoggedEntry, line)
        if logged.index > expected:
            context.miss(f"the log from entry {expected} on: those up to {logged.index - 1} are missing")
            return
        if logged.index != expected:
            problem = f"the entry with index {logged.index} stands where {expected} is due"
            raise InputError(line.file, problem, at=f"line {line.number}")
        yield read_entry(logged, f"{LOG}[{logged.index}]", context)


def _tell_missing(folder: Path) -> str:
    """Say why there is no log, and what to give instead."""
    if folder.is_file():
        if find_file(folder.parent, LOG) is not None:
            return f"this is a file; give its folder, {folder.parent}"
        other = "`nomadspec story` replays stories, and `nomadspec follow` judges logs of your own system"
        return f"this is a file, and there is no {LOG} beside it; {other}"
    if not folder.is_dir():
        return "there is no such folder"
    inside = sorted(
        each.name for each in islice(folder.iterdir(), LIMITS.walk) if each.is_dir() and find_file(each, LOG)
    )
    hint = f"; give a folder in it, such as {folder / inside[0]}" if inside else ""
    return f"there is no {LOG} in this folder{hint}"


def read_entry(logged: LoggedEntry, path: str, context: Context) -> TypedEntry:
    """Read the request of a line of the log; entries of Raft itself ask for nothing."""
    if logged.log_type in OF_RAFT:
        return TypedEntry(logged.log_type, Entry(logged.index, Outside()))
    if logged.log_type != _COMMAND:
        raise InputError(path, f"there is no kind of log line {logged.log_type!r}")
    name = logged.command_type.removesuffix("RequestType")
    if name in OUTSIDE_TABLES:
        return TypedEntry(name, Entry(logged.index, Outside(tables=OUTSIDE_TABLES[name])))
    if name not in REQUEST_TYPES:
        context.leave_out(f"log entries of type {logged.command_type}")
        return TypedEntry(name, Entry(logged.index, Outside()))
    unknown: list[str] = []
    body = _spell_jobs(name, logged.body or {})
    request = read(REQUEST_TYPES[name], body, unknown, source=path, dialect=Dialect.LOG)
    try:
        demand_covered(request)
    except Unsupported as gap:
        context.leave_out(f"{path}: {gap.reason}")
    for member in unknown:
        context.note(f"{path}.Body.{member} is not known")
    return TypedEntry(name, Entry(logged.index, request))


def _spell_jobs(name: str, body: Mapping[str, Any]) -> Mapping[str, Any]:
    """Spell the jobs of a batch as a list; the log keys them by namespace and ID with a dot between."""
    jobs = body.get("Jobs")
    if name != "JobBatchDeregister" or not isinstance(jobs, dict):
        return body
    listed = []
    for key, options in jobs.items():
        namespace, _, job_id = key.partition(".")
        listed.append({"Namespace": namespace, "ID": job_id, **(options or {})})
    return {**body, "Jobs": listed}
