"""Shows the title of an ID of the specification where a page names the ID alone."""

import re
from collections.abc import Mapping
from typing import Any, Final

from nomadspec.model.specification.catalogue import list_titles

TOLD: Final = "reference/"
"""Pages that are made from the catalogue: there the title stands beside each ID."""

_SILENT: Final = frozenset({"a", "abbr", "pre", "script", "style"})
"""What is within these is shown as it is: a link leads to the title, and code is somebody's own."""
_PART: Final = re.compile(r"(<[^>]*>)")
_TAG: Final = re.compile(r"<(/?)(\w+)")
_ID: Final = re.compile(r"(?<![\w/.-])(?:[A-Za-z]+[-!]\w+|\d\d/S-?\d+)(?![\w-])")


def on_page_content(html: str, *, page: Any, **_: Any) -> str:
    """Mark the IDs of a page."""
    return html if page.url.startswith(TOLD) else mark(html, list_titles())


def mark(html: str, titles: Mapping[str, str]) -> str:
    """Let each ID that has a title show it, but for what is within links and blocks of code."""
    inside: list[str] = []
    parts = []
    for part in _PART.split(html):
        tag = _TAG.match(part)
        if tag is not None and tag[2] in _SILENT:
            inside = inside[:-1] if tag[1] else [*inside, tag[2]]
        is_text = tag is None and not inside
        parts.append(_ID.sub(lambda found: _show(found[0], titles), part) if is_text else part)
    return "".join(parts)


def _show(spec_id: str, titles: Mapping[str, str]) -> str:
    title = titles.get(spec_id)
    if title is None:
        return spec_id
    quoted = title.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;")
    return f'<abbr title="{quoted}">{spec_id}</abbr>'
