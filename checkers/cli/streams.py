"""The streams of the process: stdout is for results, stderr for everything else."""

import io
import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import Final, TextIO

_REPLACED: Final[list[TextIO]] = []
"""Streams that others took the place of: one that nobody holds closes the file below it."""

_results: Final[list[TextIO]] = []
"""What stdout was when the process began."""


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
    _results.append(sys.stdout)


def restore_stdout() -> None:
    """Print results on stdout again, if a signal came before that was done.

    While a user's model is read stdout leads to stderr, since what such a file prints is no result.
    """
    if _results and sys.stdout is sys.stderr:
        sys.stdout = _results[-1]


def leave_streams() -> None:
    """Let go of what a stream could not write: Python tries once more at its end, and would end otherwise."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            with suppress(OSError):  # a stream that is no file of the system
                os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
