"""Watches the event stream of a running cluster through reconnects, and judges it line by line."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final

from nomadspec.checkers.oracle.context import Context
from nomadspec.checkers.oracle.judgement import Difference
from nomadspec.checkers.oracle.limits import Limits
from nomadspec.checkers.oracle.partial.stream_alone import StreamAlone
from nomadspec.checkers.oracle.reading import Line, parse_line
from nomadspec.checkers.oracle.trace_stream import RecordedBatch, read_batch
from nomadspec.checkers.replay.address import Address
from nomadspec.checkers.replay.connection import LostError, open_lines
from nomadspec.checkers.verdict import Verdict
from nomadspec.model.errors import InputError

IDLE_S: Final = 75.0
"""Two heartbeats may be late; a server that is silent for longer is lost."""

Open = Callable[[Address, int, float, Limits], Iterator[bytes]]
"""Opens the stream from an index on."""


@dataclass(frozen=True, slots=True)
class Until:
    """When to stop watching: each of them is enough."""

    index: int | None = None
    """When a line of this index, or a later one, was seen."""
    deadline: float | None = None
    """At this time of the clock."""
    retries: int = 5
    """After so many attempts in a row to connect."""


@dataclass(frozen=True, slots=True)
class Seen:
    """A line that was judged."""

    batch: RecordedBatch
    wrong: tuple[Difference, ...]


@dataclass(slots=True)
class Watch:
    """What was seen of a running cluster so far."""

    address: Address
    context: Context
    clock: Callable[[], float]
    sleep: Callable[[float], None]
    open: Open = open_lines
    stream: StreamAlone = field(init=False)
    wrong: list[Difference] = field(default_factory=list)
    breaks: list[str] = field(default_factory=list)
    """Why each connection ended."""
    stopped_by: str = ""
    _at_last: int = 0
    """How many lines of the last index were seen; after a break they come again."""
    _to_skip: int = 0
    _is_joined: bool = True
    """Whether since the last break a line was seen that joins what came before."""

    def __post_init__(self) -> None:
        """Begin without having seen anything."""
        self.stream = StreamAlone(self.context, is_told=True)

    def follow(self, since: int, until: Until) -> Iterator[Seen]:
        """Take lines until it is time to stop; what breaks is taken up again where it broke."""
        failed = 0
        while not self.stopped_by:
            seen_before = self.stream.lines
            try:
                idle_s = self._find_patience(until)
                for line in self.open(self.address, self.stream.last or since, idle_s, self.context.limits):
                    yield from self._take(line)
                    self.stopped_by = self._find_end(until)
                    if self.stopped_by:
                        return
            except LostError as lost:
                self.stopped_by = self._find_end(until)
                if self.stopped_by:
                    return
                self.breaks.append(str(lost))
            failed = 1 if self.stream.lines > seen_before else failed + 1
            if failed > until.retries:
                self.stopped_by = f"the connection was lost {failed} times in a row: {self.breaks[-1]}"
                return
            self._prepare()
            self.stopped_by = self._find_end(until)
            self.sleep(min(2.0 ** (failed - 1), 30.0) if not self.stopped_by else 0.0)

    def _find_patience(self, until: Until) -> float:
        """Find how long a server may be silent: no longer than there is time."""
        if until.deadline is None:
            return IDLE_S
        return max(0.01, min(IDLE_S, until.deadline - self.clock()))

    def _find_end(self, until: Until) -> str:
        if until.index is not None and self.stream.last >= until.index:
            return f"index {until.index} was reached"
        if until.deadline is not None and self.clock() >= until.deadline:
            return "the time is over"
        return ""

    def _prepare(self) -> None:
        """Get ready for lines that come again."""
        self._to_skip = self._at_last
        self._is_joined = self.stream.first is None

    def _take(self, raw: bytes) -> Iterator[Seen]:
        line = _read(raw, self.stream.lines + 1, self.address)
        batch = read_batch(line)
        if batch is None or batch.index is None:
            self.stream.lines += 1
            return
        if not self._is_joined and self._comes_again(batch.index):
            return
        if not self._is_joined:
            self.stream.miss(batch.index)
            self._is_joined = True
        self._at_last = self._at_last + 1 if batch.index == self.stream.last else 1
        wrong = tuple(self.stream.take(line))
        self.wrong += wrong
        yield Seen(batch, wrong)

    def _comes_again(self, index: int) -> bool:
        """True if a line was seen before the break: those of the last index are, so many as there were.

        When one of them was met, nothing is missing after it.

        Spec: WIRE-091.
        """
        if index > self.stream.last:
            return False
        if index == self.stream.last:
            self._to_skip -= 1
            self._is_joined = self._to_skip <= 0
        return True

    @property
    def verdict(self) -> Verdict:
        """Give the verdict: without a log nothing more can be said than that nothing impossible was seen."""
        return Verdict.VIOLATED if self.wrong else Verdict.INCONCLUSIVE


def _read(raw: bytes, number: int, address: Address) -> Line:
    """Read a line; what is none of a stream is refused with its number."""
    found = parse_line(raw, str(address), number)
    if isinstance(found, InputError):
        raise found
    return found
