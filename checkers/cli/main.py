"""The entry point of ``nomadspec``: runs a command line and turns its end into an exit code.

It imports nothing that takes long, so that Ctrl-C is answered from the first moment on.
"""

import io
import os
import signal
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, TextIO

from nomadspec.checkers.cli.outliving import outlive, tell_ending
from nomadspec.checkers.stopping import SIGNALS, shield, shielded, take_signals

_REPLACED: Final[list[TextIO]] = []
"""Streams that others took the place of: one that nobody holds closes the file below it."""

INTERRUPTED: Final = "Interrupted before there was anything to report."


def run(arguments: Sequence[str]) -> int:
    """Run a command line and give its exit code; nothing is raised."""
    from nomadspec.checkers.cli.boundary import Boundary
    from nomadspec.checkers.cli.overview import COMPLETION_VARIABLE, PROGRAM, overview

    instruction = os.environ.get(COMPLETION_VARIABLE)
    if instruction:
        from click.shell_completion import shell_complete

        return shell_complete(overview, {}, PROGRAM, COMPLETION_VARIABLE, instruction)
    boundary = Boundary(wants_json=asks_for("--json", arguments))
    with boundary, overview.make_context(PROGRAM, list(arguments)) as context:
        code = overview.invoke(context)
        boundary.exit_code = code if isinstance(code, int) else 0
        sys.stdout.flush()
    return boundary.exit_code


def asks_for(option: str, arguments: Sequence[str]) -> bool:
    """Tell whether a command line has an option; what stands behind ``--`` is for somebody else."""
    end = arguments.index("--") if "--" in arguments else len(arguments)
    return option in arguments[:end]


def main(mask: Iterable[int] | None = None) -> None:
    """Run the command line of this process; a mask is set once signals are heard, for some wait till then."""
    open_streams()
    outlived = outlive() if asks_for("--ray", sys.argv[1:]) else None
    if outlived is not None:
        sys.exit(outlived)
    take_signals()
    try:
        if mask is not None:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        read_ending()
        code = run(sys.argv[1:])
    except KeyboardInterrupt as wish:
        shield()
        code = tell(wish)
    for number in SIGNALS:
        signal.signal(number, signal.SIG_IGN)  # what is left is to go
    leave_streams()
    tell_ending(code)
    sys.exit(code)


def read_ending() -> None:
    """Import what tells of an end; half of it could tell of none, so that a signal waits for that moment.

    The first name of a character that Python reads has it import them all, and it takes a signal meanwhile
    for an error of the text in which the name stands.
    """
    with shielded():
        from nomadspec.checkers.cli import boundary, overview  # noqa: F401 -- they are there from now on

        rb"\N{SPACE}".decode("unicode_escape")


def tell(wish: KeyboardInterrupt) -> int:
    """Tell that the program was stopped before it could begin, and give the exit code."""
    from nomadspec.checkers.cli.boundary import Boundary

    with Boundary(wants_json=asks_for("--json", sys.argv[1:])) as boundary:
        raise wish
    return boundary.exit_code


def leave_streams() -> None:
    """Let go of what a stream could not write: Python tries once more at its end, and would end otherwise."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            with suppress(OSError):  # a stream that is no file of the system
                os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def open_streams() -> None:
    """Let vanish what is written to a stream that was closed before the start, and nothing else.

    With PYTHONUNBUFFERED a stream writes once, and forgets what a signal or a full pipe has kept from it.
    """
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115 -- until the end
        elif isinstance(getattr(stream, "buffer", None), io.RawIOBase):
            whole = io.BufferedWriter(stream.buffer)
            again = io.TextIOWrapper(
                whole, encoding=stream.encoding, errors=stream.errors, line_buffering=True
            )
            _REPLACED.append(stream)
            setattr(sys, name, again)
