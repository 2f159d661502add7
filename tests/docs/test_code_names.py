"""What pages name in the code is there: who renames a property, rule or function renames it on pages, too."""

import re
from typing import Final

from tests.docs.blocks import list_blocks
from tests.tidy.source import ROOT, list_sources

PAGES: Final = [
    path
    for path in (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md")))
    if not {"adr", "reference"} & set(path.parts)
]
"""Decisions name what was there when they were made, and pages of the reference are written from the code."""
NAMED: Final = re.compile(r"`([a-z]\w*_\w+)`")
PATTERN: Final = re.compile(r"(?:.*_)?x(?:_.*)?")
"""How names are built: `with_x`."""
ELSEWHERE: Final = {
    "is_not_terminal": "a name that nothing shall have",
    "plan_rejection_tracker": "a setting of Nomad",
}


def test_names_on_pages_are_in_the_code() -> None:
    shown = {path: path.read_text(encoding="utf-8") for path in PAGES}
    own = "tests/docs/test_code_names.py"
    folders = ("nomadspec", "model", "invariants", "checkers", "bench", "tests")
    texts = [source.text for source in list_sources(*folders) if source.path != own]
    texts += [
        (ROOT / "run.py").read_text(),
        *(one.body for text in shown.values() for one in list_blocks(text)),
    ]
    known = {word for text in texts for word in re.findall(r"\w+", text)}
    told = {
        (name, path.relative_to(ROOT).as_posix())
        for path, text in shown.items()
        for name in NAMED.findall(text)
        if not PATTERN.fullmatch(name)
    }

    assert len(told) > 200
    assert sorted((name, path) for name, path in told if name not in known | ELSEWHERE.keys()) == []
    assert ELSEWHERE.keys() <= {name for name, _ in told} - known
