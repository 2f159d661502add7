"""One page: a timeline with lanes, tables, or a text, put into the template that lies beside this file."""

from __future__ import annotations

import base64
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Final

from nomadspec.checkers.diagrams.components import order_lifelines
from nomadspec.checkers.escaping import escape_lines, escape_markup, write_json
from nomadspec.checkers.written_by import TOOL

_FOLDER: Final = Path(__file__).parent
_SHORT: Final = 14
"""A word of so many characters at most, such as the ID of a rule, is not broken at its hyphen."""
_BREAKS: Final = re.compile(r"[/_]")
"""Where a long title, the name of a file or a property, may go on in the next line."""
_IN_SCRIPTS: Final = {ord("<"): "\\u003c", ord(">"): "\\u003e", ord("&"): "\\u0026"}


@dataclass(frozen=True, slots=True)
class Change:
    """One field that a step changed."""

    name: str
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class PageStep:
    """One step of a timeline."""

    label: str
    lane: str
    also: Sequence[str] = ()
    """Other lanes that it touches."""
    changes: Sequence[Change] = ()
    notes: Sequence[str] = ()
    at: str = ""
    """When it happened."""
    group: str = ""
    """The statement or phase that it belongs to."""
    is_wrong: bool = False
    """Whether a property broke, or an expectation failed, here."""


@dataclass(frozen=True, slots=True)
class PageRow:
    """One row of a table."""

    cells: Sequence[str]
    outcome: str = ""
    """How it ended, where that has a colour: ``failed``, ``error``, ``skipped``."""
    details: str = ""
    """More lines, which are shown on demand below the last cell."""


@dataclass(frozen=True, slots=True)
class PageTable:
    """A part of a page: its rows can be searched."""

    title: str
    columns: Sequence[str]
    rows: Sequence[PageRow]
    about: str = ""
    bars: frozenset[int] = frozenset()
    """The columns with numbers from -1 to 1, which are drawn as bars too."""


@dataclass(frozen=True, slots=True)
class Page:
    """What a page shows; parts that are empty are left out."""

    title: str
    verdict: str
    about: str
    text: str
    """All of it as text, for those who search, copy, or run no scripts."""
    facts: Sequence[tuple[str, str]] = ()
    """What has to be seen first, a line each."""
    first: Sequence[tuple[str, str]] = ()
    """The fields of the first world."""
    steps: Sequence[PageStep] = ()
    loop: int | None = None
    """The step from which on the story goes on for ever."""
    tables: Sequence[PageTable] = ()
    picture: bytes = field(default=b"", repr=False)
    """An SVG that is shown beside the steps."""
    picture_about: str = ""
    wrong: str = "The property is violated here."
    """What is said of a step that is wrong."""


def write_page(page: Page) -> bytes:
    """Write a page as one file of HTML."""
    data = {
        "lanes": list_lanes(page.steps),
        "first": [list(one) for one in page.first],
        "steps": [asdict(step) for step in page.steps],
        "loop": page.loop,
        "wrong": page.wrong,
    }
    parts = {
        "TITLE": _markup(page.title),
        "HEADING": _BREAKS.sub(r"\g<0><wbr>", _markup(page.title)),
        "VERDICT": _markup(page.verdict),
        "ABOUT": _markup(page.about),
        "FACTS": _list_facts(page.facts),
        "TABLES": "".join(_write_table(at, table) for at, table in enumerate(page.tables, start=1)),
        "TEXT": _markup_lines(page.text),
        "PICTURE": _draw(page),
        "STYLE": _read("page.css"),
        "SCRIPT": _read("page.js"),
        "TOOL": _markup(TOOL),
        "DATA": write_json(data).translate(_IN_SCRIPTS),
    }
    head, *rest = _read("page.html").split("{{")
    filled = [head]
    for piece in rest:  # one pass, so that no text is read as a place to fill
        name, _, after = piece.partition("}}")
        filled += [parts[name], after]
    return "".join(filled).encode()


def list_lanes(steps: Sequence[PageStep]) -> list[str]:
    """List the lanes of a timeline in the order in which a change travels, the others as they come."""
    return order_lifelines(name for step in steps for name in (step.lane, *step.also))


def _read(name: str) -> str:
    return (_FOLDER / name).read_text(encoding="utf-8").rstrip()


def _markup(text: str) -> str:
    return escape_markup(escape_lines(text))


def _markup_lines(text: str) -> str:
    """Write a text that keeps its lines."""
    return _markup(text).replace("<br/>", "\n")


def _list_facts(facts: Sequence[tuple[str, str]]) -> str:
    if not facts:
        return ""
    return f"<dl>{''.join(f'<dt>{_markup(name)}</dt><dd>{_markup(fact)}</dd>' for name, fact in facts)}</dl>"


def _write_table(number: int, table: PageTable) -> str:
    """Write a table as markup, so that it can be read without scripts too."""
    heads = "".join(f'<th scope="col">{_markup(name)}</th>' for name in table.columns)
    rows = "".join(_write_row(row, table.bars) for row in table.rows)
    caption = f"<caption>{_markup(table.about)}</caption>" if table.about else ""
    return (
        f'<section class="part" id="part-{number}" aria-label="{_markup(table.title)}">'
        f"<h2>{_markup(table.title)}</h2>"
        f"<table>{caption}<thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table></section>\n"
    )


def _write_row(row: PageRow, bars: frozenset[int]) -> str:
    cells = [_write_cell(cell, is_bar=at in bars) for at, cell in enumerate(row.cells)]
    if row.details:
        more = f"<details><summary>details</summary><pre>{_markup_lines(row.details)}</pre></details>"
        cells[-1] = cells[-1].removesuffix("</td>") + more + "</td>"
    kind = f' class="{_markup(row.outcome)}"' if row.outcome else ""
    return f"<tr{kind}>{''.join(cells)}</tr>"


def _write_cell(text: str, *, is_bar: bool) -> str:
    share = _read_share(text) if is_bar else None
    if share is None:
        kind = ' class="short"' if "-" in text and " " not in text and len(text) <= _SHORT else ""
        return f"<td{kind}>{_markup(text)}</td>"
    return f'<td class="bar{" below" if share < 0 else ""}" data-share="{share:g}">{_markup(text)}</td>'


def _read_share(text: str) -> float | None:
    """Read how long a bar is; what is no number has none, and what is too long is cut."""
    try:
        return max(-1.0, min(1.0, float(text)))
    except ValueError:
        return None


def _draw(page: Page) -> str:
    """Show a picture as an image: what is written in it is never run."""
    if not page.picture:
        return _markup(page.picture_about)
    encoded = base64.b64encode(page.picture).decode()
    about = _markup(page.picture_about)
    return f'<img src="data:image/svg+xml;base64,{encoded}" alt="{about}"><p>{about}</p>'
