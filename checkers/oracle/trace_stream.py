"""Compares the event stream of a recorded cluster with what the model publishes, line by line."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from nomadspec.checkers.oracle.compare import Rules, compare, compare_rows
from nomadspec.checkers.oracle.context import Context
from nomadspec.checkers.oracle.equivalence import ORDER_OF_EVENTS
from nomadspec.checkers.oracle.judgement import ABSENT, Difference
from nomadspec.checkers.oracle.limits import LIMITS, Limits
from nomadspec.checkers.oracle.reading import Line, read_lines
from nomadspec.checkers.oracle.shape import Whole, read_line_shape
from nomadspec.checkers.oracle.trace_allowed import Clock, allow_clock, allow_lost_bytes, allow_memory
from nomadspec.checkers.oracle.trace_events import EVENT_TYPES, Event, list_events
from nomadspec.checkers.oracle.trace_replay import Replay, Step
from nomadspec.model.cluster.codec import read
from nomadspec.model.cluster.codec.computed import list_computed
from nomadspec.model.cluster.entities import Evaluation
from nomadspec.model.cluster.store.requests import DeploymentPromote, EvalUpdate

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


Arrivals = Mapping[tuple[int, int | None], int]
"""When a line arrived, by its number and its index."""

_UNKNOWN: Final[Arrivals] = MappingProxyType({})

_SERVICE: Final = "Service"
"""The topic of registrations of services."""


class Batch(msgspec.Struct, frozen=True):
    """What one transaction publishes to all subscribers."""

    step: Step
    events: tuple[Event, ...]

    @property
    def index(self) -> int:
        """The index of the entry."""
        return self.step.typed.entry.index


class RecordedEvent(msgspec.Struct, frozen=True, rename="pascal", forbid_unknown_fields=True):
    """One event of a line.

    Spec: WIRE-083.
    """

    topic: str
    type: str
    key: str
    namespace: str
    index: Whole
    payload: dict[str, Any]
    filter_keys: list[str] | None = None


class RecordedBatch(msgspec.Struct, frozen=True, rename="pascal", forbid_unknown_fields=True):
    """A line of the stream; a heartbeat has neither events nor an index.

    Spec: WIRE-080, WIRE-081.
    """

    index: Whole | None = None
    events: tuple[RecordedEvent, ...] = ()


class Subscription(msgspec.Struct, frozen=True):
    """A stretch of the stream without a break: the lines, and the namespaces that it was opened for.

    Spec: 11/S9.
    """

    lines: tuple[Line, ...]
    namespaces: frozenset[str]


class End(msgspec.Struct, frozen=True):
    """How far a recording goes."""

    stop_index: int
    """Up to there lines were waited for."""
    last_index: int
    """Of the last entry of the log that is known."""
    is_told: bool = True
    """Whether it was written down where the stream broke."""

    def hides(self, recorded: RecordedBatch, context: Context) -> bool:
        """Take note of a line that comes after all entries that are known; true if this does."""
        is_later = recorded.index is not None and recorded.index > self.last_index
        if is_later:
            context.miss(f"what the stream shows after entry {self.last_index}, where the log ends")
        return is_later


def list_batches(replay: Replay) -> tuple[Batch, ...]:
    """List what all entries publish, in order.

    Spec: WIRE-082, WIRE-087, WIRE-088, WIRE-090, 11/S4.
    """
    return tuple(
        Batch(step, events)
        for step in replay.steps
        if step.typed.type in EVENT_TYPES
        for transaction in step.applied.transactions
        if (events := tuple(list_events(transaction)))
    )


@dataclass(frozen=True, slots=True)
class Sight:
    """What may have been known beside the state when a line was written."""

    clock: Clock
    made: Mapping[str, Evaluation]
    """Every evaluation that the log has, as it was made."""
    seen_ns: int | None
    """When the line arrived; None where nobody knows."""

    def find_eval(self, eval_id: str) -> Evaluation | None:
        """Find an evaluation that was made before the line arrived."""
        found = self.made.get(eval_id)
        is_later = found is not None and self.seen_ns is not None and found.create_time_ns > self.seen_ns
        return None if is_later else found


def compare_stream(
    subscriptions: Sequence[Subscription],
    replay: Replay,
    end: End,
    context: Context,
    arrivals: Arrivals = _UNKNOWN,
) -> Iterator[Difference]:
    """Compare every line, and see that none is missing in between.

    Where a stream was joined late, or ended early, the rest was not seen. Of lines that are missing elsewhere
    nobody knows why, unless it is told where the stream broke.
    """
    batches, made = list_batches(replay), list_made(replay)
    promoted, gaps = list_promoted(replay), replay.list_gaps()
    due = 0
    for number, subscription in enumerate(subscriptions):
        clock = replay.clock if not number else Clock(replay.clock.times_ns, promoted)
        visible = [_restrict(batch, subscription.namespaces) for batch in batches]
        lines = [(line, batch) for line in subscription.lines if (batch := read_batch(line)) is not None]
        if number and lines:
            due = min(due, _find_batch(batches, lines[0][1].index))
        for at, (line, recorded) in enumerate(lines):
            while due < len(batches) and not visible[due].events:
                due += 1
            path = f"{Path(line.file).name.partition('.')[0]}[{line.number}]"
            if recorded.index in gaps or end.hides(recorded, context):
                continue
            found = _find_line(visible, due, recorded)
            if found != due or due == len(batches):
                expected = visible[due].index if due < len(batches) else ABSENT
                if found is not None and (at == 0 or not end.is_told):
                    context.miss(f"events from index {expected} to the line of {recorded.index}")
                else:
                    yield Difference(f"{path}.Index", recorded.index, expected, "WIRE-082")
                if found is None:
                    continue
                due = found
            sight = Sight(clock, made, arrivals.get((line.number, recorded.index)))
            yield from _compare_batch(recorded, visible[due], path, sight, context)
            due += 1
    rest = [batch for batch in batches[due:] if _restrict(batch, subscriptions[-1].namespaces).events]
    if rest and rest[0].index <= end.stop_index:
        context.miss(f"events from index {rest[0].index} to {end.stop_index}")


def begins_as_due(subscription: Subscription, replay: Replay) -> bool:
    """True if the first line of a stream is the first that there is, so that nothing was cut before it.

    Then the numbers of its lines are those of which it is told where the stream broke.
    """
    batches = (_restrict(batch, subscription.namespaces) for batch in list_batches(replay))
    due = next((batch.index for batch in batches if batch.events), None)
    found = (batch.index for line in subscription.lines if (batch := read_batch(line)) is not None)
    first = next(found, None)
    return first is None or due is None or first <= due


def list_made(replay: Replay) -> dict[str, Evaluation]:
    """List every evaluation that schedulers made, as it was made."""
    made: dict[str, Evaluation] = {}
    for step in replay.steps:
        request = step.typed.entry.request
        for each in request.evals if isinstance(request, EvalUpdate) else ():
            made.setdefault(each.id, each)
    return made


def list_promoted(replay: Replay) -> frozenset[str]:
    """List the deployments that were promoted."""
    requests = (step.typed.entry.request for step in replay.steps)
    return frozenset(each.deployment_id for each in requests if isinstance(each, DeploymentPromote))


def read_subscriptions(
    path: Path,
    breaks: Mapping[int, int],
    namespaces: frozenset[str],
    replay: Replay,
    limits: Limits = LIMITS,
) -> tuple[Subscription, ...]:
    """Read a stream that breaks after some lines and was taken up again at some indexes.

    Spec: WIRE-091, WIRE-093.
    """
    stretches: list[tuple[list[Line], frozenset[str]]] = [([], namespaces)]
    for line in read_lines(path, limits):
        stretches[-1][0].append(line)
        if line.number in breaks:
            state = replay.find_state(breaks[line.number])
            stretches.append(([], frozenset(state.namespaces)))
    return tuple(Subscription(tuple(lines), known) for lines, known in stretches)


def guess_subscriptions(path: Path, limits: Limits = LIMITS) -> tuple[Subscription, ...]:
    """Read a stream of which nobody told where it broke: where lines come again, it was taken up again.

    It was opened for the namespaces that it shows: others cannot be missed.

    Spec: WIRE-091, WIRE-093.
    """
    stretches: list[list[Line]] = [[]]
    shown: list[set[str]] = [set()]
    last, before = 0, None
    for line in read_lines(path, limits):
        batch = read_batch(line)
        index = batch.index if batch is not None and batch.index else last
        if index < last or (batch is not None and batch == before):
            stretches.append([])
            shown.append(set())
        stretches[-1].append(line)
        shown[-1].update(event.namespace for event in (batch.events if batch else ()))
        last, before = index, batch if batch is not None else before
    return tuple(
        Subscription(tuple(lines), frozenset(names)) for lines, names in zip(stretches, shown, strict=True)
    )


def read_batch(line: Line) -> RecordedBatch | None:
    """Read a line without its events of services, which decide nothing; none where nothing else is in it.

    Spec: OBJ-397.
    """
    batch = read_line_shape(RecordedBatch, line)
    events = tuple(event for event in batch.events if event.topic != _SERVICE)
    is_passed_over = not batch.index or (len(events) < len(batch.events) and not events)
    return None if is_passed_over else replace(batch, events=events)


def _restrict(batch: Batch, namespaces: frozenset[str]) -> Batch:
    events = tuple(event for event in batch.events if not event.namespace or event.namespace in namespaces)
    return batch if len(events) == len(batch.events) else Batch(batch.step, events)


def _find_line(visible: Sequence[Batch], due: int, recorded: RecordedBatch) -> int | None:
    """Find which batch a line is; of several with one index the first that shows the same objects."""
    first = bisect_left(visible, recorded.index or 0, lo=due, key=lambda batch: batch.index)
    same = takewhile(lambda at: visible[at].index == recorded.index, range(first, len(visible)))
    later = [at for at in same if visible[at].events]
    alike = (at for at in later if _list_names(visible[at].events) == _list_names(recorded.events))
    return next(alike, later[0] if later else None)


def _list_names(events: Iterable[Event | RecordedEvent]) -> list[tuple[str, str, str]]:
    return sorted((event.topic, event.namespace, event.key) for event in events)


def _find_batch(batches: Sequence[Batch], index: int | None) -> int:
    return next((at for at, batch in enumerate(batches) if batch.index == index), len(batches))


def _compare_batch(
    recorded: RecordedBatch, batch: Batch, path: str, sight: Sight, context: Context
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
            yield from _compare_event(event, published, batch, at, sight, context)
    for topic, _, key in model:
        yield Difference(f"{path}.Events", ABSENT, [topic, key], "WIRE-087")


def _compare_event(
    recorded: RecordedEvent, event: Event, batch: Batch, path: str, sight: Sight, context: Context
) -> Iterator[Difference]:
    yield from compare(recorded.type, EVENT_TYPES[batch.step.typed.type], f"{path}.Type", _RULES)
    yield from compare(recorded.index, batch.index, f"{path}.Index", _RULES)
    yield from compare(recorded.filter_keys or [], event.filter_keys, f"{path}.FilterKeys", _RULES)
    unknown: list[str] = []
    shown = recorded.payload.get(event.topic)
    row = read(type(event.row), shown, unknown, source=f"{path}.Payload.{event.topic}")
    for name in unknown:
        yield Difference(f"{path}.Payload.{event.topic}.{name}", "is there", ABSENT, "WIRE-085")
    row = allow_clock(row, event.row, sight.clock, context)
    row = allow_lost_bytes(row, event.row, context)
    if isinstance(row, Evaluation) and isinstance(event.row, Evaluation):
        row = _allow_memory(row, event.row, batch, sight, context)
    yield from compare_rows(row, event.row, f"{path}.Payload.{event.topic}", _RULES)
    yield from _compare_computed(shown, event.row, f"{path}.Payload.{event.topic}")
    extra = {name: value for name, value in recorded.payload.items() if name != event.topic and value}
    yield from compare(extra, event.extra, f"{path}.Payload", _RULES)


def _compare_computed(shown: Any, row: Any, path: str) -> Iterator[Difference]:  # noqa: ANN401 -- a document, and any row
    """Compare what is told beside the members of a row, and follows from them."""
    for name, compute in list_computed(type(row)).items():
        recorded = shown.get(name, False) if isinstance(shown, Mapping) else ABSENT
        yield from compare(recorded, compute(row), f"{path}.{name}", (("", "OBJ-151"),))


def _allow_memory(
    row: Evaluation, model: Evaluation, batch: Batch, sight: Sight, context: Context
) -> Evaluation:
    request = batch.step.typed.entry.request
    if isinstance(request, EvalUpdate) and any(told.id == row.id for told in request.evals):
        return row  # the entry itself says what is in it
    return allow_memory(row, model, sight.find_eval, context)
