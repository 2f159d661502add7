"""All pages: current, deterministic, and written only where they differ."""

import shutil
from pathlib import Path

from nomadspec.checkers.reference.ids import IDS_FILE
from nomadspec.checkers.reference.pages import compute_pages, list_stale, write_pages
from nomadspec.checkers.reference.sources import ROOT


def test_the_pages_say_what_the_code_says() -> None:
    stale = list_stale(ROOT)

    assert not stale, f"run `python -m nomadspec.checkers.reference`: {', '.join(stale)}"


def test_the_pages_are_the_same_each_time() -> None:
    assert compute_pages(ROOT) == compute_pages(ROOT)


def test_only_stale_pages_are_written(tmp_path: Path) -> None:
    for folder in ("docs/reference/json", "tests", "model", "invariants", "checkers"):
        (tmp_path / folder).mkdir(parents=True)
    shutil.copy(ROOT / IDS_FILE, tmp_path / IDS_FILE)

    for folder in ("concepts", "diagrams", "findings"):
        shutil.copytree(ROOT / "docs" / folder, tmp_path / "docs" / folder)

    first, second = write_pages(tmp_path), write_pages(tmp_path)

    written = [f"docs/reference/{name}".replace("reference/../", "") for name in compute_pages(tmp_path)]
    assert written == first
    assert [] == second
