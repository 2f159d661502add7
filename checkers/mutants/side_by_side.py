"""Doing the same to each of many things, in several processes that share what was prepared before."""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, TypeVar

Thing = TypeVar("Thing")
Answer = TypeVar("Answer")

_WORTH_SHARING: Final = 4
_current: list[tuple[Sequence[Any], Callable[[Any], Any]]] = []
"""What is being done: processes that are forked find it here."""


def do_each(
    things: Sequence[Thing], do: Callable[[Thing], Answer], workers: int
) -> Iterator[tuple[Thing, Answer]]:
    """Give each thing with what came of it, in their order."""
    if workers <= 1 or len(things) < _WORTH_SHARING:
        for thing in things:
            yield thing, do(thing)
        return
    _current.append((things, do))
    try:
        with multiprocessing.get_context("fork").Pool(workers, _ignore_interrupt) as pool:
            yield from zip(things, pool.imap(_do, range(len(things))), strict=True)
    finally:
        _current.pop()


def _do(number: int) -> object:
    things, do = _current[-1]
    return do(things[number])


def _ignore_interrupt() -> None:
    """Leave Ctrl-C to whoever waits for the answers."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
