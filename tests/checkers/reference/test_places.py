"""The map."""

from nomadspec.checkers.reference.places import compute_map_page
from nomadspec.checkers.reference.sources import ROOT


def test_a_chapter_names_its_prefixes_and_places() -> None:
    page = compute_map_page(ROOT)

    (row,) = [line for line in page.splitlines() if line.startswith("| [06](coverage.md#chapter-06) |")]

    assert "`FEAS`, `NET`" in row
    assert "model/cluster/scheduler/feasibility" in row


def test_a_place_that_is_there_is_code_and_another_is_not() -> None:
    page = compute_map_page(ROOT)

    (row,) = [line for line in page.splitlines() if line.startswith("| [01](coverage.md#chapter-01) |")]

    assert "`model/lifecycle`" in row


def test_every_file_is_listed_with_its_sentence() -> None:
    page = compute_map_page(ROOT)

    row = "| `model/language/rule.py` | Rules: one named transition each, written once and read by every"
    assert row in page
    assert "`checkers/reference/places.py`" in page
