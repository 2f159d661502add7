"""``nomadspec story``."""

import json
from pathlib import Path

import pytest

from nomadspec.checkers.cli.documented_files import find_shipped
from tests.checkers.cli.calling import call
from tests.checkers.cli.schemas import check_output
from tests.checkers.shop import write_hasty
from tests.tidy.source import ROOT


def test_a_story_is_replayed(tmp_path: Path) -> None:
    called = call("story", write_hasty(tmp_path))

    assert (0, "") == (called.code, called.err)
    assert "    4  ChooseAbort(rm2)    state[rm2]: working -> aborted\n" in called.out


def test_the_report_keeps_to_its_schema(tmp_path: Path) -> None:
    called = call("story", write_hasty(tmp_path), "--json")

    check_output(called.data)
    check_output(called.data["story"])
    assert "holds" == called.data["verdict"]


def test_a_story_that_does_not_end_as_it_claims_exits_with_1(tmp_path: Path) -> None:
    path = write_hasty(tmp_path)
    data = json.loads(path.read_text())
    data["steps"].pop()
    path.write_text(json.dumps(data))

    assert (1, "violated") == (call("story", path).code, call("story", path, "--json").data["verdict"])


def test_what_is_written_of_a_story_that_ends_otherwise_says_so(tmp_path: Path) -> None:
    path = write_hasty(tmp_path)
    data = json.loads(path.read_text())
    data["steps"].pop()
    path.write_text(json.dumps(data))

    called = call("story", path, "--export", "itf")

    assert (1, "ITF") == (called.code, called.data["#meta"]["format"])
    assert (
        "nomadspec: the story does not end as told: managers_agree holds in the last world.\n" == called.err
    )


def test_a_story_that_cannot_be_replayed_exits_with_1_and_is_not_drawn(tmp_path: Path) -> None:
    path = write_hasty(tmp_path)
    data = json.loads(path.read_text())
    data["steps"].pop(0)
    path.write_text(json.dumps(data))

    called = call("story", path, "--dag", "dot")

    assert (1, "") == (called.code, called.out)
    assert "So there is nothing to write." in called.err
    assert "is not possible in the world before it" in call("story", path).out


def test_unreadable_files_exit_with_3(tmp_path: Path) -> None:
    path = tmp_path / "s.json"
    path.write_text("{")

    assert (3, 3) == (call("story", path).code, call("story", tmp_path / "none").code)
    check_output(call("story", path, "--json").data)


def test_a_story_of_an_unknown_model_exits_with_3(tmp_path: Path) -> None:
    path = write_hasty(tmp_path)
    path.write_text(path.read_text().replace('"2pc"', '"3pc"'))

    called = call("story", path)

    assert 3 == called.code
    assert "at $.model: there is no model named '3pc'; did you mean 2pc?\n" in called.err


@pytest.mark.parametrize(
    ("fmt", "beginning"),
    [
        ("mermaid", b"flowchart TB"),
        ("dot", b"digraph"),
        ("svg", b"<?xml"),
        ("png", b"\x89PNG"),
        ("graphml", b"<?xml"),
    ],
)
def test_the_graph_is_drawn(tmp_path: Path, fmt: str, beginning: bytes) -> None:
    path, out = write_hasty(tmp_path), tmp_path / "out"

    assert call("story", path, "--dag", fmt).raw.startswith(beginning)
    assert 0 == call("story", path, "--dag", fmt, "-o", out).code
    assert out.read_bytes().startswith(beginning)


def test_the_graph_as_json_keeps_to_its_schema(tmp_path: Path) -> None:
    data = call("story", write_hasty(tmp_path), "--dag", "png", "--json").data

    check_output(data)
    assert "base64" == data["encoding"]


def test_an_output_without_a_graph_is_refused(tmp_path: Path) -> None:
    called = call("story", write_hasty(tmp_path), "-o", tmp_path / "x")

    assert (2, "") == (called.code, called.out)
    assert "--output needs --dag or --export" in called.err


def test_a_story_is_written_for_other_tools(tmp_path: Path) -> None:
    path = write_hasty(tmp_path)

    itf = call("story", path, "--export", "itf")
    drawn = call("story", path, "--export", "sequence", "-o", tmp_path / "s.mmd")

    assert "ITF" == json.loads(itf.out)["#meta"]["format"]
    assert (0, "") == (drawn.code, drawn.out)
    assert (tmp_path / "s.mmd").read_text().startswith("sequenceDiagram")


def test_a_graph_and_an_export_are_two_things(tmp_path: Path) -> None:
    called = call("story", write_hasty(tmp_path), "--export", "itf", "--dag", "dot")

    assert 2 == called.code
    assert "either --dag or --export" in called.err


@pytest.mark.parametrize("name", ["F-05", "docs/findings/F-05.json"])
def test_the_story_of_a_finding_is_found_from_anywhere(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    called = call("story", name)

    assert (0, "") == (called.code, called.err)


def test_a_file_of_ones_own_goes_before_that_of_the_project(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    own = Path("docs/findings/F-05.json")
    own.parent.mkdir(parents=True)
    own.write_text("{}")

    assert 3 == call("story", str(own)).code
    assert own == find_shipped(own)
    assert Path("../README.md") == find_shipped(Path("../README.md"))
    assert ROOT / "docs/scenarios/nodes" == find_shipped(Path("docs/scenarios/nodes"))
    assert Path("model") == find_shipped(Path("model"))
