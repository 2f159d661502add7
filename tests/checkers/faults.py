"""Faults on purpose: a process that ends at a call to the system, and a disk that is full at a byte."""

import os
import resource
import signal
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any, Final

from nomadspec.model.errors import NomadSpecError

REACHING: Final = frozenset(
    {
        *("open", "fdopen", "write", "flush", "close", "fsync", "truncate", "ftruncate"),
        *("replace", "rename", "link", "unlink", "mkdir"),
    }
)
"""Calls that make something on disk, or end it."""

KILLED: Final = 9
DONE: Final = 0
REFUSED: Final = 3
BROKEN: Final = 4


class Fault:
    """Ends this process at the so-manieth call, before it or after it; counts calls where there is none."""

    def __init__(self, at: int, event: str) -> None:
        self.seen = 0
        self._at = at
        self._event = event

    def __call__(self, _frame: FrameType, event: str, called: Any) -> None:
        if event == self._event and getattr(called, "__name__", "") in REACHING:
            self.seen += 1
            if self.seen == self._at:
                os._exit(KILLED)


def count_calls(do: Callable[[], object]) -> int:
    """Count the calls that reach the system."""
    fault = Fault(0, "c_call")
    sys.setprofile(fault)
    try:
        do()
    finally:
        sys.setprofile(None)
    return fault.seen


def run_in_copy(do: Callable[[], object]) -> int:
    """Do something in a copy of this process, and say how it ended."""
    child = os.fork()
    if not child:
        code = BROKEN
        try:
            do()
            code = DONE
        except (OSError, NomadSpecError):
            code = REFUSED
        finally:
            sys.setprofile(None)
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def kill_at(do: Callable[[], object], at: int, event: str) -> int:
    """Do something in a copy of this process that is ended at a call."""

    def do_and_die() -> None:
        sys.setprofile(Fault(at, event))
        do()

    return run_in_copy(do_and_die)


def fill_at(do: Callable[[], object], most_bytes: int) -> int:
    """Do something in a copy of this process for which no file may be longer."""

    def do_with_little_room() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (most_bytes, most_bytes))
        do()

    return run_in_copy(do_with_little_room)
