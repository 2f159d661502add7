"""What is wrong as annotations of GitHub Actions: a line each, which the runner shows beside the code."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from nomadspec.checkers.ci.case import Case, Outcome, Outcomes
from nomadspec.checkers.escaping import escape_line

_COMMANDS: Final = {Outcome.FAILED: "error", Outcome.ERROR: "warning"}
_MOST: Final = 10
"""GitHub shows no more of a kind for one step."""


def list_annotations(found: Outcomes) -> list[str]:
    """Write a line for each of the first cases that are wrong, and one for the others."""
    lines = [_annotate(case) for case in found.wrong[: _MOST - 1]]
    others = len(found.wrong) - len(lines)
    if others:
        lines.append(f"::error title={_property(found.title)}::and {others} more, see the summary")
    return lines


def _annotate(case: Case) -> str:
    where = f"file={_property(case.place.file)},line={case.place.line}," if case.place is not None else ""
    title = _property(f"{case.group}: {case.name}")
    text = replace(case, details="").tell(with_message=True)
    return f"::{_COMMANDS[case.outcome]} {where}title={title}::{_data(text)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\n", "%0A")


def _property(text: str) -> str:
    escaped = escape_line(text).replace("%", "%25")
    return escaped.replace(":", "%3A").replace(",", "%2C")
