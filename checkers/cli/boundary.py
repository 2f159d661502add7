"""Where every call of the command line ends: an error becomes one sentence on stderr and an exit code.

With ``--json`` the sentence is an object on stdout too, so that a program that reads stdout always finds one.
"""

from __future__ import annotations

import errno
import os
import sys
import traceback
from contextlib import suppress
from types import TracebackType
from typing import Final, Self

import click

from nomadspec.checkers.cli.error_texts import TRACEBACK_VARIABLE, data_of, explain
from nomadspec.checkers.cli.screen import OutputError, tell
from nomadspec.checkers.cli.streams import restore_stdout
from nomadspec.checkers.escaping import write_json
from nomadspec.checkers.stopping import shield

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
        shield()
        restore_stdout()
        if isinstance(error, click.exceptions.Exit):
            self.exit_code = error.exit_code
        elif isinstance(error, OutputError):
            self.exit_code = self._end_unheard(error.problem, error.found)
        elif isinstance(error, OSError) and error.errno == errno.EPIPE:
            self.exit_code = self._end_unheard(error, self.exit_code)
        else:
            self.exit_code, sentence = explain(error)
            if os.environ.get(TRACEBACK_VARIABLE):
                with suppress(OSError):
                    tell("".join(traceback.format_exception(error)).rstrip())
            self._tell(error, sentence)
        return True

    def _end_unheard(self, problem: OSError, found: int) -> int:
        """End though the output could not be written; what was found is still in the exit code."""
        if problem.errno != errno.EPIPE:
            code, sentence = explain(problem)
            with suppress(OSError):
                tell(f"nomadspec: {sentence}")
            found = found or code
        quiet = _leave_quietly()
        return found or quiet

    def _tell(self, error: BaseException, sentence: str) -> None:
        """Say it wherever somebody can hear it."""
        with suppress(OSError):
            tell(f"nomadspec: {sentence}")
        try:
            if self._wants_json:
                data = data_of(error, self.exit_code, sentence)
                click.echo(write_json(data, indent=2))
            sys.stdout.flush()
        except OSError:
            _leave_quietly()  # it is the output that cannot be written


def _leave_quietly() -> int:
    """Let nothing more be written: the interpreter flushes stdout once more when it ends."""
    with suppress(OSError):  # a stream that is no file of the system
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return EXIT_BROKEN_PIPE
