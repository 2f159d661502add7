"""Text in columns: tables, wrapped lists, and the few colours that mean something."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from itertools import zip_longest
from typing import Final

from click import style, unstyle

WIDTH: Final = 110
"""How wide text is at most."""

NUMBER_MARK: Final = ">"
"""What a heading begins with whose column stands to the right."""


def render_table(
    headings: Sequence[str], rows: Sequence[Sequence[str]], indent: int = 2, *, is_wrapped: bool = True
) -> str:
    """Write rows below their headings; a heading that begins with ``>`` belongs to numbers.

    The last column is wrapped where the table would be too wide, unless it is there to be copied.
    """
    names = [heading.removeprefix(NUMBER_MARK) for heading in headings]
    widths = [
        max((len(unstyle(row[at])) for row in [names, *rows]), default=0) for at in range(len(headings))
    ]
    room = max(30 if is_wrapped else widths[-1], WIDTH - indent - sum(widths[:-1]) - 2 * (len(widths) - 1))
    lines: list[str] = []
    for row in [[style(name.upper(), dim=True) for name in names], *rows]:
        padded = [
            _pad(cell, width, to_right=heading.startswith(NUMBER_MARK))
            for cell, width, heading in zip(row[:-1], widths[:-1], headings[:-1], strict=True)
        ]
        last = _wrap(row[-1], room, widths[-1], to_right=headings[-1].startswith(NUMBER_MARK))
        margin = " " * (indent + sum(widths[:-1]) + 2 * len(padded))
        first = " " * indent + "".join(cell + "  " for cell in padded)
        for start, part in zip_longest([first], last, fillvalue=margin):
            lines.append((start + part).rstrip())
    return "\n".join(lines)


def render_facts(
    facts: Sequence[tuple[str, str]], indent: int = 2, commands: Sequence[tuple[str, str]] = ()
) -> str:
    """Write facts, one beside its name each; long ones are wrapped, commands are not: they are copied."""
    width = max((len(name) for name, _ in (*facts, *commands)), default=0)
    lines = []
    for at, (name, fact) in enumerate((*facts, *commands)):
        room = WIDTH - indent - width - 2
        parts = _wrap(fact, room, 0, to_right=False) if at < len(facts) else [fact]
        for start, part in zip_longest([name], parts, fillvalue=""):
            lines.append(f"{' ' * indent}{start.ljust(width)}  {part}".rstrip())
    return "\n".join(lines)


def render_paragraph(text: str, indent: int = 0) -> str:
    """Wrap a text."""
    margin = " " * indent
    return textwrap.fill(text, WIDTH, initial_indent=margin, subsequent_indent=margin)


def good(text: str) -> str:
    """Show that something is as it should be."""
    return style(text, fg="green", bold=True)


def bad(text: str) -> str:
    """Show that something is not as it should be."""
    return style(text, fg="red", bold=True)


def open_(text: str) -> str:
    """Show that something is not settled."""
    return style(text, fg="yellow", bold=True)


def strong(text: str) -> str:
    """Show what a paragraph is about."""
    return style(text, bold=True)


def count_of(number: int, one: str, many: str | None = None) -> str:
    """Write a number of things: ``1 step``, ``34,069 worlds``."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def join_names(names: Sequence[str]) -> str:
    """Write names as a list in a sentence."""
    if len(names) < 2:  # noqa: PLR2004 -- one name needs no "and"
        return "".join(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"


def _pad(cell: str, width: int, *, to_right: bool) -> str:
    space = " " * (width - len(unstyle(cell)))
    return space + cell if to_right else cell + space


def _wrap(cell: str, room: int, width: int, *, to_right: bool) -> list[str]:
    if to_right:
        return [_pad(cell, width, to_right=True)]
    if len(unstyle(cell)) <= room:
        return [cell]
    return textwrap.wrap(unstyle(cell), room, break_on_hyphens=False)
