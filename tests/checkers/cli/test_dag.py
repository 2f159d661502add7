"""``nomadspec dag``."""

import json
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from tests.checkers.cli.calling import call
from tests.checkers.cli.schemas import check_output
from tests.recorded import FOLDER

SCENARIO = "docs/scenarios/nodes/a-node-is-lost.scenario"
CIRCLE = [
    {"ID": "a", "JobID": "web", "TriggeredBy": "job-register", "Status": "complete", "NextEval": "b"},
    {"ID": "b", "JobID": "web", "TriggeredBy": "queued-allocs", "Status": "complete", "NextEval": "a"},
]
HOSTILE = [
    {"ID": 'e"]; x', "JobID": "<b>\n\u202e]\x1b[31m", "TriggeredBy": "--> %% ((", "Status": "\x00"},
    {"ID": "e:]; x", "JobID": "subgraph", "TriggeredBy": "end", "Status": "complete"},
]


def write(folder: Path, document: object) -> Path:
    path = folder / "evals.json"
    path.write_text(json.dumps(document))
    return path


@pytest.mark.parametrize(
    ("fmt", "start"),
    [
        ("mermaid", b"flowchart TB"),
        ("dot", b"digraph"),
        ("svg", b"<?xml"),
        ("png", b"\x89PNG"),
        ("graphml", b"<?xml"),
        ("json", b"{"),
    ],
)
def test_every_format_is_written_and_the_same_each_time(fmt: str, start: bytes) -> None:
    first, second = (call("dag", SCENARIO, "--format", fmt) for _ in range(2))

    assert (0, True) == (first.code, first.raw.startswith(start))
    assert first.raw == second.raw


def test_mermaid_has_the_shapes_of_nomads_own_flowcharts() -> None:
    drawn = call("dag", SCENARIO, "--format", "mermaid", "--show", "evals").out

    assert '(("node-1<br/>misses heartbeat"))' in drawn
    assert '(["web<br/>node-update"])' in drawn
    assert 'subgraph in_job1["job web"]' in drawn


def test_questions_are_answered_in_text_and_as_json() -> None:
    called = call("dag", SCENARIO, "--why", "web[1]", "--critical-path", "--storms")
    assert 0 == called.code
    assert "node-1 misses heartbeat" in called.out
    assert "CRITICAL PATH  2 evaluations" in called.out

    data = call("dag", SCENARIO, "--why", "web[1]", "--critical-path", "--storms", "--json").data
    check_output(data)
    assert [None, "caused", "placed"] == [link["how"] for link in data["why"]["chain"]]
    assert [2, 1] == [storm["evals"] for storm in data["storms"]]


def test_a_picture_in_json_keeps_to_the_schema(tmp_path: Path) -> None:
    path = tmp_path / "x.svg"
    data = call("dag", SCENARIO, "--format", "svg", "-o", path, "--json").data

    check_output(data)
    assert str(path) == data["file_written"]
    check_output(json.loads(call("dag", SCENARIO, "--format", "json").out))


def test_recordings_and_dumps_are_read() -> None:
    recording = call("dag", FOLDER / "traces" / "preemption")

    assert 0 == recording.code
    assert "8 evaluations, 10 allocations" in recording.out


def test_circles_are_a_violation(tmp_path: Path) -> None:
    path = write(tmp_path, CIRCLE)
    called = call("dag", path)

    assert 1 == called.code
    assert "VIOLATED  1 chain of evaluations with no end\na -> b -> a" in called.out
    assert 1 == call("dag", path, "--format", "dot").code
    check_output(call("dag", path, "--json").data)


def test_hostile_names_are_shown_and_not_obeyed(tmp_path: Path) -> None:
    path = write(tmp_path, HOSTILE)

    for fmt in ("mermaid", "dot", "svg", "graphml", "json"):
        written = call("dag", path, "--format", fmt)
        assert 0 == written.code
        assert not {"\x1b", "\u202e", "\x00"} & set(written.out)
    ET.fromstring(call("dag", path, "--format", "svg").raw)
    ET.fromstring(call("dag", path, "--format", "graphml").raw)
    assert "<b>" not in call("dag", path, "--format", "mermaid").out
    assert "\x1b" not in call("dag", path).out


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        (("none.scenario",), 3, "it cannot be read"),
        (("none.json",), 3, "none.json"),
        (
            (SCENARIO, "--why", "db[0]"),
            2,
            "named 'db[0]'; did you mean web[0]",
        ),
        ((SCENARIO, "--focus", ""), 2, "There is no evaluation, allocation or deployment named ''"),
        ((SCENARIO, "--depth", "2"), 2, "--depth needs --focus"),
        ((SCENARIO, "-o", "x"), 2, "--output needs --format"),
        ((SCENARIO, "--storms", "--format", "svg"), 2, "print text or JSON"),
        (("docs/findings/F-01.json",), 2, "add --format"),
        (("docs/findings/F-01.json", "--storms"), 2, "A story of a model has no evaluations"),
    ],
)
def test_what_is_wrong_is_told_in_a_sentence(words: tuple[str, ...], code: int, sentence: str) -> None:
    called = call("dag", *words)

    assert code == called.code
    assert sentence in called.err


def test_a_dump_without_evaluations_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path, [{"ID": "n", "SchedulingEligibility": "eligible", "HTTPAddr": ""}])

    called = call("dag", path)
    assert (3, True) == (called.code, "there is no evaluation in it" in called.err)


def test_a_story_has_the_graph_that_story_draws() -> None:
    story = "docs/findings/F-01.json"

    assert call("story", story, "--dag", "mermaid").out == call("dag", story, "--format", "mermaid").out
