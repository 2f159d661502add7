"""Doing the same to each of many things, in several processes that share what was prepared before."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from typing import TYPE_CHECKING, Any, Final, TypeVar

from nomadspec.checkers.process_messages import hear, tell
from nomadspec.checkers.stopping import stand_apart

if TYPE_CHECKING:
    from multiprocessing.process import BaseProcess

Thing = TypeVar("Thing")
Answer = TypeVar("Answer")

_WORTH_SHARING: Final = 4
_AHEAD: Final = 64
"""So many answers may wait for one before them."""


def do_each(
    things: Sequence[Thing], do: Callable[[Thing], Answer], workers: int
) -> Iterator[tuple[Thing, Answer]]:
    """Give each thing with what came of it, in their order.

    What a process had in hand when somebody killed it is done here.
    """
    if workers <= 1 or len(things) < _WORTH_SHARING:
        for thing in things:
            yield thing, do(thing)
        return
    crew = _Crew(things, do, min(workers, len(things)))
    try:
        for number, thing in enumerate(things):
            yield thing, crew.fetch(number)
    finally:
        crew.close()


class _Crew:
    """Processes that are given one thing after the other, by its number."""

    def __init__(self, things: Sequence[Any], do: Callable[[Any], Any], workers: int) -> None:
        self._things = things
        self._do = do
        self._next = 0
        self._answers: dict[int, Any] = {}
        self._busy: dict[Connection, int] = {}
        self._idle: list[Connection] = []
        self._processes: list[BaseProcess] = []
        for _ in range(workers):
            self._start()

    def fetch(self, number: int) -> Any:  # noqa: ANN401 -- whatever is answered
        """Wait for an answer, and keep everybody busy meanwhile."""
        while number not in self._answers:
            self._give(number + _AHEAD)
            if number >= self._next:  # nobody is left to whom it could be given
                self._next = number + 1
                self._answers[number] = self._do(self._things[number])
            elif number not in self._answers:
                self._hear()
        return self._answers.pop(number)

    def close(self) -> None:
        """Send everybody home."""
        for line in (*self._idle, *self._busy):
            line.close()
        for process in self._processes:
            process.terminate()
        for process in self._processes:
            process.join()

    def _start(self) -> None:
        context = multiprocessing.get_context("fork")
        ours, theirs = context.Pipe()
        process = context.Process(target=self._serve, args=(theirs, ours), daemon=True)
        process.start()
        theirs.close()
        self._idle.append(ours)
        self._processes.append(process)

    def _give(self, end: int) -> None:
        while self._idle and self._next < min(end, len(self._things)):
            line = self._idle.pop()
            with suppress(ConnectionError):
                tell(line, self._next)
            self._busy[line] = self._next
            self._next += 1

    def _hear(self) -> None:
        for line in [one for one in wait([*self._busy]) if isinstance(one, Connection)]:
            number = self._busy.pop(line)
            try:
                self._answers[number] = hear(line)
            except (EOFError, ConnectionError):
                line.close()
                self._answers[number] = self._do(self._things[number])
            else:
                self._idle.append(line)

    def _serve(self, line: Connection, other: Connection) -> None:
        """Do what is said until nobody is there; who stops the run is answered by whoever leads it."""
        stand_apart()
        other.close()
        for earlier in self._idle:
            earlier.close()
        with suppress(EOFError, ConnectionError):
            while True:
                tell(line, self._do(self._things[hear(line)]))
