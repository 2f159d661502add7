"""What a verb shows: its result on stdout as text or as one JSON object, its progress on stderr."""

from __future__ import annotations

import functools
import json
import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import click

from nomadspec.checkers.report.progress import Reporter, progress_for


@dataclass(frozen=True, slots=True)
class Screen:
    """How the result is wanted, and whether progress is."""

    wants_json: bool
    is_quiet: bool

    def show(self, schema: str, data: Mapping[str, object], text: Callable[[], str]) -> None:
        """Print a result: as ``nomadspec/<schema>/1`` where JSON is wanted, else the text."""
        if self.wants_json:
            whole = {"schema": f"nomadspec/{schema}/1", **data}
            click.echo(json.dumps(whole, indent=2, ensure_ascii=False))
        else:
            click.echo(text())

    def progress(self) -> Reporter:
        """Give who is told how far a run is; it belongs in a ``with`` statement."""
        return progress_for(sys.stderr, is_quiet=self.is_quiet)


def takes_screen(verb: Callable[..., int]) -> Callable[..., int]:
    """Give a verb ``--json``, ``--quiet`` and ``--color``, and hand it a ``screen``."""

    @click.option("--json", "wants_json", is_flag=True, help="Print one JSON object instead of text.")
    @click.option("--quiet", "-q", "is_quiet", is_flag=True, help="Show no progress.")
    @click.option(
        "--color",
        type=click.Choice(["auto", "always", "never"]),
        default="auto",
        show_default=True,
        help="Colour the text; auto means on a terminal, unless NO_COLOR is set.",
    )
    @functools.wraps(verb)
    def with_screen(*arguments: Any, wants_json: bool, is_quiet: bool, color: str, **others: Any) -> int:
        click.get_current_context().color = _wants_color(color)
        return verb(*arguments, screen=Screen(wants_json, is_quiet), **others)

    return with_screen


def _wants_color(choice: str) -> bool | None:
    """Give click's answer: None lets it look whether stdout is a terminal."""
    if choice == "auto":
        return False if os.environ.get("NO_COLOR") else None
    return choice == "always"
