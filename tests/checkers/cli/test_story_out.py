"""``--story-out``."""

import os
from pathlib import Path

import pytest

from nomadspec.checkers.cli.story_out import check_place, keep_story
from nomadspec.checkers.report.stories import read_story
from nomadspec.model.errors import UsageError
from tests.checkers.shop import hasty


def test_a_story_is_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    story, bounded = hasty()
    keep_story(tmp_path / "a s", story, bounded, "2pc")

    assert story == read_story(tmp_path / "a s")[0]
    assert f"`nomadspec story '{tmp_path}/a s'` replays it" in capsys.readouterr().err


def test_nothing_is_written_where_nothing_was_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    keep_story(None, *hasty(), "2pc")

    assert "" == capsys.readouterr().err


def test_a_place_is_checked_before_anything_is_computed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    check_place(None)
    (tmp_path / "file").touch()
    check_place(tmp_path / "s")
    check_place(tmp_path / "no" / "folder" / "s")
    for wrong, why in (
        (tmp_path, "Is a directory"),
        (tmp_path / "file" / "s", "Not a directory"),
        (tmp_path / ("s" * 300), "File name too long"),
    ):
        with pytest.raises(UsageError, match=rf"cannot be written \({why}\): name another file"):
            check_place(wrong)
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(UsageError, match=r"cannot be written \(Permission denied\): name another file"):
        check_place(tmp_path / "s")


def test_a_folder_that_is_not_there_is_made(tmp_path: Path) -> None:
    story, bounded = hasty()
    keep_story(tmp_path / "a" / "b" / "s", story, bounded, "2pc")

    assert story == read_story(tmp_path / "a" / "b" / "s")[0]


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(UsageError, match=r"cannot be written \(Not a directory\)"):
        keep_story(tmp_path / "file" / "b" / "s", *hasty(), "2pc")
