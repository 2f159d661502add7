"""``nomadspec vectors``."""

import json
from pathlib import Path

import pytest

from nomadspec.checkers.oracle import check
from tests.checkers.cli import schemas
from tests.checkers.cli.calling import call
from tests.checkers.oracle.made import use_addition
from tests.recorded import read_recordings

RIGHT = '{"id": "right", "a": 1, "b": 2, "sum": 3}'
WRONG = '{"id": "wrong", "a": 1, "b": 2, "sum": 4}'


@pytest.fixture(autouse=True)
def addition(monkeypatch: pytest.MonkeyPatch) -> None:
    use_addition(monkeypatch)


def write(folder: Path, *lines: str) -> Path:
    path = folder / "alloc-names" / "cases.ndjson"
    path.parent.mkdir(exist_ok=True)
    path.write_text("\n".join(lines))
    return path


@pytest.mark.parametrize(
    ("lines", "code", "last"),
    [
        ((RIGHT,), 0, "holds: 1 recording judged: 1 accepted"),
        ((RIGHT, WRONG), 1, "violated: 2 recordings judged: 1 accepted, 1 rejected"),
        ((RIGHT, '{"a": null, "b": 1}'), 4, "inconclusive: 2 recordings judged: 1 accepted, 1 undecided"),
        ((RIGHT, "{"), 3, "inconclusive: 1 recording judged: 1 accepted; 1 place unreadable"),
    ],
)
def test_the_exit_code_is_the_verdict(tmp_path: Path, lines: tuple[str, ...], code: int, last: str) -> None:
    called = call("vectors", "check", write(tmp_path, *lines))

    assert (code, last) == (called.code, called.out.splitlines()[-1])
    assert "" == called.err
    assert called.out.count("no JSON") == lines.count("{")


def test_every_recording_has_a_line_of_json_and_then_comes_the_sum(tmp_path: Path) -> None:
    called = call("vectors", "check", write(tmp_path, RIGHT, "{", WRONG), "--json")
    *lines, last = (json.loads(line) for line in called.out.splitlines())

    assert ["right", "wrong"] == [line["id"] for line in lines]
    assert "cases.ndjson, at line 2, column 2: this is no JSON" in called.err
    assert {"accepted": 1, "rejected": 1, "undecided": 0, "unsupported": 0, "defect": 0} == last["summary"]
    schemas.check_output(last)
    recording = schemas.load_schema("vectors.json")["$defs"]["recording"]
    assert [] == [fault for line in lines for fault in schemas.list_faults_of(line, recording)]


def test_the_family_can_be_said(tmp_path: Path) -> None:
    path = tmp_path / "mine.ndjson"
    path.write_text(RIGHT)

    assert 3 == call("vectors", "check", path).code
    assert 0 == call("vectors", "check", path, "--family", "alloc-names/cases").code
    assert (
        "did you mean alloc-names/cases" in call("vectors", "check", path, "--family", "alloc-nams/cases").err
    )


def test_ctrl_c_reports_what_is_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(check, "find_differences", interrupt)
    called = call("vectors", "check", write(tmp_path, RIGHT))

    assert (4, "inconclusive: 0 recordings judged before it was interrupted: none\n") == (
        called.code,
        called.out,
    )


def test_one_recording_is_shown(tmp_path: Path) -> None:
    path = write(tmp_path, RIGHT, WRONG)

    assert 1 == call("vectors", "show", path, "wrong").code
    shown = call("vectors", "show", path, "right", "--json")
    assert 0 == shown.code
    schemas.check_output(shown.data)
    assert 2 == call("vectors", "show", path, "lost").code


@pytest.mark.parametrize(
    ("verb", "line"), [("vectors", "check   Check recordings"), ("scenario", "run     Play the scenarios")]
)
def test_a_bare_call_shows_what_there_is(verb: str, line: str) -> None:
    called = call(verb)

    assert (2, "") == (called.code, called.err)
    assert line in called.out


def test_families_are_completed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("_NOMADSPEC_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", "nomadspec vectors check --family brok")
    monkeypatch.setenv("COMP_CWORD", "4")

    assert "plain,broker/sequences\n" == call().out


def test_recordings_are_held_against_the_kernel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    path = tmp_path / "broker" / "sequences.ndjson"
    path.parent.mkdir()
    path.write_text(json.dumps(read_recordings("broker/sequences")[0]))

    called = call("vectors", "refine", path, "--json")

    assert 0 == called.code
    schemas.check_output(called.data)
    assert {"enqueue", "ack"} <= set(called.data["files"][0]["agreed"])
    assert "as the kernel says, 0 not" in call("vectors", "refine", path).out
    assert 3 == call("vectors", "refine", tmp_path / "nowhere").code


def test_a_defect_ends_nothing_and_is_told_at_the_end(tmp_path: Path) -> None:
    path = write(tmp_path, RIGHT, '{"id": "broken"}', WRONG)

    told, data = call("vectors", "check", path), call("vectors", "check", path, "--json")
    lines = [json.loads(line) for line in data.out.splitlines()]
    shown = call("vectors", "show", path, "broken")

    assert (5, 5, 5) == (told.code, data.code, shown.code)
    assert "violated: 3 recordings judged: 1 accepted, 1 rejected, 1 defect" == told.out.splitlines()[-1]
    assert "please report it together with the recording" in told.out
    assert ["accepted", "defect", "rejected"] == [line["verdict"] for line in lines[:-1]]
    assert 1 == lines[-1]["summary"]["defect"]
    schemas.check_output(lines[-1])


def test_what_is_no_recording_is_unreadable_and_not_rejected(tmp_path: Path) -> None:
    called = call("vectors", "check", write(tmp_path, RIGHT, '{"id": "x", "a": [], "b": 1}'))

    assert 3 == called.code
    assert "cases.ndjson, at line 2, sum.a: a number was expected." in called.out


@pytest.mark.parametrize(
    ("option", "value"),
    [("--max-entries", "1"), ("--max-nesting", "1"), ("--max-line", "1"), ("--max-file", "1")],
)
def test_limits_are_told_with_the_option_that_raises_them(tmp_path: Path, option: str, value: str) -> None:
    path = write(tmp_path, RIGHT, '{"id": [[1]], "text": "' + "x" * (1 << 20) + '"}')

    checked = call("vectors", "check", path, option, value)
    shown = call("vectors", "show", path, "x", option, value)

    assert (3, 3) == (checked.code, shown.code)
    assert f"allow more with {option}" in checked.out
    assert f"allow more with {option}" in shown.err
