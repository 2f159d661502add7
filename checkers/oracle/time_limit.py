"""Ends what takes too long: a timer of the system interrupts the main thread.

Where there is no such timer (on Windows, or in another thread than the main one), nothing is ended.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from traceback import clear_frames
from types import FrameType
from typing import ClassVar

from nomadspec.checkers.finalisers import answer_lost, is_answering
from nomadspec.model.errors import EXIT_INCONCLUSIVE, NomadSpecError


class TooLongError(NomadSpecError):
    """Something took longer than it may; the message says how to give it more time."""

    exit_code: ClassVar[int] = EXIT_INCONCLUSIVE

    def __init__(self, seconds: float) -> None:
        """Keep how long it may take."""
        self.seconds = seconds
        super().__init__(f"It took longer than {seconds:g} s; allow more with --max-seconds NUMBER.")


class _RingError(BaseException):
    """What the timer raises: no handler of errors on the way keeps it."""


@contextmanager
def patience(seconds: float) -> Iterator[None]:
    """Let what is inside take so many seconds, or as long as it likes where that is 0."""
    if not seconds or not _has_timer():
        yield
        return
    is_over = has_rung = False

    def ring(_number: int, frame: FrameType | None) -> None:
        nonlocal has_rung
        if not is_over and not is_answering(frame):
            has_rung = True
            raise _RingError

    before = signal.signal(signal.SIGALRM, ring)
    leave_finalisers = answer_lost(_RingError, lambda: None, lambda: has_rung)  # it rings again
    # Rings again and again: one ring may be lost where an exception cannot pass, such as in a finaliser.
    around = signal.setitimer(signal.ITIMER_REAL, seconds, min(seconds, 1.0))
    try:
        yield
        is_over = True
    except _RingError as heard:
        is_over = True
        clear_frames(heard.__traceback__)  # what is half made is taken down now, without noise
        raise TooLongError(seconds) from None
    finally:
        is_over = True
        leave_finalisers()
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        signal.setitimer(signal.ITIMER_REAL, *around)  # of a patience around this one


def _has_timer() -> bool:
    return hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()
