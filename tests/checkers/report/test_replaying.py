"""Replaying says whether a story is as it claims."""

import json
from pathlib import Path

from click import unstyle

from nomadspec.checkers.report.replaying import replay_file
from nomadspec.checkers.verdict import Verdict
from tests.checkers.shop import write_hasty


def test_a_story_that_is_as_told_holds(tmp_path: Path) -> None:
    told = replay_file(write_hasty(tmp_path))

    assert Verdict.HOLDS is told.verdict
    assert {"old": "working", "new": "aborted"} == told.data("f")["changes"][3]["state[rm2]"]  # type: ignore[index]  # data is objects all the way down


def test_a_step_that_is_not_possible_is_told_not_raised(tmp_path: Path) -> None:
    path = write_hasty(tmp_path)
    data = json.loads(path.read_text())
    del data["steps"][0]
    path.write_text(json.dumps(data))

    told = replay_file(path)

    assert Verdict.VIOLATED is told.verdict
    assert "Step 1 of the story, CountPrepared(rm1), is not possible in the world before it." in unstyle(
        told.render()
    )
    assert [] == told.data("f")["changes"]


def test_an_end_that_is_not_as_claimed_is_told(tmp_path: Path) -> None:
    path = write_hasty(tmp_path)
    data = json.loads(path.read_text())
    del data["steps"][4]
    path.write_text(json.dumps(data))

    told = replay_file(path)

    assert Verdict.VIOLATED is told.verdict
    assert "not as told  managers_agree holds in the last world." in unstyle(told.render())
