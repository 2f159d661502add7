"""Text in columns: tables, wrapped lists, and the few colours that mean something."""

from __future__ import annotations

import os
import re
import sys
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Final

from click import style, unstyle

from nomadspec.checkers.plain_digits import is_whole

_USUAL_WIDTH: Final = 110
"""How wide text is where nobody says how wide the screen is: in a pipe or a file."""
_WIDTHS: Final = (40, 160)
"""How wide text is at least and at most: longer lines are hard to read."""
_LEAST_LAST: Final = 30
"""How narrow the last column becomes before the others give way."""

_LEAST_STACKED: Final = 3
"""A table of fewer columns stays a table, however narrow the screen is."""

_WORDS: Final = re.compile(r"\s*(?:[\d.,]+ s\b\S*|\S+)")
"""Words of a text, each with the spaces before it; seconds keep their unit."""

NUMBER_MARK: Final = ">"
"""What a heading begins with whose column stands to the right."""


def find_width() -> int:
    """Give the width of the screen: what COLUMNS says, else the terminal's, else what fits a page."""
    asked = os.environ.get("COLUMNS", "")
    least, most = _WIDTHS
    if is_whole(asked) and int(asked):
        return min(most, max(least, int(asked)))
    if not sys.stdout.isatty():
        return _USUAL_WIDTH
    try:
        columns = os.get_terminal_size(sys.stdout.fileno()).columns
    except OSError:
        return _USUAL_WIDTH
    return min(most, max(least, columns or _USUAL_WIDTH))


def render_table(
    headings: Sequence[str], rows: Sequence[Sequence[str]], indent: int = 2, *, is_wrapped: bool = True
) -> str:
    """Write rows below their headings; a heading that begins with ``>`` belongs to numbers.

    Where the table would be too wide, the last column is wrapped, unless it is there to be copied, and then
    the widest of the others. Where that leaves the last column little room, it stands below the others; where
    the others are still too wide, the first of them stands above its rows. No word is broken.
    """
    titles = [style(heading.removeprefix(NUMBER_MARK).upper(), dim=True) for heading in headings]
    goes_right = [heading.startswith(NUMBER_MARK) for heading in headings]
    columns = [list(column) for column in zip(titles, *rows, strict=True)]
    room = find_width() - indent
    widths = _fit(columns, room, goes_right, is_wrapped=is_wrapped)
    above: list[str] = []
    below: list[str] = []
    if _is_crowded(columns, widths, goes_right) if is_wrapped else _is_too_wide(widths, room):
        below = columns.pop()
        widths = _fit(columns, room, goes_right, is_wrapped=True)
    if len(columns) >= _LEAST_STACKED and _is_too_wide(widths, room) and not goes_right[0]:
        above, goes_right = columns.pop(0), goes_right[1:]
        indent, room = indent + 2, room - 2
        widths = _fit(columns, room, goes_right, is_wrapped=True)
    margin = " " * indent
    lines: list[str] = []
    for at, row in enumerate(zip(*columns, strict=True)):
        lines += [f"{margin[2:]}{head}" for head in above[at : at + 1] if above[:at][-1:] != [head]]
        lines += [(margin + line).rstrip() for line in _write_row(row, widths, goes_right)]
        for under in below[at : at + 1]:
            parts = _wrap(under, room - 4, to_right=not is_wrapped)
            lines += [f"{margin}    {part}" for part in parts if part]
    return "\n".join(lines)


def _write_row(row: Sequence[str], widths: Sequence[int], goes_right: Sequence[bool]) -> Iterator[str]:
    """Write a row in as many lines as its longest cell takes."""
    places = list(zip(widths, goes_right, strict=False))
    cells = [
        _wrap(cell, width, to_right=to_right) for cell, (width, to_right) in zip(row, places, strict=True)
    ]
    for parts in zip_longest(*cells, fillvalue=""):
        yield "  ".join(
            _pad(part, width, to_right=to_right)
            for part, (width, to_right) in zip(parts, places, strict=True)
        )


def _is_too_wide(widths: Sequence[int], room: int) -> bool:
    """True if columns of three or more take more room than there is."""
    return len(widths) >= _LEAST_STACKED and sum(widths) + 2 * (len(widths) - 1) > room


def _is_crowded(columns: Sequence[Sequence[str]], widths: Sequence[int], goes_right: Sequence[bool]) -> bool:
    """True if the last column of three or more got less room than a sentence needs."""
    wanted = max(len(unstyle(cell)) for cell in columns[-1])
    return len(columns) >= _LEAST_STACKED and not goes_right[-1] and widths[-1] < min(_LEAST_LAST, wanted)


def _fit(
    columns: Sequence[Sequence[str]], room: int, goes_right: Sequence[bool], *, is_wrapped: bool
) -> list[int]:
    """Find how wide each column is: as wide as it wants, or less where the screen has no room for that."""
    widths = [max(len(unstyle(cell)) for cell in column) for column in columns]
    # A cell of nothing but spaces has no word, and still needs a place to stand.
    words = [
        max((len(word) for cell in column for word in unstyle(cell).split()), default=1) for column in columns
    ]
    last = len(columns) - 1
    narrow = [at for at in range(last) if not goes_right[at]]
    excess = sum(widths) + 2 * last - room if is_wrapped else 0  # what is to be copied stays in one line
    if excess > 0 and not goes_right[last]:
        least = max(words[last], min(_LEAST_LAST, widths[last]))
        given = max(0, min(excess, widths[last] - least))
        widths[last] -= given
        excess -= given
    while excess > 0:
        wide = max((at for at in narrow if widths[at] > words[at]), key=lambda at: widths[at], default=None)
        if wide is None:
            break
        widths[wide] -= 1
        excess -= 1
    if excess > 0 and not goes_right[last]:
        widths[last] = max(words[last], widths[last] - excess)
    return widths


def render_facts(
    facts: Sequence[tuple[str, str]], indent: int = 2, commands: Sequence[tuple[str, str]] = ()
) -> str:
    """Write facts, one beside its name each; long ones are wrapped, commands are not: they are copied."""
    width = max((len(unstyle(name)) for name, _ in (*facts, *commands)), default=0)
    lines = []
    for at, (name, fact) in enumerate((*facts, *commands)):
        room = max(_LEAST_LAST, find_width() - indent - width - 2)
        parts = _wrap(fact, room, to_right=False) if at < len(facts) else [fact]
        for start, part in zip_longest([name], parts, fillvalue=""):
            lines.append(f"{' ' * indent}{_pad(start, width, to_right=False)}  {part}".rstrip())
    return "\n".join(lines)


def render_paragraph(text: str, indent: int = 0) -> str:
    """Wrap a text between words; its colours take no room."""
    margin = " " * indent
    lines = [margin]
    for word in _WORDS.findall(text.replace("\n", " ")):
        if lines[-1] != margin and len(unstyle(lines[-1] + word)) > find_width():
            lines.append(margin)
        lines[-1] += word if lines[-1] != margin or len(lines) == 1 else word.lstrip()
    return "\n".join(lines)


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


def name_sizes(sizes: Mapping[str, int]) -> str:
    """Write the sizes of a scope: ``jobs=2 nodes=1``; what is switched off, with a size of 0, is left out."""
    return " ".join(f"{name}={value}" for name, value in sizes.items() if value) or "all sizes 0"


def _pad(cell: str, width: int, *, to_right: bool) -> str:
    space = " " * (width - len(unstyle(cell)))
    return space + cell if to_right else cell + space


def _wrap(cell: str, room: int, *, to_right: bool) -> list[str]:
    if to_right or len(unstyle(cell)) <= room:
        return [cell]
    return textwrap.wrap(unstyle(cell), room, break_long_words=False, break_on_hyphens=False)
