"""A program that outlives its cluster: Ray ends a process whose cluster is gone, with the code 1 and no word.

So the work is done by a copy of the process, which sends its exit code when it comes to an end of its own.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from contextlib import suppress
from typing import Final

from nomadspec.checkers.cli.early_arguments import asks_for
from nomadspec.checkers.stopping import SIGNALS

_END_WITH_PARENT: Final = 1
"""What Linux is asked, by ``prctl``: to send a signal when the process that began this one ends."""

_told: list[int] = []
"""Where the copy sends its exit code."""


def outlive() -> int | None:
    """Go on as a copy, with None; whoever has called gets its exit code, when it has ended."""
    reader, writer = os.pipe()
    heard = [number for number in SIGNALS if signal.getsignal(number) is not signal.SIG_IGN]
    signal.pthread_sigmask(signal.SIG_BLOCK, heard)
    copy = os.fork()
    if not copy:
        os.close(reader)
        _told.append(writer)
        _stand_alone()
    else:
        os.close(writer)
        for number in heard:
            signal.signal(number, lambda number, _frame: os.kill(copy, number))
    signal.pthread_sigmask(signal.SIG_UNBLOCK, heard)
    return _watch(copy, reader) if copy else None


def tell_ending(code: int) -> None:
    """Send the exit code, in a copy: what happens from now on, or is said by Ray, changes nothing."""
    for writer in _told:
        sys.stdout.flush()
        sys.stdout = sys.stderr
        with suppress(OSError):
            os.write(writer, bytes([code]))


def _stand_alone() -> None:
    """Hear of Ctrl-C from the process before alone, and end with it."""
    os.setpgid(0, 0)
    with suppress(AttributeError, OSError):  # only Linux has it
        ctypes.CDLL(None).prctl(_END_WITH_PARENT, signal.SIGTERM)


def _watch(copy: int, reader: int) -> int:
    _, status = os.waitpid(copy, 0)
    for number in SIGNALS:
        signal.signal(number, signal.SIG_IGN)
    os.set_blocking(reader, False)
    told = b""
    with suppress(BlockingIOError):  # something that the copy has started holds the other end
        told = os.read(reader, 1)
    return told[0] if told else _tell_loss(os.waitstatus_to_exitcode(status))


def _tell_loss(code: int) -> int:
    from nomadspec.checkers.cli.boundary import Boundary
    from nomadspec.model.errors import UnavailableError

    cause = f"by signal {-code}" if code < 0 else "by Ray, as it does where its cluster is gone"
    with Boundary(wants_json=asks_for("--json", sys.argv[1:])) as boundary:
        raise UnavailableError(
            f"The process that does the work was ended {cause}: call again; a search goes on from its "
            "--checkpoint with --resume, and --workers needs no cluster."
        )
    return boundary.exit_code
