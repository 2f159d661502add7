"""Judges an event stream by itself, line by line, without the log behind it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from nomadspec.checkers.oracle.context import Context
from nomadspec.checkers.oracle.judgement import Difference
from nomadspec.checkers.oracle.partial.sight import TOPICS, Row, Sight
from nomadspec.checkers.oracle.reading import Line
from nomadspec.checkers.oracle.trace_stream import RecordedBatch, read_batch
from nomadspec.model.cluster.codec import read


@dataclass(slots=True)
class StreamAlone:
    """What a stream has shown so far."""

    context: Context
    name: str = "events"
    is_told: bool = False
    """Whether it is known where the stream broke: nowhere else lines come again."""
    first: int | None = None
    last: int = 0
    """The index of the last line that was not a heartbeat."""
    lines: int = 0
    gaps: list[tuple[int, int]] = field(default_factory=list)
    """From which index to which something may have been missed."""
    sight: Sight = field(init=False)

    def __post_init__(self) -> None:
        """Begin without having seen anything."""
        self.sight = Sight(self.context)

    def miss(self, until: int) -> None:
        """Note that lines may be missing after the last one and before an index."""
        if self.first is not None and until > self.last + 1:
            self.gaps.append((self.last + 1, until - 1))
            self.sight.forget()

    def take(self, line: Line) -> Iterator[Difference]:
        """Take a line; one that was seen before says nothing new, and a heartbeat nothing at all."""
        self.lines += 1
        batch = read_batch(line)
        if batch is None or batch.index is None:
            return
        path = f"{self.name}[{line.number}]"
        self.first = batch.index if self.first is None else self.first
        if batch.index < self.last and self.is_told:
            yield Difference(f"{path}.Index", batch.index, f"{self.last} or more", "WIRE-082")
            return
        self.last = batch.index
        yield from self._look_at_indexes(batch, path)
        yield from self.sight.see(list_rows(batch, path), batch.index, path)

    def _look_at_indexes(self, batch: RecordedBatch, path: str) -> Iterator[Difference]:
        """An event has the index of its line, and shows nothing that came after it."""
        for at, event in enumerate(batch.events):
            if event.index != batch.index:
                yield Difference(f"{path}.Events[{at}].Index", event.index, batch.index, "WIRE-085")


def list_rows(batch: RecordedBatch, path: str) -> Iterator[Row]:
    """List the objects of a line; a job that was deleted is no object any more."""
    for at, event in enumerate(batch.events):
        kind, shown = TOPICS.get(event.topic), event.payload.get(event.topic)
        if kind is not None and shown is not None and not event.payload.get("Deleted"):
            yield read(kind, shown, [], source=f"{path}.Events[{at}].Payload.{event.topic}")


def judge_lines(
    lines: Iterable[Line], breaks: Iterable[int], context: Context, name: str = "events"
) -> tuple[StreamAlone, list[Difference]]:
    """Judge the lines of a stream that broke after certain lines, and perhaps elsewhere."""
    stream, found, broken = StreamAlone(context, name), list[Difference](), frozenset(breaks)
    is_after_break = False
    for line in lines:
        if is_after_break:
            batch = read_batch(line)
            if batch is not None and batch.index is not None:
                stream = _take_up(stream, batch.index)
                is_after_break = False
        found += stream.take(line)
        is_after_break = is_after_break or line.number in broken
    return stream, found


def _take_up(stream: StreamAlone, index: int) -> StreamAlone:
    """Go on after a break, where lines may come again or may be missing."""
    stream.miss(index)
    stream.last = min(stream.last, index)
    return stream
