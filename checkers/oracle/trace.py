"""Judges the recording of a whole cluster: its log is applied from the first entry on.

The tables of the dump that was made after the run, what could be read at its end, the event stream at
every index and what the leader decided must be those of the model. The exceptions are rows of the table of
equivalences.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import msgspec

from nomadspec.checkers.oracle.compare import compare
from nomadspec.checkers.oracle.context import Context
from nomadspec.checkers.oracle.judgement import Difference
from nomadspec.checkers.oracle.plain import write_plain
from nomadspec.checkers.oracle.reading import Json, find_file, read_document
from nomadspec.checkers.oracle.shape import read_shape
from nomadspec.checkers.oracle.trace_decisions import compare_decisions
from nomadspec.checkers.oracle.trace_log import read_log
from nomadspec.checkers.oracle.trace_replay import Replay, read_late_clock, read_run_clock, replay_log
from nomadspec.checkers.oracle.trace_stream import compare_stream, read_subscriptions
from nomadspec.checkers.oracle.trace_tables import compare_table, compare_tables
from nomadspec.model.codec import read
from nomadspec.model.entities import Namespace, SchedulerConfiguration
from nomadspec.model.errors import InputError, UnreadableError
from nomadspec.model.store import State
from nomadspec.model.store.tables import NAMESPACES, NODE_POOLS

_SECOND_STREAM: Final = "events-leader"
"""Kept where two servers were listened to."""
_NAMESPACES_PATH: Final = "/v1/namespaces"
_POOLS_PATH: Final = "/v1/node/pools"
_CONFIGURATION_PATH: Final = "/v1/operator/scheduler/configuration"


class Break(msgspec.Struct, frozen=True):
    """A place where the stream broke and was taken up again."""

    line: int
    index: int


class Scenario(msgspec.Struct, frozen=True):
    """What is used of the description of a scenario."""

    stop_index: int
    stream_reconnects: tuple[Break, ...] = ()


class Answer(msgspec.Struct, frozen=True):
    """One read of a dump."""

    path: str
    body: Any = None
    index: int | None = None


class Dump(msgspec.Struct, frozen=True):
    """Reads that were made one after the other."""

    answers: tuple[Answer, ...]

    def find(self, path: str) -> Json:
        """Find the body of a read by its path, without what was asked beside it."""
        return next((each.body for each in self.answers if each.path.partition("?")[0] == path), None)

    def list_rows(self, path: str) -> list[Json]:
        """List what a read answered with."""
        rows = self.find(path)
        if rows is not None and not isinstance(rows, list):
            raise InputError("a dump", "a list is due here", at=path)
        return rows or []


class ConfigurationAnswer(msgspec.Struct, frozen=True):
    """What a read of the configuration answers with."""

    scheduler_config: SchedulerConfiguration = SchedulerConfiguration()


def judge_folder(folder: Path, context: Context) -> Iterator[Difference]:
    """Apply the log of a trace; compare tables, final reads and events with the model.

    Spec: WIRE-101, WIRE-105, WIRE-132, WIRE-134.
    """
    entries = tuple(read_log(folder, context))
    dumped = replay_log(entries, context.profile, read_late_clock)
    yield from _compare_dump(folder, dumped, context)
    yield from _compare_final(folder, dumped, context)
    lived = replay_log(entries, context.profile, read_run_clock)
    yield from _compare_streams(folder, lived, context)
    yield from compare_decisions(lived)


def _compare_dump(folder: Path, replay: Replay, context: Context) -> Iterator[Difference]:
    dump = _read(folder, "raft-state.json")
    yield from compare_tables(dump, _last_state(replay), replay.clock, context, "raft-state")


def _compare_final(folder: Path, replay: Replay, context: Context) -> Iterator[Difference]:
    """Compare the tables that the dump of the raft state leaves out."""
    final = read_shape(Dump, _read(folder, "final.json"))
    state, clock = _last_state(replay), replay.clock
    for path, table in ((_NAMESPACES_PATH, NAMESPACES), (_POOLS_PATH, NODE_POOLS)):
        rows = final.list_rows(path)
        yield from compare_table(table, rows, state, clock, context, f"final.{table}")
    told = final.find(_CONFIGURATION_PATH)
    recorded = read(ConfigurationAnswer, told, source="final.json") if told else ConfigurationAnswer()
    own = state.configuration or SchedulerConfiguration()
    rules = (("", "OBJ-290"),)
    shown = write_plain(recorded.scheduler_config)
    yield from compare(shown, write_plain(own), "final.SchedulerConfig", rules)


def _compare_streams(folder: Path, replay: Replay, context: Context) -> Iterator[Difference]:
    scenario = read_shape(Scenario, _read(folder, "scenario.json"))
    initial = read_shape(Dump, _read(folder, "initial.json"))
    known = (read(Namespace, row, source="initial.json") for row in initial.list_rows(_NAMESPACES_PATH))
    namespaces = frozenset(namespace.name for namespace in known)
    breaks = {each.line: each.index for each in scenario.stream_reconnects}
    for name in ("events", _SECOND_STREAM):
        path = find_file(folder, f"{name}.ndjson")
        if path is None and name == _SECOND_STREAM:
            continue
        if path is None:
            raise UnreadableError(str(folder), f"there is no {name}.ndjson in this folder")
        subscriptions = read_subscriptions(path, breaks if name == "events" else {}, namespaces, replay)
        yield from compare_stream(subscriptions, replay, scenario.stop_index, context)


def _last_state(replay: Replay) -> State:
    if not replay.steps:
        raise InputError("raft-log", "there is no entry in it")
    return replay.steps[-1].applied.state


def _read(folder: Path, name: str) -> Mapping[str, Any]:
    path = find_file(folder, name)
    if path is None:
        raise UnreadableError(str(folder), f"there is no {name} in this folder")
    document = read_document(path)
    if not isinstance(document, dict):
        raise InputError(str(path), "a JSON object is due here")
    return document
