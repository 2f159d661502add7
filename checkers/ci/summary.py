"""A run as a page of Markdown, for the summary of a job or a comment."""

from __future__ import annotations

from typing import Final

from nomadspec.checkers.ci.case import Case, Outcome, Outcomes
from nomadspec.checkers.escaping import escape_line, escape_lines, escape_markup
from nomadspec.checkers.report.table import count_of
from nomadspec.checkers.written_by import TOOL

_MOST_TOLD: Final = 20
"""So many cases are told with their details: a summary may hold a mebibyte."""
_MARKS: Final = {ord(mark): f"&#{ord(mark)};" for mark in "\\`*[]|@"}
"""What Markdown would read as a code, a link, a picture, the end of a cell, or somebody to call."""
_MOST_DETAILS: Final = 20_000


def write_summary(found: Outcomes) -> str:
    """Write the verdict, what is wrong, and the result as the screen shows it."""
    counts = [f"{found.count(outcome):,} {outcome.value}" for outcome in Outcome if found.count(outcome)]
    cases = f"{count_of(len(found.cases), 'case')}: {', '.join(counts) or 'nothing judged'}"
    parts = [
        f"## {escape_markup(found.title)}: {found.verdict.value}",
        f"{cases} in {found.seconds:,.0f} s ({TOOL})",
    ]
    if found.wrong:
        rows = [_row(case) for case in found.wrong]
        parts.append("\n".join(["| where | what | why |", "|---|---|---|", *rows]))
        parts += [_tell(case) for case in found.wrong[:_MOST_TOLD] if case.details]
    if found.text:
        parts.append(_fold("The result as text", found.text))
    return "\n\n".join(parts) + "\n"


def _row(case: Case) -> str:
    return f"| {_cell(case.group)} | {_cell(case.name)} | {_cell(case.message)} |"


def _cell(text: str) -> str:
    return escape_markup(escape_line(text)).translate(_MARKS)


def _tell(case: Case) -> str:
    return _fold(f"{case.group}: {case.name}", case.tell(with_message=False))


def _fold(title: str, text: str) -> str:
    """Fold text away; no fence that stands in it ends it."""
    shown = escape_lines(text[:_MOST_DETAILS])
    fence = "```"
    while fence in shown:
        fence += "`"
    heading = f"<details><summary>{escape_markup(escape_line(title))}</summary>"
    return f"{heading}\n\n{fence}text\n{shown}\n{fence}\n\n</details>"
