"""Figures of other tools that the documentation quotes stand in bench/README.md, and how they were found."""

import re

from tests.tidy.source import ROOT


def test_what_the_comparison_quotes_is_in_the_notes_of_the_measurements() -> None:
    page = (ROOT / "docs/concepts/comparison.md").read_text()
    notes = set(re.findall(r"[\d.,]*\d", (ROOT / "bench/README.md").read_text()))
    rows = [row for row in page.partition("| tool | search |")[2].splitlines() if row.startswith("| ")]

    quoted = {figure for row in rows for figure in re.findall(r"[\d.,]*\d", row)}
    assert len(rows) >= 5
    assert not quoted - notes
