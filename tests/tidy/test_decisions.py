"""Records of decisions are short, and all have the same parts in the same order."""

import re
from pathlib import Path
from typing import Final

import pytest

from tests.tidy.source import ROOT

MOST_LINES: Final = 80
PARTS: Final = ("Context", "Decision", "Alternatives", "Figures of its day", "Consequences")
NEEDED: Final = {"Context", "Decision", "Consequences"}
RECORDS: Final = sorted((ROOT / "docs/adr").glob("*.md"))


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_a_decision_has_its_parts_in_order(path: Path) -> None:
    text = path.read_text()
    parts = [part.partition(":")[0] for part in re.findall(r"^## (.+)$", text, re.MULTILINE)]

    assert parts == [part for part in PARTS if part in parts]
    assert set(parts) >= NEEDED
    assert len(text.splitlines()) <= MOST_LINES
    assert text.startswith(f"# ADR {path.stem[:4]}: ")
    assert re.search(r"^Status: ", text, re.MULTILINE)
