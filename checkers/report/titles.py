"""Titles beside the IDs of the specification that a text names."""

from __future__ import annotations

from collections.abc import Iterable

from nomadspec.checkers.report.table import render_table
from nomadspec.model.specification.catalogue import list_titles


def find_titles(spec_ids: Iterable[str]) -> dict[str, str]:
    """Give the titles of IDs, each once; the IDs of somebody's own specification have none here."""
    titles = list_titles()
    return {spec_id: titles[spec_id] for spec_id in dict.fromkeys(spec_ids) if spec_id in titles}


def name_with_title(spec_id: str) -> str:
    """Write an ID with its title behind it, to stand within a sentence."""
    title = list_titles().get(spec_id, "")
    return f"{spec_id}: {title.removesuffix('.')}" if title else spec_id


def list_facts(spec_ids: Iterable[str], name: str = "formalises") -> list[tuple[str, str]]:
    """Write IDs as facts, a line for each: the first has the name of them all."""
    lines = [name_with_title(spec_id) for spec_id in spec_ids] or ["nothing"]
    return [(name if at == 0 else "", line) for at, line in enumerate(lines)]


def lead_to_titles(spec_ids: Iterable[str]) -> str:
    """Say how the titles of IDs are seen that stand in a list; nothing where none has one."""
    first = next(iter(find_titles(spec_ids)), None)
    return f"What the IDs say: add --ids, or give one of them, such as {first}." if first else ""


def render_titles(spec_ids: Iterable[str], indent: int = 0) -> str:
    """Write a table of IDs and their titles; without any there is none."""
    rows = list(find_titles(spec_ids).items())
    return render_table(("ID", "title"), rows, indent) if rows else ""
