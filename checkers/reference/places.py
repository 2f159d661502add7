"""The page that says which chapter of the specification lives in which file."""

import ast
from functools import cache
from pathlib import Path

from nomadspec.checkers.reference.chapters import CHAPTERS, prefix_of
from nomadspec.checkers.reference.markdown import code, codes, heading, page, table
from nomadspec.model.specification.catalogue import list_ids

_ABOUT = (
    "Which chapter of the specification lives where, and what each file of the three packages is about. "
    "Places that do not exist yet are in italics."
)
_PACKAGES = ("model", "invariants", "checkers")
_QUOTES = '"""'


@cache
def compute_map_page(root: Path) -> str:
    """Write the map."""
    ids = list_ids()
    prefixes: dict[str, dict[str, None]] = {}
    for spec_id, chapter in ids.items():
        prefixes.setdefault(chapter, {})[prefix_of(spec_id)] = None
    rows = [
        (
            f"[{chapter.number}](coverage.md#chapter-{chapter.number.lower()})",
            chapter.subject,
            codes(prefixes.get(chapter.number, ())),
            ", ".join(_place(root, place) for place in chapter.places),
        )
        for chapter in CHAPTERS
    ]
    parts = [
        heading(2, "Chapters", "chapters"),
        table(["chapter", "about", "IDs begin with", "places"], rows),
    ]
    for package in _PACKAGES:
        files = sorted((root / package).rglob("*.py"))
        parts.append(heading(2, code(f"{package}/"), package))
        parts.append(table(["file", "about"], [_file_row(root, path) for path in files]))
    return page("Map", _ABOUT, *parts)


def _place(root: Path, place: str) -> str:
    return code(place) if (root / place).exists() else f"*{place}*"


def _find_head(text: str) -> str:
    """Find the docstring at the head of a file: to parse what stands below takes much longer."""
    end = text.find(_QUOTES, len(_QUOTES)) if text.startswith(_QUOTES) else -1
    return text if end < 0 else text[: end + len(_QUOTES)]


def _file_row(root: Path, path: Path) -> tuple[str, str]:
    about = ast.get_docstring(ast.parse(_find_head(path.read_text(encoding="utf-8")))) or ""
    return code(path.relative_to(root).as_posix()), about.partition("\n\n")[0]
