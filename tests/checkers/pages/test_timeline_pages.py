"""Each verb has its page: what is shown is what was found."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.checkers.cli.calling import call
from tests.tidy.source import ROOT

SCENARIO = ROOT / "docs/scenarios/nodes/a-node-is-lost.scenario"


def data_of(path: Path) -> Any:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', path.read_text())
    assert found is not None
    return json.loads(found[1])


@pytest.fixture(scope="module")
def story(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("stories") / "hasty.json"
    call("explore", "--model", "2pc", "--scope", "hasty", "--property", "managers_agree", "--story-out", path)
    return path


def test_a_story_shows_its_steps_and_where_it_broke(story: Path, tmp_path: Path) -> None:
    called = call("story", story, "--html", tmp_path / "s.html")
    data = data_of(tmp_path / "s.html")

    assert 0 == called.code
    assert "managers_agree is violated after 5 steps" in called.out
    assert ["Prepare(rm1)", "ObeyCommit(rm1)"] == [data["steps"][at]["label"] for at in (0, -1)]
    assert [False] * 4 + [True] == [step["is_wrong"] for step in data["steps"]]
    assert {"name": "state[rm1]", "old": "working", "new": "prepared"} == data["steps"][0]["changes"][0]
    assert "data:image/svg+xml" in (tmp_path / "s.html").read_text()


def test_every_change_is_of_a_field_of_the_first_world(story: Path, tmp_path: Path) -> None:
    call("story", story, "--html", tmp_path / "s.html")
    data = data_of(tmp_path / "s.html")
    world = dict(data["first"])

    for step in data["steps"]:
        for change in step["changes"]:
            assert change["old"] == world[change["name"]]
            world[change["name"]] = change["new"]


def test_what_is_only_reached_is_not_shown_as_broken(tmp_path: Path) -> None:
    path = tmp_path / "reached.json"
    call("explore", "--model", "2pc", "--set", "rms=2", "--property", "all_commit", "--story-out", path)
    call("story", path, "--html", tmp_path / "s.html")

    assert not any(step["is_wrong"] for step in data_of(tmp_path / "s.html")["steps"])
    assert 'class="badge reached"' in (tmp_path / "s.html").read_text()


def test_a_page_and_a_graph_are_two_things(story: Path, tmp_path: Path) -> None:
    assert 2 == call("story", story, "--html", tmp_path / "s.html", "--dag", "dot").code


def test_a_scenario_shows_who_does_what(tmp_path: Path) -> None:
    called = call("scenario", "run", SCENARIO, "--html", tmp_path / "s.html")
    data = data_of(tmp_path / "s.html")

    assert 0 == called.code
    assert {"operator", "worker-1", "applier", "client"} <= set(data["lanes"])
    assert "data:image/svg+xml" in (tmp_path / "s.html").read_text()


def test_a_scenario_shows_which_components_an_act_changes(tmp_path: Path) -> None:
    call("scenario", "run", SCENARIO, "--html", tmp_path / "s.html")
    steps = data_of(tmp_path / "s.html")["steps"]
    touched = {step["label"].partition("(")[0]: step["also"] for step in steps if step["lane"] == "worker-1"}

    assert ["broker"] == touched["Dequeue"]
    assert ["plan queue", "broker"] == touched["SubmitPlan"]
    assert [] == touched["ReceiveAnswer"]
    assert "store" == touched["UpdateEval"][0]
    commits = [step for step in steps if step["label"] == "CommitPlan()"]
    assert all(step["also"][0] == "store" and "worker-" in step["also"][-1] for step in commits)


def test_an_expectation_in_vain_is_shown_where_it_failed(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.scenario"
    text = SCENARIO.read_text()
    wrong.write_text(text.replace("expect 3 allocs running", "expect 77 allocs running", 1))
    called = call("scenario", "run", wrong, "--html", tmp_path / "s.html")
    broken = [step for step in data_of(tmp_path / "s.html")["steps"] if step["is_wrong"]]

    assert 1 == called.code
    assert 1 == len(broken)
    assert broken[0]["notes"][-1].startswith("then 77 ")


def test_a_page_shows_one_scenario(tmp_path: Path) -> None:
    assert 2 == call("scenario", "run", SCENARIO, SCENARIO, "--html", tmp_path / "s.html").code


def test_a_place_where_nothing_can_be_written_is_refused(story: Path, tmp_path: Path) -> None:
    (tmp_path / "taken").touch()

    assert 2 == call("story", story, "--html", tmp_path / "taken" / "s.html").code
