"""``--story-out``."""

from pathlib import Path

import pytest

from nomadspec.checkers.cli.kept import keep_story
from nomadspec.checkers.report.stories import read_story
from nomadspec.model.errors import UsageError
from tests.checkers.shop import hasty


def test_a_story_is_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    story, bounded = hasty()
    keep_story(tmp_path / "s", story, bounded, "2pc")

    assert story == read_story(tmp_path / "s")[0]
    assert "replays it" in capsys.readouterr().err


def test_nothing_is_written_where_nothing_was_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    keep_story(None, *hasty(), "2pc")

    assert "" == capsys.readouterr().err


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be written"):
        keep_story(tmp_path / "no" / "s", *hasty(), "2pc")
