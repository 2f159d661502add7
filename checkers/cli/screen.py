"""What a verb shows: its result on stdout as text or as one JSON object, its progress on stderr."""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import click

from nomadspec.checkers.cli.streams import restore_stdout
from nomadspec.checkers.escaping import escape_lines, escape_screen, write_json
from nomadspec.checkers.report.progress import Reporter, progress_for
from nomadspec.checkers.stopping import shield
from nomadspec.checkers.written_by import TOOL


@dataclass(frozen=True, slots=True)
class Screen:
    """How the result is wanted, and whether progress is."""

    wants_json: bool
    is_quiet: bool
    progress_form: str = "auto"

    def show(self, schema: str, data: Mapping[str, object], text: Callable[[], str], found: int = 0) -> None:
        """Print a result: as ``nomadspec/<schema>/1`` where JSON is wanted, else the text.

        ``found`` is the exit code that says what was found, in case that nobody can read the result.
        """
        shield()
        whole = object_of(schema, data)
        shown = write_json(whole, indent=2) if self.wants_json else escape_screen(text())
        write_out(shown, found)

    def progress(self) -> Reporter:
        """Give who is told how far a run is; it belongs in a ``with`` statement."""
        return progress_for(sys.stderr, is_quiet=self.is_quiet, form=self.progress_form)


def object_of(schema: str, data: Mapping[str, object]) -> dict[str, object]:
    """Make the object of a result: which schema it has, and who has written it, come first.

    Where nothing is judged, as in a list, the verdict is none: readers need not know which objects are lists.
    """
    return {"schema": f"nomadspec/{schema}/1", "tool": TOOL, "verdict": None, **data}


def tell(sentence: str) -> None:
    """Say something beside the result, on stderr."""
    click.echo(escape_lines(sentence), err=True)


class OutputError(Exception):
    """The output could not be written; what was found is known all the same."""

    def __init__(self, problem: OSError, found: int) -> None:
        """Keep why, and the exit code that says what was found."""
        super().__init__(problem, found)
        self.problem = problem
        self.found = found


def write_out(text: str, found: int = 0) -> None:
    """Write a result to stdout."""
    restore_stdout()
    try:
        click.echo(text)
    except OSError as problem:
        raise OutputError(problem, found) from problem


def takes_screen(verb: Callable[..., int]) -> Callable[..., int]:
    """Give a verb ``--json``, ``--quiet`` and ``--color``, and hand it a ``screen``."""

    @click.option("--json", "wants_json", is_flag=True, help="Print one JSON object instead of text.")
    @click.option("--quiet", "-q", "is_quiet", is_flag=True, help="Show no progress.")
    @click.option(
        "--progress",
        "form",
        type=click.Choice(["auto", "json"]),
        default="auto",
        help="Show progress as text, or as one JSON object per line.  [default: auto]",
    )
    @click.option(
        "--color",
        type=click.Choice(["auto", "always", "never"]),
        default="auto",
        show_default=True,
        help="Use colours; auto: on a terminal, unless NO_COLOR is set.",
    )
    @functools.wraps(verb)
    def with_screen(*arguments: Any, color: str, **others: Any) -> int:
        click.get_current_context().color = _wants_color(color)
        screen = Screen(others.pop("wants_json"), others.pop("is_quiet"), others.pop("form"))
        return verb(*arguments, screen=screen, **others)

    return with_screen


takes_verbose = click.option(
    "--verbose", "-v", is_flag=True, help="List everything by name, and show details of the search engine."
)


def _wants_color(choice: str) -> bool | None:
    """Give click's answer: None lets it look whether stdout is a terminal."""
    if choice == "auto":
        return False if os.environ.get("NO_COLOR") else None
    return choice == "always"
