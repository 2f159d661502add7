"""How a run is asked to stop: Ctrl-C, SIGTERM and SIGHUP mean the same, and the first of them counts.

The command line takes the signals when it begins. From then on there are three kinds of times. At first a
signal raises ``KeyboardInterrupt``: nothing was found yet. While an engine works, within ``interruptible``,
it does the same, and the engine ends with what it has; an engine that looks for itself whether it should
stop says so with ``heeding``. After that, and within ``shielded``, a signal is only kept in mind: what was
found is being written, and the next engine stops before it begins. A second signal never does harm: it is
answered by a sentence.
"""

from __future__ import annotations

import _thread
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, TypeAlias

from nomadspec.checkers.finalisers import answer_lost, is_answering

if TYPE_CHECKING:
    from types import FrameType

SIGNALS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""What asks for a stop."""

ALREADY: Final = (
    "nomadspec: already stopping: what was found is being kept and reported; wait for it, since kill -9 "
    "would lose what no checkpoint holds yet.\n"
)
_STDERR: Final = 2
_SOON_S: Final = 0.005
"""So long after a wish was lost it is uttered again: a finaliser is over by then, or loses it once more."""

_Answer: TypeAlias = "Callable[[int, FrameType | None], object] | int | None"


def _end() -> None:
    raise KeyboardInterrupt


def _end_at_first() -> None:
    """Do the same as long as no engine has begun, for then there is nothing to report."""
    raise KeyboardInterrupt


@dataclass
class _Wish:
    """The wish to stop, of which a process has only one."""

    taken: dict[int, _Answer] = field(default_factory=dict)
    """The signals that are heard here, each with what answered it before."""
    is_asked: bool = False
    is_heard: bool = False
    """Whether somebody has begun to stop, so that nothing has to be raised any more."""
    is_lost: bool = False
    """Whether what was raised came where nothing can be raised, and is about to be raised again."""
    pass_on: Callable[[], None] | None = _end_at_first
    """What a signal does now; None where it is only kept in mind."""
    leave_finalisers: Callable[[], None] | None = None
    """Ends that wishes are heard in finalisers."""

    def hear(self, _number: int, frame: FrameType | None) -> None:
        """Take a signal; what is written goes past Python's streams, which may be writing just now."""
        if self.is_asked and not self.is_lost:
            with suppress(OSError):
                os.write(_STDERR, ALREADY.encode())
        is_first, self.is_asked, self.is_lost = not self.is_asked, True, False
        if self.pass_on is None or (self.is_heard and not is_first):
            return
        if is_answering(frame):
            self.hear_lost()
        else:
            self.pass_on()

    def hear_lost(self) -> None:
        """Have the signal again in a moment, by a thread of the barest kind: this may be anywhere."""
        self.is_lost = True
        _thread.start_new_thread(_send_again, (next(iter(self.taken), signal.SIGINT),))

    def begin(self) -> None:
        self.is_asked = self.is_heard = self.is_lost = False
        self.pass_on = _end_at_first


def _send_again(number: int) -> None:
    time.sleep(_SOON_S)
    with suppress(ProcessLookupError):  # the main thread has ended
        signal.pthread_kill(threading.main_thread().ident or 0, number)


_wish: Final = _Wish()


def take_signals(signals: Sequence[signal.Signals] = SIGNALS) -> bool:
    """Hear signals from now on, in the main thread; those that are ignored, as under nohup, stay so.

    Whoever has taken them already goes on with what was asked so far.
    """
    if threading.current_thread() is not threading.main_thread():
        return False
    if not _wish.taken:
        _wish.begin()
    for number in signals:
        now = signal.getsignal(number)
        if now not in {None, signal.SIG_IGN, _wish.hear}:
            _wish.taken.setdefault(number, now)
            signal.signal(number, _wish.hear)
    if _wish.taken and _wish.leave_finalisers is None:
        _wish.leave_finalisers = answer_lost(KeyboardInterrupt, _wish.hear_lost, is_stopping)
    return bool(_wish.taken)


def retake_signals() -> None:
    """Hear again what somebody else has taken meanwhile, if this program had taken signals."""
    if _wish.taken:
        take_signals()


def give_back_signals() -> None:
    """Let signals do what they did before."""
    while _wish.taken:
        number, before = _wish.taken.popitem()
        signal.signal(number, before)
    if _wish.leave_finalisers is not None:
        _wish.leave_finalisers()
        _wish.leave_finalisers = None
    _wish.begin()


def shield() -> None:
    """Keep signals in mind from now on: there is something that must be told whole."""
    _wish.pass_on, _wish.is_heard = None, _wish.is_asked


def is_stopping() -> bool:
    """True if somebody has asked for a stop."""
    return _wish.is_asked


@contextmanager
def interruptible() -> Iterator[None]:
    """Let a signal end what is done here, also one that came before; afterwards signals are kept in mind.

    Where nobody has taken the signals, Python raises at Ctrl-C anyway.
    """
    if not _wish.taken:
        yield
        return
    with _passing_on(_end):
        yield


@contextmanager
def _passing_on(stop: Callable[[], None]) -> Iterator[None]:
    before = None if _wish.pass_on is _end_at_first else _wish.pass_on
    try:
        _wish.pass_on = stop
        if _wish.is_asked:
            stop()
        yield
    except Exception as problem:
        if _wish.is_asked and KeyboardInterrupt.__name__ in str(problem):
            raise KeyboardInterrupt from problem  # ctypes wraps what comes while it converts an argument
        raise
    finally:
        _wish.pass_on, _wish.is_heard = before, _wish.is_asked


@contextmanager
def shielded() -> Iterator[None]:
    """Let what is done here be finished, and a signal that came meanwhile do what it does afterwards."""
    before, _wish.pass_on = _wish.pass_on, None
    was_asked = _wish.is_asked
    try:
        yield
    finally:
        _wish.pass_on = before
    if _wish.is_asked and not was_asked and before is not None:
        before()


@contextmanager
def heeding(stop: Callable[[], None]) -> Iterator[None]:
    """Pass the wish to stop on to who looks for it, also one that came before.

    Where the program has not taken the signals, Ctrl-C is taken here, for as long as this lasts.
    """
    is_ours = not _wish.taken and take_signals((signal.SIGINT,))
    try:
        with _passing_on(stop):
            yield
    finally:
        if is_ours:
            give_back_signals()


def stand_apart() -> None:
    """Let a process that works for another one be ended by that one only: call it in the copy.

    A terminal sends Ctrl-C and its own end to a whole group of processes, and who leads the work would lose
    its hands before it hears of it. ``terminate`` ends such a process as ever.
    """
    os.setpgrp()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)


def _forget() -> None:
    """Leave signals to the process before: a copy of it is ended as processes usually are."""
    give_back_signals()


os.register_at_fork(after_in_child=_forget)
