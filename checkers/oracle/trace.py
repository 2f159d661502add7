"""Judges the recording of a whole cluster: its log is applied from the first entry on.

The tables of the dump that was made after the run, what was read before, on the way and at its end, what
callers were answered, the event stream at every index and what the leader decided must be those of the model.
The exceptions are rows of the table of equivalences.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import msgspec

from nomadspec.checkers.oracle.compare import compare
from nomadspec.checkers.oracle.context import Context
from nomadspec.checkers.oracle.explain.acts import compare_acts
from nomadspec.checkers.oracle.explain.causes import compare_promises
from nomadspec.checkers.oracle.explain.derived_share import count_shares
from nomadspec.checkers.oracle.explain.launching import Forced
from nomadspec.checkers.oracle.explain.obligations import Rest, compare_obligations
from nomadspec.checkers.oracle.explain.outcomes import compare_outcomes
from nomadspec.checkers.oracle.judgement import Difference
from nomadspec.checkers.oracle.partial.folder import (
    judge_stream,
    list_parts,
    read_last_index,
    read_part,
    read_part_shape,
)
from nomadspec.checkers.oracle.plain_json import write_plain
from nomadspec.checkers.oracle.reading import find_file, read_lines
from nomadspec.checkers.oracle.reads.actions import compare_actions
from nomadspec.checkers.oracle.reads.comparing import compare_reads
from nomadspec.checkers.oracle.shape import Whole, read_line_shape
from nomadspec.checkers.oracle.strict_json import Json
from nomadspec.checkers.oracle.trace_allowed import Clock
from nomadspec.checkers.oracle.trace_asks import compare_asks
from nomadspec.checkers.oracle.trace_decisions import compare_decisions
from nomadspec.checkers.oracle.trace_log import LOG, read_log
from nomadspec.checkers.oracle.trace_plans import compare_plans
from nomadspec.checkers.oracle.trace_replay import Replay, read_late_clock, read_run_clock, replay_log
from nomadspec.checkers.oracle.trace_stream import (
    Arrivals,
    End,
    begins_as_due,
    compare_stream,
    guess_subscriptions,
    list_promoted,
    read_subscriptions,
)
from nomadspec.checkers.oracle.trace_tables import compare_table, compare_tables
from nomadspec.model.cluster.codec import read
from nomadspec.model.cluster.entities import Namespace, SchedulerConfiguration
from nomadspec.model.cluster.store import State
from nomadspec.model.cluster.store.requests import EvalDelete
from nomadspec.model.cluster.store.tables import NAMESPACES, NODE_POOLS
from nomadspec.model.errors import InputError

_SECOND_STREAM: Final = "events-leader"
"""Kept where two servers were listened to."""
_NAMESPACES_PATH: Final = "/v1/namespaces"
_POOLS_PATH: Final = "/v1/node/pools"
_CONFIGURATION_PATH: Final = "/v1/operator/scheduler/configuration"


class Break(msgspec.Struct, frozen=True):
    """A place where the stream broke and was taken up again."""

    line: Whole
    index: Whole


class Scenario(msgspec.Struct, frozen=True):
    """What is used of the description of a scenario."""

    stop_index: Whole
    stream_reconnects: tuple[Break, ...] = ()


class Answer(msgspec.Struct, frozen=True):
    """One read of a dump."""

    path: str
    body: Any = None
    index: Whole | None = None


class Arrival(msgspec.Struct, frozen=True):
    """When a line of a stream arrived."""

    line: Whole
    at_ns: Whole
    index: Whole | None = None


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

    What the recording lacks is named, and nothing is said of it.

    Spec: WIRE-020, WIRE-101, WIRE-105, WIRE-132, WIRE-134.
    """
    parts = list_parts(folder)
    if find_file(folder, LOG) is None and parts:
        context.miss(f"the log ({LOG}), without which only this is judged: {', '.join(parts)}")
        yield from judge_stream(folder, context)
        return
    entries = tuple(read_log(folder, context))
    if not entries and context.unseen:
        yield from judge_stream(folder, context)
        return
    dumped = replay_log(entries, context.profile, read_late_clock)
    yield from _compare_dump(folder, dumped, context)
    yield from _compare_final(folder, dumped, context)
    lived = replay_log(entries, context.profile, read_run_clock)
    yield from _compare_streams(folder, lived, context)
    is_cut = _is_cut(folder, lived, context)
    yield from compare_reads(folder, lived, _find_clock(folder, lived, context), context, is_cut=is_cut)
    yield from compare_actions(folder, lived, context)
    yield from compare_decisions(lived, context.profile)
    yield from compare_plans(lived, context)
    yield from compare_asks(lived)
    yield from compare_outcomes(lived, context)
    yield from compare_acts(lived, context, Forced.of(read_part(folder, "scenario.json", context) or {}))
    yield from compare_promises(lived, context)
    yield from compare_obligations(lived, _find_rest(folder, lived, context), context.profile)
    context.shares.update(count_shares(lived, context.derived))


def _find_clock(folder: Path, replay: Replay, context: Context) -> Clock:
    """Find which times a server took from its own clock; one that came back may have taken them again."""
    told = read_part_shape(Scenario, folder, "scenario.json", context)
    is_back = told is not None and bool(told.stream_reconnects)
    return Clock(replay.clock.times_ns, list_promoted(replay)) if is_back else replay.clock


def _find_rest(folder: Path, replay: Replay, context: Context) -> Rest:
    """Find how a recording ended; where its log ends before that, nothing has to have come."""
    rest = Rest.of(read_part(folder, "scenario.json", context) or {})
    is_cut = _is_cut(folder, replay, context)
    return Rest(rest.stop_index, rest.ended_ns, is_quiet=False) if is_cut else rest


def _is_cut(folder: Path, replay: Replay, context: Context) -> bool:
    """True if entries may be missing at the end of a log: it has to go on as long as the recording."""
    told = read_part_shape(Scenario, folder, "scenario.json", context)
    last = replay.steps[-1].typed.entry.index if replay.steps else 0
    return told is None or last < told.stop_index


def _compare_dump(folder: Path, replay: Replay, context: Context) -> Iterator[Difference]:
    dump = read_part(folder, "raft-state.json", context)
    state, last = _last_state(replay), replay.steps[-1].typed.entry.index
    if dump is None:
        context.miss("the tables after the log")
        return
    if read_last_index(dump) > last:
        context.miss(f"the log after entry {last}, and the tables at its end")
        return
    gaps, services = replay.list_gaps(), replay.list_services()
    is_filtered = any(_is_filtered(step.typed.entry.request) for step in replay.steps)
    for difference in compare_tables(dump, state, replay.clock, context, "raft-state", gaps, services):
        if not (is_filtered and difference.path.startswith("raft-state.Evals")):
            yield difference


def _is_filtered(request: msgspec.Struct) -> bool:
    """True if nobody knows which evaluations an entry deleted."""
    return isinstance(request, EvalDelete) and bool(request.filter)


def _compare_final(folder: Path, replay: Replay, context: Context) -> Iterator[Difference]:
    """Compare the tables that the dump of the raft state leaves out."""
    final = read_part_shape(Dump, folder, "final.json", context)
    if final is None:
        context.miss("namespaces, pools and configuration at the end")
        return
    last = replay.steps[-1].typed.entry.index
    if max((each.index or 0 for each in final.answers), default=0) > last:
        context.miss(f"the log after entry {last}, and what was read at the end")
        return
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
    told = read_part_shape(Scenario, folder, "scenario.json", context)
    document = read_part_shape(Dump, folder, "initial.json", context)
    if told is None:
        context.miss("where the stream broke, and how the recording ended")
    if document is None:
        context.miss("the namespaces for which the stream was opened")
    last = replay.steps[-1].typed.entry.index
    scenario, initial = told or Scenario(stop_index=last), document or Dump(())
    known = (read(Namespace, row, source="initial.json") for row in initial.list_rows(_NAMESPACES_PATH))
    namespaces = frozenset(namespace.name for namespace in known)
    breaks = {each.line: each.index for each in scenario.stream_reconnects}
    for name in ("events", _SECOND_STREAM):
        path = find_file(folder, f"{name}.ndjson")
        if path is None and name == "events":
            context.miss("the event stream")
        if path is None:
            continue
        taken_up = breaks if name == "events" else {}
        subscriptions = read_subscriptions(path, taken_up, namespaces, replay, context.limits)
        is_told = told is not None and document is not None and begins_as_due(subscriptions[0], replay)
        if not is_told:
            subscriptions = guess_subscriptions(path, context.limits)
        arrivals = _read_arrivals(folder, name, context)
        end = End(min(scenario.stop_index, last), last, is_told=is_told)
        yield from compare_stream(subscriptions, replay, end, context, arrivals)


def _read_arrivals(folder: Path, name: str, context: Context) -> Arrivals:
    """Read when each line of a stream arrived; nothing where that was not written down."""
    path = find_file(folder, f"{name}-times.ndjson")
    if path is None:
        return {}
    told = (read_line_shape(Arrival, line) for line in read_lines(path, context.limits))
    return {(each.line, each.index): each.at_ns for each in told}


def _last_state(replay: Replay) -> State:
    if not replay.steps:
        raise InputError("raft-log", "there is no entry in it")
    return replay.steps[-1].applied.state
