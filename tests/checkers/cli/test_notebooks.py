"""``nomadspec notebooks``: what notebooks read is installed with them, and their copies are the user's."""

import os
import re
import sys
from pathlib import Path
from typing import Final

import pytest

from nomadspec.checkers.cli import notebooks
from nomadspec.checkers.cli.notebooks import lay_out, split_words
from nomadspec.model.errors import UsageError
from tests.checkers.cli.calling import call
from tests.checkers.cli.schemas import check_output
from tests.packaging.course import list_course
from tests.tidy.source import ROOT

READ: Final = re.compile(r"\.\./((?:docs|tests)/[\w./-]+)")
"""What a notebook names outside its own folder; names that it puts together end early."""


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """Lay out what the wheel holds, as an installer does."""
    place = tmp_path / "site" / "course"
    for name, path in list_course().items():
        target = place / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.symlink_to(path)
    return place


def test_what_a_notebook_reads_is_copied_with_it(installed: Path, tmp_path: Path) -> None:
    place = lay_out(installed, ROOT, tmp_path / "mine")
    copied = [place / path.name for path in (ROOT / "notebooks").glob("*.ipynb")]

    assert (place / "pictures.py").is_file()
    for path in copied:
        for name in READ.findall(path.read_text()):
            assert (tmp_path / "mine" / name).exists(), f"{path.name} reads {name}"


def test_scenarios_and_recordings_are_copied_whole(installed: Path) -> None:
    for name in ("docs/scenarios/deployments", "docs/scenarios/seed", "tests/recordings/traces/alloc_stop"):
        assert _list_names(ROOT / name) == _list_names(installed / name)


def test_stories_of_findings_are_installed(installed: Path) -> None:
    assert _list_names(ROOT / "docs/findings") == _list_names(installed / "docs/findings")


def _list_names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_what_the_user_changed_stays(installed: Path, tmp_path: Path) -> None:
    changed = lay_out(installed, ROOT, tmp_path / "mine") / "01-first-story.ipynb"
    changed.write_text("mine")
    lay_out(installed, ROOT, tmp_path / "mine")

    assert "mine" == changed.read_text()
    assert changed.read_text() != (ROOT / "notebooks" / changed.name).read_text()


def test_a_clone_opens_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    called: list[list[str]] = []
    monkeypatch.setattr(notebooks, "find_spec", lambda _name: object())
    monkeypatch.setattr(os, "execv", lambda _program, words: called.append(words))

    assert 0 == call("notebooks", "--", "--no-browser").code
    assert [[sys.executable, "-m", "jupyterlab", "--no-browser", str(ROOT / "notebooks")]] == called
    with pytest.raises(UsageError, match="leave FOLDER out"):
        lay_out(tmp_path / "nothing", ROOT, tmp_path / "mine")


def test_options_after_two_dashes_go_to_jupyter() -> None:
    assert ([], ["--allow-root", "--port", "9000"]) == split_words(["--allow-root", "--port", "9000"])
    assert ([Path("mine")], ["--no-browser"]) == split_words(["mine", "--no-browser"])
    assert "theirs is another" in call("notebooks", "mine", "theirs", "--no-open").err


def test_without_jupyter_there_is_a_hint_and_the_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notebooks, "find_spec", lambda _name: None)

    assert "pip install 'nomadspec[notebooks]'" in call("notebooks").err
    assert f"The notebooks are in {ROOT / 'notebooks'}." == call("notebooks", "--no-open").out.strip()
    check_output(call("notebooks", "--no-open", "--json").data)
