"""All pages: current, and written only where they differ."""

import shutil
from pathlib import Path

import pytest

from nomadspec.checkers.reference import pages
from nomadspec.checkers.reference.pages import list_stale, write_pages
from nomadspec.checkers.reference.sources import ROOT


@pytest.mark.deep
def test_the_pages_say_what_the_code_says() -> None:
    stale = list_stale(ROOT)

    assert not stale, f"run `python -m nomadspec.checkers.reference`: {', '.join(stale)}"


def test_only_stale_pages_are_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "docs/reference").mkdir(parents=True)
    for folder in ("concepts", "diagrams"):
        shutil.copytree(ROOT / "docs" / folder, tmp_path / "docs" / folder)
    monkeypatch.setattr(pages, "compute_pages", lambda _root: {"one.md": "1", "../two.md": "2"})

    assert ["docs/reference/one.md", "docs/two.md"] == write_pages(tmp_path)
    assert [] == write_pages(tmp_path)
    assert "2" == (tmp_path / "docs/two.md").read_text()
