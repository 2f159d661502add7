"""Whole searches side by side: each is done by one process, as many at a time as there are processors."""

from __future__ import annotations

import multiprocessing
import os
from collections import deque
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from typing import TYPE_CHECKING, Any, Final, Self

from nomadspec.checkers.explore.running import can_map_files
from nomadspec.checkers.process_messages import hear, tell
from nomadspec.checkers.processors import count_processors
from nomadspec.checkers.progress import Progress
from nomadspec.checkers.stopping import stand_apart
from nomadspec.model.errors import NomadSpecError

if TYPE_CHECKING:
    from multiprocessing.process import BaseProcess
    from types import TracebackType

    from nomadspec.checkers.explore.named_search import Errand
    from nomadspec.checkers.verdict import ExploreReport

_TOLD_EVERY: Final = 200
"""How many times a search says how far it is before that is passed on: pipes are short."""


def find_near() -> NearSearches | None:
    """Give who searches beside this process; None where nobody could, or would gain."""
    count = count_processors() if can_map_files() else 1
    return NearSearches(count) if count > 1 else None


class NearSearches:
    """Searches that other processes do, whose reports are fetched when they are wanted."""

    def __init__(self, workers: int) -> None:
        """Start nothing yet."""
        self._workers = workers
        self._waiting: deque[Errand] = deque()
        self._under_way: dict[Connection, tuple[Errand, BaseProcess]] = {}
        self._done: dict[Errand, ExploreReport | None] = {}

    def __enter__(self) -> Self:
        """Begin."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End what is still under way."""
        for _, process in self._under_way.values():
            process.terminate()
        for _, process in self._under_way.values():
            process.join()
        self._under_way.clear()
        self._waiting.clear()

    def send(self, errand: Errand) -> None:
        """Have a search done as soon as a processor is free."""
        self._waiting.append(errand)
        self._start()

    def fetch(self, errand: Errand, progress: Progress) -> ExploreReport:
        """Wait for the report; a search that came to no end there is done here, where its fault is shown."""
        while errand not in self._done:
            self._hear(errand, progress)
        report = self._done.pop(errand)
        return errand.run(progress) if report is None else report

    def _start(self) -> None:
        context = multiprocessing.get_context("fork")
        while self._waiting and len(self._under_way) < self._workers:
            errand = self._waiting.popleft()
            ours, theirs = context.Pipe(duplex=False)
            process = context.Process(target=_search, args=(errand, theirs, os.getpid()))
            process.start()
            theirs.close()
            self._under_way[ours] = errand, process

    def _hear(self, wanted: Errand, progress: Progress) -> None:
        """Wait until some process says something; of the search that is wanted how far it is is passed on."""
        for line in [one for one in wait([*self._under_way]) if isinstance(one, Connection)]:
            errand, process = self._under_way[line]
            said: Any = None
            with suppress(EOFError):
                said = hear(line)
            if isinstance(said, tuple):
                if errand == wanted:
                    progress.update(*said)
                continue
            self._done[errand] = said
            del self._under_way[line]
            line.close()
            process.join()
            self._start()


class _Teller:
    """Tells whoever waits how far a search is, and ends the process when nobody waits any more."""

    def __init__(self, line: Connection, waiting: int) -> None:
        self._line = line
        self._waiting = waiting
        self._asked = 0

    def update(self, text: str, done: int, expected: int | None = None) -> None:
        self._asked += 1
        if self._asked % _TOLD_EVERY == 0:
            if os.getppid() != self._waiting:
                os._exit(1)
            tell(self._line, (text, done, expected))


def _search(errand: Errand, line: Connection, waiting: int) -> None:
    """Search; Ctrl-C is for whoever waits, and so is the fault of a search that has one."""
    stand_apart()
    report = None
    with suppress(NomadSpecError):
        report = errand.run(_Teller(line, waiting))
    with suppress(ConnectionError):
        tell(line, report)
