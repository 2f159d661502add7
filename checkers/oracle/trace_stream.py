"""Compares the event stream of a recorded cluster with what the model publishes, line by line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec

from nomadspec.checkers.oracle.compare import Rules, compare
from nomadspec.checkers.oracle.context import Context
from nomadspec.checkers.oracle.equivalence import ORDER_OF_EVENTS
from nomadspec.checkers.oracle.judgement import ABSENT, Difference
from nomadspec.checkers.oracle.plain import write_plain
from nomadspec.checkers.oracle.reading import Line, read_lines
from nomadspec.checkers.oracle.shape import read_shape
from nomadspec.checkers.oracle.trace_allowed import allow_clock, allow_lost_bytes, allow_memory
from nomadspec.checkers.oracle.trace_events import EVENT_TYPES, Event, list_events
from nomadspec.checkers.oracle.trace_replay import Replay, Step
from nomadspec.model.codec import read
from nomadspec.model.codec.computed import list_computed
from nomadspec.model.entities import Evaluation
from nomadspec.model.errors import InputError
from nomadspec.model.store.requests import EvalUpdate

_RULES: Final[Rules] = (
    ("Type", "WIRE-087"),
    ("Payload.Node.LastAllocUpdateIndex", "OBJ-417"),
    ("Payload.Node", "OBJ-163"),
    ("Payload.Evaluation", "EVAL-33"),
    ("Payload.Allocation", "OBJ-408"),
    ("Payload.Deployment.TaskGroups", "OBJ-421"),
    ("Payload.Deployment", "OBJ-410"),
    ("Payload.Job.Status", "OBJ-051"),
    ("Payload.Job", "OBJ-400"),
    ("", "WIRE-085"),
)


class Batch(msgspec.Struct, frozen=True):
    """What one transaction publishes to all subscribers."""

    step: Step
    events: tuple[Event, ...]

    @property
    def index(self) -> int:
        """The index of the entry."""
        return self.step.typed.entry.index


class RecordedEvent(msgspec.Struct, frozen=True, rename="pascal", forbid_unknown_fields=True):
    """One event of a line."""

    topic: str
    type: str
    key: str
    namespace: str
    index: int
    payload: dict[str, Any]
    filter_keys: list[str] | None = None


class RecordedBatch(msgspec.Struct, frozen=True, rename="pascal", forbid_unknown_fields=True):
    """A line of the stream; a heartbeat has neither events nor an index."""

    index: int | None = None
    events: tuple[RecordedEvent, ...] = ()


class Subscription(msgspec.Struct, frozen=True):
    """A stretch of the stream without a break: the lines, and the namespaces that it was opened for."""

    lines: tuple[Line, ...]
    namespaces: frozenset[str]


def list_batches(replay: Replay) -> tuple[Batch, ...]:
    """List what all entries publish, in order.

    Spec: WIRE-082, WIRE-087, WIRE-088, WIRE-090.
    """
    return tuple(
        Batch(step, events)
        for step in replay.steps
        if step.typed.type in EVENT_TYPES
        for transaction in step.applied.transactions
        if (events := tuple(list_events(transaction)))
    )


def compare_stream(
    subscriptions: Sequence[Subscription], replay: Replay, stop_index: int, context: Context
) -> Iterator[Difference]:
    """Compare every line, and see that none is missing up to the index where the recording stopped."""
    batches = list_batches(replay)
    due = 0
    for number, subscription in enumerate(subscriptions):
        visible = [_restrict(batch, subscription.namespaces) for batch in batches]
        lines = [(line, batch) for line in subscription.lines if (batch := _read_line(line)).index]
        if number and lines:
            due = min(due, _find_batch(batches, lines[0][1].index))
        for line, recorded in lines:
            while due < len(batches) and not visible[due].events:
                due += 1
            path = f"{Path(line.file).name.partition('.')[0]}[{line.number}]"
            if due == len(batches) or recorded.index != visible[due].index:
                expected = visible[due].index if due < len(batches) else ABSENT
                yield Difference(f"{path}.Index", recorded.index, expected, "WIRE-082")
                return
            yield from _compare_batch(recorded, visible[due], path, replay, context)
            due += 1
    rest = [batch for batch in batches[due:] if _restrict(batch, subscriptions[-1].namespaces).events]
    if rest and rest[0].index <= stop_index:
        yield Difference(f"events[{rest[0].index}]", ABSENT, rest[0].index, "WIRE-082")


def read_subscriptions(
    path: Path, breaks: Mapping[int, int], namespaces: frozenset[str], replay: Replay
) -> tuple[Subscription, ...]:
    """Read a stream that breaks after some lines and was taken up again at some indexes.

    Spec: WIRE-091, WIRE-093.
    """
    stretches: list[tuple[list[Line], frozenset[str]]] = [([], namespaces)]
    for line in read_lines(path):
        stretches[-1][0].append(line)
        if line.number in breaks:
            state = replay.find_state(breaks[line.number])
            stretches.append(([], frozenset(state.namespaces)))
    return tuple(Subscription(tuple(lines), known) for lines, known in stretches)


def _read_line(line: Line) -> RecordedBatch:
    try:
        return read_shape(RecordedBatch, line.document)
    except InputError as error:
        raise InputError(line.file, error.problem, at=f"line {line.number}, {error.at}") from None


def _restrict(batch: Batch, namespaces: frozenset[str]) -> Batch:
    events = tuple(event for event in batch.events if not event.namespace or event.namespace in namespaces)
    return batch if len(events) == len(batch.events) else Batch(batch.step, events)


def _find_batch(batches: Sequence[Batch], index: int | None) -> int:
    return next((at for at, batch in enumerate(batches) if batch.index == index), len(batches))


def _compare_batch(
    recorded: RecordedBatch, batch: Batch, path: str, replay: Replay, context: Context
) -> Iterator[Difference]:
    model = {(event.topic, event.namespace, event.key): event for event in batch.events}
    names = [(event.topic, event.namespace, event.key) for event in recorded.events]
    if names != list(model) and sorted(names) == sorted(model):
        context.forgive(ORDER_OF_EVENTS)
    for position, event in enumerate(recorded.events):
        at = f"{path}.Events[{position}]"
        published = model.pop((event.topic, event.namespace, event.key), None)
        if published is None:
            yield Difference(at, [event.topic, event.key], ABSENT, "WIRE-087")
        else:
            yield from _compare_event(event, published, batch, at, replay, context)
    for topic, _, key in model:
        yield Difference(f"{path}.Events", ABSENT, [topic, key], "WIRE-087")


def _compare_event(
    recorded: RecordedEvent, event: Event, batch: Batch, path: str, replay: Replay, context: Context
) -> Iterator[Difference]:
    yield from compare(recorded.type, EVENT_TYPES[batch.step.typed.type], f"{path}.Type", _RULES)
    yield from compare(recorded.index, batch.index, f"{path}.Index", _RULES)
    yield from compare(recorded.filter_keys or [], event.filter_keys, f"{path}.FilterKeys", _RULES)
    unknown: list[str] = []
    shown = recorded.payload.get(event.topic)
    row = read(type(event.row), shown, unknown, source=f"{path}.Payload.{event.topic}")
    for name in unknown:
        yield Difference(f"{path}.Payload.{event.topic}.{name}", "is there", ABSENT, "WIRE-085")
    row = allow_clock(row, event.row, replay.clock, context)
    row = allow_lost_bytes(row, event.row, context)
    if isinstance(row, Evaluation) and isinstance(event.row, Evaluation):
        row = _allow_memory(row, event.row, batch, context)
    yield from compare(write_plain(row), write_plain(event.row), f"{path}.Payload.{event.topic}", _RULES)
    yield from _compare_computed(shown, event.row, f"{path}.Payload.{event.topic}")
    extra = {name: value for name, value in recorded.payload.items() if name != event.topic and value}
    yield from compare(extra, event.extra, f"{path}.Payload", _RULES)


def _compare_computed(shown: Any, row: Any, path: str) -> Iterator[Difference]:  # noqa: ANN401 -- a document, and any row
    """Compare what is told beside the members of a row, and follows from them."""
    for name, compute in list_computed(type(row)).items():
        recorded = shown.get(name, False) if isinstance(shown, Mapping) else ABSENT
        yield from compare(recorded, compute(row), f"{path}.{name}", (("", "OBJ-151"),))


def _allow_memory(row: Evaluation, model: Evaluation, batch: Batch, context: Context) -> Evaluation:
    request = batch.step.typed.entry.request
    if isinstance(request, EvalUpdate) and any(told.id == row.id for told in request.evals):
        return row  # the entry itself says what is in it
    return allow_memory(row, model, batch.step.applied.state, context)
