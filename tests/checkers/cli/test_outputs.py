"""The files for CI that verbs write beside their result."""

import json
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from tests.checkers.cli.calling import call
from tests.checkers.cli.schemas import check_output, list_faults

SEARCH = ("explore", "--model", "2pc", "--scope", "hasty")


def test_a_folder_gets_all_of_them_and_the_verdict_stays(tmp_path: Path) -> None:
    called = call(*SEARCH, "--out", tmp_path / "new" / "ci")

    assert 1 == called.code
    assert {"result.json", "junit.xml", "results.sarif", "summary.md"} == {
        path.name for path in (tmp_path / "new" / "ci").iterdir()
    }
    check_output(json.loads((tmp_path / "new" / "ci" / "result.json").read_text()))


def test_recordings_are_cases(tmp_path: Path) -> None:
    called = call("vectors", "check", "tests/recordings/components/gc", "--junit", tmp_path / "j.xml")

    assert 0 == called.code
    assert "0" == ET.fromstring((tmp_path / "j.xml").read_text()).attrib["failures"]


def test_a_place_where_nothing_can_be_written_is_refused_at_once(tmp_path: Path) -> None:
    (tmp_path / "taken").touch()
    called = call(*SEARCH, "--junit", tmp_path / "taken" / "j.xml")

    assert 2 == called.code
    assert "cannot be written" in called.err


@pytest.mark.parametrize(
    "option", ["--junit", "--sarif", "--summary", "--story-out", "--html", "--checkpoint"]
)
def test_folders_that_are_not_there_are_made(option: str, tmp_path: Path) -> None:
    words = {"--html": ("story", "F-05"), "--checkpoint": ("explore", "--model", "2pc", "--states", "10")}
    file = tmp_path / "a" / "b" / "file"

    assert call(*words.get(option, SEARCH), option, file).code in {0, 1, 4}
    assert file.stat().st_size > 0


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "taken").touch()
    called = call(*SEARCH, "--out", tmp_path / "taken")

    assert 2 == called.code
    assert "is no folder" in called.err


def test_github_gets_annotations_on_stderr_and_a_summary(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "summary.md"))
    called = call(*SEARCH, "--github", "--json")

    assert "violated" == called.data["verdict"]
    assert "::error file=" in called.err
    assert (tmp_path / "summary.md").read_text().startswith("## nomadspec explore: violated")


def test_progress_is_a_line_of_json_each() -> None:
    called = call("explore", "--model", "2pc", "--scope", "small", "--progress", "json")
    events = [json.loads(line) for line in called.err.splitlines()]

    assert events
    assert [] == [fault for event in events for fault in list_faults(event, "progress.json")]
