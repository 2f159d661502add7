"""Where every call of the command line ends: an error becomes one sentence on stderr and an exit code.

With ``--json`` the sentence is an object on stdout too, so that a program that reads stdout always finds one.
"""

from __future__ import annotations

import errno
import json
import os
import sys
import traceback
from contextlib import suppress
from types import TracebackType
from typing import Final, Self

import click

from nomadspec.checkers.cli.main import EXIT_INTERRUPTED, INTERRUPTED
from nomadspec.model.errors import (
    EXIT_INCONCLUSIVE,
    EXIT_INTERNAL,
    EXIT_USAGE,
    InputError,
    NomadSpecError,
    UnknownNameError,
    end_sentence,
)

TRACEBACK_VARIABLE: Final = "NOMADSPEC_TRACEBACK"
"""Set it to see where an error came from."""

EXIT_BROKEN_PIPE: Final = 141
"""Whoever read the output went away, as shells expect it."""


class Boundary:
    """A context that lets no exception through and knows the exit code that it stands for."""

    def __init__(self, *, wants_json: bool) -> None:
        """Begin with the code of success."""
        self.exit_code = 0
        self._wants_json = wants_json

    def __enter__(self) -> Self:
        """Guard what follows."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        """Turn the error, if there is one, into a sentence and a code."""
        if error is None:
            return False
        if isinstance(error, click.exceptions.Exit):
            self.exit_code = error.exit_code
        elif isinstance(error, OSError) and error.errno == errno.EPIPE:
            self.exit_code = _leave_quietly()
        else:
            self.exit_code, sentence = explain(error)
            if os.environ.get(TRACEBACK_VARIABLE):
                traceback.print_exception(error)
            self._tell(error, sentence)
        return True

    def _tell(self, error: BaseException, sentence: str) -> None:
        """Say it wherever somebody can hear it."""
        with suppress(OSError):
            click.echo(f"nomadspec: {sentence}", err=True)
        if isinstance(error, OSError) and error.filename is None:
            _leave_quietly()  # most likely it was the output that could not be written
        if self._wants_json:
            data = data_of(error, self.exit_code, sentence)
            click.echo(json.dumps(data, indent=2, ensure_ascii=False))


def explain(error: BaseException) -> tuple[int, str]:  # noqa: PLR0911 -- one kind of error a return
    """Give the exit code and the sentence that an error stands for."""
    match error:
        case NomadSpecError():
            return error.exit_code, str(error)
        case click.UsageError():
            where = error.ctx.command_path if error.ctx else "nomadspec"
            return EXIT_USAGE, f"{end_sentence(error.format_message())} `{where} --help` shows what it takes."
        case click.ClickException():
            return EXIT_USAGE, error.format_message()
        case KeyboardInterrupt() | click.Abort():
            return EXIT_INTERRUPTED, INTERRUPTED
        case MemoryError():
            return EXIT_INCONCLUSIVE, "There was not enough memory to go on; try a smaller scope."
        case OSError():
            where = f"{error.filename}: " if error.filename is not None else ""
            reason = error.strerror or error
            return (
                EXIT_INCONCLUSIVE,
                f"{where}the system refuses to go on ({reason}); mend that and call again.",
            )
    return EXIT_INTERNAL, (
        f"This is a defect of nomadspec ({type(error).__name__}: {error}); "
        f"please report it with what {TRACEBACK_VARIABLE}=1 shows."
    )


def data_of(error: BaseException, exit_code: int, sentence: str) -> dict[str, object]:
    """Write an error as an object: docs/reference/json/error.json says what its fields mean."""
    data: dict[str, object] = {
        "schema": "nomadspec/error/1",
        "verdict": "inconclusive",
        "exit_code": exit_code,
        "error": type(error).__name__,
        "message": sentence,
    }
    if isinstance(error, UnknownNameError):
        data |= {"name": error.name, "known": list(error.known)}
    if isinstance(error, InputError):
        data |= {"file": error.file, "at": error.at}
    return data


def _leave_quietly() -> int:
    """Let nothing more be written: the interpreter flushes stdout once more when it ends."""
    with suppress(OSError):  # a stream that is no file of the system
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return EXIT_BROKEN_PIPE
