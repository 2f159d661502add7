"""``nomadspec replay``: the story of a recorded cluster has the verdict of `vectors check`."""

import json
import shutil
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from nomadspec.checkers.oracle.reading import find_file, read_lines
from nomadspec.checkers.report.titles import name_with_title
from tests.checkers.cli.calling import call
from tests.checkers.cli.schemas import check_output
from tests.recorded import TRACES

NAME = "update_auto_revert"
FOLDER = str(TRACES / NAME)


@pytest.fixture(scope="module")
def lying(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Copy a recording in which one placement got a million MHz."""
    folder = tmp_path_factory.mktemp("lying") / NAME
    shutil.copytree(FOLDER, folder)
    log = find_file(folder, "raft-log.ndjson")
    assert log is not None
    lines = [dict(line.document) for line in read_lines(log)]
    log.unlink()
    for line in lines:
        if line.get("CommandType") == "ApplyPlanResultsRequestType" and line["Body"].get("AllocsUpdated"):
            tasks = line["Body"]["AllocsUpdated"][0]["AllocatedResources"]["Tasks"]
            next(iter(tasks.values()))["Cpu"]["CpuShares"] = 1_000_000
            break
    (folder / "raft-log.ndjson").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return str(folder)


def test_a_story_has_a_line_for_each_entry() -> None:
    called = call("replay", FOLDER, "--json")
    check_output(called.data)
    entries = list(read_lines(Path(find_file(Path(FOLDER), "raft-log.ndjson") or "")))

    assert 0 == called.code == call("vectors", "check", FOLDER).code
    assert called.data["ruling"] == "accepted"
    assert [each["index"] for each in called.data["events"]] == list(range(1, len(entries) + 1))
    assert called.data["impossible"] is None
    assert {"derived", "checked", "taken", None} == {each["share"] for each in called.data["events"]}
    assert called.data["shares"]["entries derived"] == sum(
        each["share"] == "derived" for each in called.data["events"]
    )


def test_a_story_reads_as_a_timeline() -> None:
    out = call("replay", FOLDER).out

    assert "register service job web" in out
    assert "deployment of web is failed and roll its job back" in out
    assert "accepted  49 entries" in out


def test_the_first_impossible_step_is_shown_with_what_was_allowed(lying: str, tmp_path: Path) -> None:
    """RANK-75, PLAN-31."""
    junit, sarif = tmp_path / "j.xml", tmp_path / "s.sarif"
    called = call("replay", lying, "--json", "--junit", str(junit), "--sarif", str(sarif))
    judged = call("vectors", "check", lying, "--json")
    check_output(called.data)
    first = called.data["impossible"]

    assert 1 == called.code == judged.code
    assert first["index"] == 15
    assert "1000000" in json.dumps(called.data["differences"])
    assert first["title"]
    assert any("cpu" in each["why"] for each in first["candidates"])
    assert {each["index"] for each in called.data["events"] if each["is_wrong"]} >= {15}
    told = json.loads(judged.out.splitlines()[0])
    assert [told["path"], *(each["path"] for each in told["others"])] == [
        each["path"] for each in called.data["differences"]
    ]
    text = call("replay", lying, "--wrong").out
    assert "The first step that is impossible: entry 15" in text
    assert "tried     the applier judges by the state of index 14" in text
    assert_told_by_case(junit, sarif)


def assert_told_by_case(junit: Path, sarif: Path) -> None:
    """Assert that CI is told what is wrong, by case."""
    cases = ET.fromstring(junit.read_text()).iter("testcase")

    assert any(case.find("failure") is not None for case in cases)
    assert json.loads(sarif.read_text())["runs"][0]["results"]


def test_a_page_and_a_graph_are_drawn(tmp_path: Path) -> None:
    page, dag = tmp_path / "page.html", tmp_path / "dag.svg"
    called = call("replay", FOLDER, "--html", str(page), "--dag", str(dag))

    assert 0 == called.code
    assert "deployment of web is failed" in page.read_text()
    assert "<svg" in dag.read_text()
    assert 2 == call("replay", FOLDER, "--dag", str(tmp_path / "dag.bmp")).code


@pytest.mark.parametrize(
    ("name", "quirk", "broken", "finding"),
    [
        ("disconnect_restart", "X-07", "terminal_eval_stays_terminal", "F-20"),
        pytest.param("burst", "03/S5", "no_node_is_oversubscribed", "F-01", marks=pytest.mark.deep),
    ],
)
def test_what_a_release_breaks_is_named_in_its_story(
    name: str, quirk: str, broken: str, finding: str
) -> None:
    """03/S5, X-07."""
    folder = str(TRACES / name)
    called, told = call("replay", folder, "--json"), call("vectors", "check", folder, "--json")
    check_output(called.data)
    defects = {(each["quirk"], each["broken"]): each for each in called.data["defects"]}

    assert 0 == called.code
    assert defects[quirk, broken]["findings"] == [finding]
    assert json.loads(told.out.splitlines()[0])["defects"] == called.data["defects"]
    shown = " ".join(call("vectors", "check", folder).out.split())
    assert f"known defect {name_with_title(quirk)}, {finding}; " in shown
    assert 1 == call("replay", folder, "--profile", "intended").code


def test_what_is_no_recording_cannot_be_told(tmp_path: Path) -> None:
    called = call("replay", str(tmp_path))

    assert 3 == called.code
    assert "raft-log.ndjson" in called.err
