"""Progress of long runs on stderr: a bar on a terminal, a plain line every few seconds elsewhere.

Engines report much more often than anybody wants to read, so reporters throttle.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from contextlib import suppress
from types import TracebackType
from typing import Final, Protocol, Self, TextIO

from nomadspec.checkers.escaping import write_json
from nomadspec.checkers.progress import Progress
from nomadspec.checkers.written_by import TOOL

_BAR_INTERVAL_S: Final = 0.1
_LINE_INTERVAL_S: Final = 5.0
_EVENT_INTERVAL_S: Final = 1.0
_BAR_WIDTH: Final = 12
_CLEAR_LINE: Final = "\r\x1b[2K"

Clock = Callable[[], float]


class Reporter(Protocol):
    """Progress that is shown somewhere until its ``with`` block ends."""

    def __enter__(self) -> Self:
        """Begin."""
        ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Leave the place as it was."""
        ...

    def update(self, text: str, done: int, expected: int | None = None) -> None:
        """Hear that so much is done, of so much expected where that is known."""
        ...


class Quiet:
    """Nobody wants to know."""

    def __enter__(self) -> Self:
        """Begin without a word."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End without a word."""

    def update(self, text: str, done: int, expected: int | None = None) -> None:
        """Ignore it."""


class Bar(Quiet):
    """One line of a terminal, written over and over and cleared at the end."""

    def __init__(self, stream: TextIO, clock: Clock = time.monotonic) -> None:
        """Keep where to write; the first update is shown at once."""
        self._stream = stream
        self._clock = clock
        self._shown_at = float("-inf")
        self._speed = Speed(clock)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Clear the line."""
        if self._shown_at > float("-inf"):
            _write(self._stream, _CLEAR_LINE)

    def update(self, text: str, done: int, expected: int | None = None) -> None:
        """Write the line again when enough time has passed."""
        now = self._clock()
        speed = self._speed.of(text, done)
        if now - self._shown_at < _BAR_INTERVAL_S:
            return
        self._shown_at = now
        bar = ""
        if expected:
            filled = min(_BAR_WIDTH, _BAR_WIDTH * done // expected)
            bar = f" [{'#' * filled}{'.' * (_BAR_WIDTH - filled)}]"
        line = f"{text}:{bar} {describe_amount(done, expected)}{speed}"
        _write(self._stream, _CLEAR_LINE + line[: _columns(self._stream) - 1])


class Lines(Quiet):
    """A line every few seconds, for logs."""

    def __init__(self, stream: TextIO, clock: Clock = time.monotonic) -> None:
        """Keep where to write; a run that ends soon says nothing."""
        self._stream = stream
        self._clock = clock
        self._shown_at = clock()
        self._speed = Speed(clock)

    def update(self, text: str, done: int, expected: int | None = None) -> None:
        """Write a line when enough time has passed."""
        now = self._clock()
        speed = self._speed.of(text, done)
        if now - self._shown_at < _LINE_INTERVAL_S:
            return
        self._shown_at = now
        _write(self._stream, f"{text}: {describe_amount(done, expected)}{speed}\n")


class Events(Quiet):
    """A line of JSON every second, for programs."""

    def __init__(self, stream: TextIO, clock: Clock = time.monotonic) -> None:
        """Keep where to write; the first update is shown at once."""
        self._stream = stream
        self._clock = clock
        self._began_at = clock()
        self._shown_at = float("-inf")

    def update(self, text: str, done: int, expected: int | None = None) -> None:
        """Write a line when enough time has passed: docs/reference/json/progress.json says what it means."""
        now = self._clock()
        if now - self._shown_at < _EVENT_INTERVAL_S:
            return
        self._shown_at = now
        event = {
            "schema": "nomadspec/progress/1",
            "tool": TOOL,
            "seconds": round(now - self._began_at, 3),
            "text": text,
            "done": done,
            "expected": expected,
        }
        _write(self._stream, f"{write_json(event)}\n")


class Titled:
    """Progress of a part of a larger run: what it is about stands before what is done."""

    def __init__(self, whole: Progress, title: str, expected: int | None) -> None:
        """Keep who is told, and how much is expected where the engine itself does not know."""
        self._whole = whole
        self._title = title
        self._expected = expected

    def update(self, text: str, done: int, expected: int | None = None) -> None:
        """Pass it on."""
        self._whole.update(f"{self._title}: {text}", done, expected or self._expected)


class Speed:
    """How fast something grows since it was first heard of."""

    def __init__(self, clock: Clock) -> None:
        """Begin with nothing heard."""
        self._clock = clock
        self._text = ""
        self._began_at = 0.0
        self._began_with = 0

    def of(self, text: str, done: int) -> str:
        """Give the speed as words, or nothing where it cannot be known yet."""
        now = self._clock()
        about = text.partition(":")[0]  # what follows says how far it is
        if about != self._text or done < self._began_with:
            self._text, self._began_at, self._began_with = about, now, done
        elapsed = now - self._began_at
        grown = done - self._began_with
        return f", {grown / elapsed:,.0f}/s" if elapsed >= 1 and grown >= elapsed else ""


def progress_for(stream: TextIO, *, is_quiet: bool, form: str = "auto") -> Reporter:
    """Choose how progress is shown on a stream: ``json`` as events, ``auto`` as the stream likes it."""
    if is_quiet:
        return Quiet()
    if form == "json":
        return Events(stream)
    is_terminal = stream.isatty() and os.environ.get("TERM", "") != "dumb"
    return Bar(stream) if is_terminal else Lines(stream)


def describe_amount(done: int, expected: int | None) -> str:
    """Write how much of what is done."""
    return f"{done:,} of {expected:,}" if expected else f"{done:,}"


def _write(stream: TextIO, text: str) -> None:
    """Write at once; that a terminal is gone or a disk is full must not end the run that is told about."""
    with suppress(OSError):
        stream.write(text)
        stream.flush()


def _columns(stream: TextIO) -> int:
    try:
        return os.get_terminal_size(stream.fileno()).columns or 80
    except OSError:
        return 80
