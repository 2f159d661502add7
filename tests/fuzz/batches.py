"""Feeds inputs in batches, each in a copy of a process that has read all that inputs are made from."""

from __future__ import annotations

import base64
import gc
import json
import multiprocessing
import os
import resource
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from multiprocessing.connection import wait
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from multiprocessing.context import ForkProcess

    from tests.fuzz.findings import Told
    from tests.fuzz.targets import Input

_BATCH: Final = 20_000
_MEMORY_BYTES: Final = 4 << 30
"""So much address space a batch may have."""
_IN_MEMORY: Final = Path("/dev/shm")  # noqa: S108 -- only where folders are made that nobody foresees
"""Where files are made soonest."""
_LOOK_S: Final = 5.0
_PATIENT_LOOKS: Final = 24
"""After so many looks at the same input a batch is ended from outside: nothing inside it answers.

Looks are counted, not seconds: a clock jumps where a machine was asleep.
"""
_NUMBER_BYTES: Final = 8
_GARBAGE: Final = (50_000, 20, 100)
"""A batch keeps little of what it makes."""


@dataclass(frozen=True, slots=True)
class Asked:
    """Which inputs are fed: to an end where there is one, else for some seconds."""

    seed: int
    first: int
    end: int | None
    seconds: float
    workers: int = 1
    only: str | None = None

    @property
    def is_long(self) -> bool:
        """Whether there may be more inputs than one batch."""
        return self.end is None or self.end - self.first > _BATCH


@dataclass(slots=True)
class Report:
    """What came of all inputs: how often, and the first input of each site."""

    counted: Counter[str] = field(default_factory=Counter)
    by_target: Counter[str] = field(default_factory=Counter)
    findings: dict[str, dict[str, Any]] = field(default_factory=dict)

    def add(self, told: Mapping[str, Any]) -> None:
        """Add what a batch found."""
        self.counted.update(told["counted"])
        self.by_target.update(told["by_target"])
        for site, one in told["findings"].items():
            kept = self.findings.setdefault(site, {**one, "times": 0})
            kept["times"] += one["times"]

    def write(self, path: Path) -> None:
        """Write it for whoever has started the batch."""
        found = {"counted": self.counted, "by_target": self.by_target, "findings": self.findings}
        path.write_text(json.dumps(found))


@dataclass(slots=True)
class _Batch:
    """Some neighbouring inputs, and the process that feeds them."""

    process: ForkProcess
    folder: Path
    first: int
    end: int
    _seen: int = -1
    _looks: int = 0

    @property
    def number(self) -> int:
        """The input that is fed just now."""
        return int.from_bytes((self.folder / "number").read_bytes(), "little")

    def look(self) -> None:
        """Look whether it went on to another input."""
        self._looks = self._looks + 1 if self.number == self._seen else 0
        self._seen = self.number

    @property
    def is_silent(self) -> bool:
        """Whether it was found at the same input so often that nothing answers any more."""
        return self._looks >= _PATIENT_LOOKS


def feed_batches(asked: Asked, report: Report, show: Callable[[], None]) -> None:
    """Feed all inputs, and add to a report what comes of them."""
    end_s = time.monotonic() + asked.seconds if asked.end is None else None
    if asked.is_long:
        _make_ready(asked)
    running: list[_Batch] = []
    todo = _Todo(asked, end_s)
    with tempfile.TemporaryDirectory(dir=_IN_MEMORY if _IN_MEMORY.is_dir() else None) as place:
        try:
            while True:
                while len(running) < asked.workers and (span := todo.take()) is not None:
                    running.append(_start(asked, span, Path(place), end_s))
                if not running:
                    return
                for batch in _list_ended(running):
                    running.remove(batch)
                    _take_in(asked, batch, report, todo)
                    show()
        finally:
            for batch in running:
                batch.process.kill()
                batch.process.join()


class _Todo:
    """The inputs that nobody feeds yet."""

    def __init__(self, asked: Asked, end_s: float | None) -> None:
        self._next = asked.first
        self._end = asked.end
        self._end_s = end_s
        self._left: list[tuple[int, int]] = []

    def take(self) -> tuple[int, int] | None:
        if self._end_s is not None and time.monotonic() >= self._end_s:
            return None
        if self._left:
            return self._left.pop()
        first = self._next
        self._next = first + _BATCH if self._end is None else min(first + _BATCH, self._end)
        return (first, self._next) if first < self._next else None

    def give_back(self, first: int, end: int) -> None:
        """Have those fed that came after one that ended its batch."""
        if first < end:
            self._left.append((first, end))


def _make_ready(asked: Asked) -> None:
    """Make an input for each target, so that no batch has to read again what they are made from."""
    from tests.fuzz.targets import make_ready

    make_ready(asked.only)
    gc.collect()
    gc.freeze()


def _start(asked: Asked, span: tuple[int, int], place: Path, end_s: float | None) -> _Batch:
    folder = Path(tempfile.mkdtemp(dir=place))
    _write_number(folder, span[0])
    process = multiprocessing.get_context("fork").Process(
        target=_run_batch, args=(asked, span, folder, end_s)
    )
    process.start()
    return _Batch(process, folder, *span)


def _write_number(folder: Path, number: int) -> None:
    (folder / "number").write_bytes(number.to_bytes(_NUMBER_BYTES, "little"))


def _list_ended(running: list[_Batch]) -> list[_Batch]:
    wait([batch.process.sentinel for batch in running], _LOOK_S)
    for batch in running:
        batch.look()
        if batch.process.is_alive() and batch.is_silent:
            batch.process.kill()
            batch.process.join()
    return [batch for batch in running if not batch.process.is_alive()]


def _take_in(asked: Asked, batch: _Batch, report: Report, todo: _Todo) -> None:
    batch.process.join()
    told = batch.folder / "told.json"
    if batch.process.exitcode == 0 and told.exists():
        report.add(json.loads(told.read_text()))
        return
    number = batch.number
    report.counted["answered"] += number - batch.first
    report.add(_tell_dead(asked, number, batch.process.exitcode, is_silent=batch.is_silent))
    todo.give_back(number + 1, batch.end)


def _tell_dead(asked: Asked, number: int, code: int | None, *, is_silent: bool) -> dict[str, Any]:
    """The process of a batch ended or did not answer: its last input is the finding."""
    from tests.fuzz.targets import make_input

    given = make_input(asked.seed, number, asked.only)
    site = f"hang: {given.target}" if is_silent else f"crash: the process ended with {code} in {given.target}"
    one = _write_down(given, number, site, given.content)
    return {"counted": {site.partition(":")[0]: 1}, "by_target": {given.target: 1}, "findings": {site: one}}


def _run_batch(asked: Asked, span: tuple[int, int], folder: Path, end_s: float | None) -> None:
    from tests.fuzz.targets import feed, make_input

    _stand_alone()
    report, place = Report(), folder / "work"
    with (folder / "number").open("r+b", buffering=0) as told_number:
        for number in range(*span):
            if end_s is not None and time.monotonic() > end_s:
                break
            os.pwrite(told_number.fileno(), number.to_bytes(_NUMBER_BYTES, "little"), 0)
            given = make_input(asked.seed, number, asked.only)
            told = feed(given, place)
            report.counted[told.outcome] += 1
            report.by_target[given.target] += 1
            if told.is_finding:
                _note(report, given, number, told, place)
    report.write(folder / "told.json")


def _stand_alone() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY_BYTES, _MEMORY_BYTES))
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    sys.stdin = Path(os.devnull).open(encoding="utf-8")  # noqa: SIM115 -- until the end
    gc.set_threshold(*_GARBAGE)


def _note(report: Report, given: Input, number: int, told: Told, place: Path) -> None:
    from tests.fuzz.minimise import minimise
    from tests.fuzz.targets import Input, feed

    site = f"{told.outcome}: {told.site}"
    if site in report.findings:
        report.findings[site]["times"] += 1
        return

    def still_fails(smaller: bytes) -> bool:
        return feed(Input(given.target, smaller, given.is_corrupted), place) == told

    content = minimise(given.content, still_fails) if told.outcome == "crash" else given.content
    report.findings[site] = _write_down(given, number, site, content)


def _write_down(given: Input, number: int, site: str, content: bytes) -> dict[str, Any]:
    return {
        "number": number,
        "site": site,
        "target": given.target,
        "is_corrupted": given.is_corrupted,
        "content": base64.b64encode(content).decode(),
        "times": 1,
    }
