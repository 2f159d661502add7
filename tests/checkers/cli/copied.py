"""Runs a command line in a copy of this process: it is a process of its own, but imports nothing anew."""

import multiprocessing
import os
import signal
import sys
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TypeAlias

from nomadspec.checkers.cli.main import main

Place: TypeAlias = IO[bytes] | int

_HANGS_S = 1200
"""A guard against hanging only: loaded machines are slow."""


@dataclass(frozen=True)
class Ended:
    """How a process ended, and what it wrote where it was given no other place."""

    code: int
    out: str
    err: str


def run_copy(
    *words: str | Path,
    prepare: Callable[[], object] | None = None,
    environment: Mapping[str, str] | None = None,
    out: Place | None = None,
    err: Place | None = None,
) -> Ended:
    """Run a command line, and before it what changes the copy: nothing of it is left when it has ended."""
    with tempfile.TemporaryFile() as kept_out, tempfile.TemporaryFile() as kept_err:
        streams = [_number(kept_out if out is None else out), _number(kept_err if err is None else err)]
        given = ([str(word) for word in words], streams, environment or {}, prepare)
        copy = multiprocessing.get_context("fork").Process(target=_be_program, args=given)
        copy.start()
        copy.join(_HANGS_S)
        if copy.exitcode is None:
            copy.kill()
            copy.join()
        code = copy.exitcode
        copy.close()
        assert code is not None
        return Ended(code, _read(kept_out), _read(kept_err))


def _number(place: Place) -> int:
    return place if isinstance(place, int) else place.fileno()


def _read(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode()


def _be_program(
    words: list[str],
    streams: list[int],
    environment: Mapping[str, str],
    prepare: Callable[[], object] | None,
) -> None:
    """Take down what the tests have put up, and be what a shell would have started."""
    for number, stream in enumerate(streams, 1):
        os.dup2(stream, number)
    sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115 -- until the end of the copy
    sys.stderr = open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115 -- until the end of the copy
    sys.unraisablehook, sys.excepthook = sys.__unraisablehook__, sys.__excepthook__
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.environ.update(environment)
    sys.argv = ["nomadspec", *words]
    if prepare is not None:
        prepare()
    main()
