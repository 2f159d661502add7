"""The few forms of Markdown that the pages are made of."""

from collections.abc import Iterable, Sequence
from typing import Final

from nomadspec.model.specification.catalogue import list_titles

GENERATED: Final = (
    "<!-- Written by `python -m nomadspec.checkers.reference`; change the code it reads instead. -->"
)


def page(title: str, about: str, *parts: str) -> str:
    """Put a page together from its title, one paragraph about it, and its parts."""
    return "\n\n".join([GENERATED, f"# {title}", about, *(part for part in parts if part)]) + "\n"


def heading(level: int, text: str, anchor: str) -> str:
    """Write a heading that pages can link to under a name of its own."""
    return f"{'#' * level} {text} {{#{anchor}}}"


def table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Write a table; without rows there is none."""
    lines = [_row(row) for row in rows]
    return "\n".join([_row(columns), _row(["---"] * len(columns)), *lines]) if lines else ""


def code(text: str) -> str:
    """Write text as code within a sentence."""
    return f"`{text}`"


def codes(texts: Iterable[str], otherwise: str = "-") -> str:
    """Write a list of texts as code."""
    return ", ".join(map(code, texts)) or otherwise


def titled(spec_ids: Iterable[str]) -> str:
    """Write IDs as code, each with its title behind it; one of another specification stands alone."""
    titles = list_titles()
    named = (
        f"{code(spec_id)} ({titles[spec_id].removesuffix('.')})" if spec_id in titles else code(spec_id)
        for spec_id in spec_ids
    )
    return "; ".join(named) or "-"


def block(text: str, language: str) -> str:
    """Write a block of code."""
    return f"```{language}\n{text.rstrip()}\n```"


def items(texts: Iterable[str]) -> str:
    """Write a list."""
    return "\n".join(f"- {text}" for text in texts)


def begin(text: str) -> str:
    """Let a text begin and end like a sentence."""
    joined = " ".join(text.split())
    return joined[:1].upper() + joined[1:] + ("" if joined.endswith((".", ":", "?", "!")) else ".")


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(' '.join(cell.split()).replace('|', '&#124;') for cell in cells)} |"
