"""Titles beside the IDs of the specification that a text names."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from nomadspec.checkers.report.table import render_paragraph, render_table
from nomadspec.model.specification.catalogue import list_titles

_ID: Final = re.compile(r"\b[A-Z]+-\d+[a-z]?\b|\b\d\d/[A-Z]-?\d+\b")
"""``BROKER-22``, ``X-01``, ``02/S13``, ``04/S-11``: what may be an ID within a text."""


def find_titles(spec_ids: Iterable[str]) -> dict[str, str]:
    """Give the titles of IDs, each once; the IDs of somebody's own specification have none here."""
    titles = list_titles()
    return {spec_id: titles[spec_id] for spec_id in dict.fromkeys(spec_ids) if spec_id in titles}


def spell_id(written: str) -> str:
    """Write an ID as the specification does, whatever its case; what is no ID stays as it is."""
    titles = list_titles()
    return (
        written
        if written in titles
        else next((one for one in titles if one.lower() == written.lower()), written)
    )


def name_with_title(spec_id: str) -> str:
    """Write an ID with its title behind it, to stand within a sentence."""
    title = list_titles().get(spec_id, "")
    return f"{spec_id}: {title.removesuffix('.')}" if title else spec_id


def list_facts(spec_ids: Iterable[str], name: str = "formalises") -> list[tuple[str, str]]:
    """Write IDs as facts, a line for each: the first has the name of them all."""
    lines = [name_with_title(spec_id) for spec_id in spec_ids] or ["nothing"]
    return [(name if at == 0 else "", line) for at, line in enumerate(lines)]


def render_titles(spec_ids: Iterable[str], indent: int = 0) -> str:
    """Write a table of IDs and their titles; without any there is none."""
    rows = list(find_titles(spec_ids).items())
    return render_table(("ID", "title"), rows, indent) if rows else ""


def list_ids_in(text: str) -> list[str]:
    """List the IDs that have a title and stand in a text, such as a table or the name of a profile."""
    return sorted(find_titles(_ID.findall(text)))


def find_titles_in(*texts: str | None) -> dict[str, str]:
    """Give the titles of the IDs that stand in texts, such as the names of profiles, each once."""
    return find_titles(list_ids_in("\n".join(filter(None, texts))))


def render_legend(text: str, indent: int = 2) -> str:
    """Write what the IDs mean that stand in a text, a line for each; without any there is none."""
    lines = [render_paragraph(name_with_title(spec_id), indent) for spec_id in list_ids_in(text)]
    return "\n".join(lines)


def add_legend(text: str) -> str:
    """Write a text, and below it a table of what the IDs in it mean."""
    return "\n\n".join(filter(None, [text, render_titles(list_ids_in(text), indent=2)]))
