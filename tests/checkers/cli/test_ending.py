"""What was found is told once, and no file beside it changes it."""

import errno
import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from nomadspec.checkers.cli.ending import finish
from nomadspec.checkers.cli.screen import OutputError, Screen
from nomadspec.checkers.report import json_fields
from nomadspec.model.errors import UsageError
from tests.checkers.cli.calling import call
from tests.checkers.cli.copied import run_copy
from tests.checkers.cli.schemas import check_output
from tests.checkers.conform.talking import BACKWARDS
from tests.tidy.source import ROOT

FULL = "/dev/full"
EXAMPLES = f"{ROOT}/docs/how-to/examples"
BY, DRAIN = f"{EXAMPLES}/atomic_commit.py:as_commit", f"{EXAMPLES}/drain.py:DRAIN"
WRONG = f"{EXAMPLES}/drain-wrong.ndjson"
VIOLATED = ("explore", "--model", "core", "--scope", "unchecked")


def fail() -> None:
    raise UsageError("f cannot be written (No space left on device).")


def fail_at_the_disk() -> None:
    raise OSError(28, "No space left on device", "g")


@pytest.mark.parametrize(
    ("found", "beside", "code"),
    [(0, (), 0), (0, (fail,), 2), (0, (fail_at_the_disk, fail), 4), (1, (fail,), 1), (4, (fail,), 4)],
)
@pytest.mark.parametrize("wants_json", [True, False])
def test_the_verdict_counts_before_a_file(
    found: int,
    beside: tuple[Callable[[], None], ...],
    code: int,
    wants_json: bool,
    capsys: pytest.CaptureFixture[str],
) -> None:
    given = Screen(wants_json, is_quiet=True)

    assert code == finish(given, "x", {"verdict": "?"}, lambda: "text", found, *beside)
    shown = capsys.readouterr()
    assert len(beside) == shown.err.count("nomadspec: warning: ")
    if wants_json:
        assert len(beside) == len(json.loads(shown.out).get("warnings", []))
    else:
        assert "text\n" == shown.out


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ((*VIOLATED, "--story-out", FULL), 1),
        (("refine", "--model", "2pc", "--scope", "hasty", "--by", BY, "--story-out", FULL), 1),
        (("follow", WRONG, "--model", DRAIN, "--story-out", FULL), 1),
        (("simulate", "--model", "2pc", "--scope", "hasty", "--seed", "3", "--story-out", FULL), 1),
        (("prove", "managers_agree", "-m", "2pc", "-s", "hasty", "--bounded-only", "--story-out", FULL), 1),
        (("explore", "--model", "2pc", "--set", "rms=2", "-p", "all_commit", "--story-out", FULL), 2),
    ],
    ids=["explore", "refine", "follow", "simulate", "prove", "nothing wrong"],
)
def test_a_full_disk_leaves_one_answer(words: tuple[str, ...], code: int) -> None:
    called = call(*words, "--json")

    assert code == called.code
    check_output(called.data)
    assert ["/dev/full cannot be written (No space left on device)."] == called.data["warnings"]
    assert "nomadspec: warning: /dev/full cannot be written" in called.err


def make_crowded(folder: Path, *names: str) -> Path:
    """Make a folder in which something is in the way of files."""
    for name in names:
        (folder / name / "in the way").mkdir(parents=True)
    return folder


@pytest.mark.deep
def test_scenarios_that_find_no_place_hide_no_violation(tmp_path: Path) -> None:
    words = ("scenario", "search", "--seed", "2", "--acts", "900", "--json")
    names = [f"{each['property']}.scenario" for each in call(*words).data["found"]]
    called = call(*words, "--out", make_crowded(tmp_path, *names))

    check_output(called.data)
    assert (1, "violated") == (called.code, called.data["verdict"])
    assert f"{tmp_path / names[0]} cannot be written" in called.data["warnings"][0]
    (tmp_path / "file").write_text("")
    assert 1 == call(*words, "--out", tmp_path / "file" / "folder").code


def test_answers_that_find_no_place_hide_no_wrong_one(tmp_path: Path) -> None:
    words = ("conform", "--family", "alloc-names", "--count", "5", "--no-shrink", "--json")
    called = call(*words, "--out", make_crowded(tmp_path, "alloc-names/cases.ndjson"), "--", *BACKWARDS)

    check_output(called.data)
    assert (1, "violated", []) == (called.code, called.data["verdict"], called.data["kept"])
    assert str(tmp_path / "alloc-names" / "cases.ndjson") in called.data["warnings"][0]


@pytest.mark.parametrize(
    ("words", "code"),
    [((*VIOLATED, "--story-out"), 1), (("explore", "--model", "2pc", "--scope", "small", "--junit"), 2)],
)
def test_a_pipe_that_nobody_reads_keeps_nobody_waiting(
    words: tuple[str, ...], code: int, tmp_path: Path
) -> None:
    os.mkfifo(tmp_path / "pipe")
    called = call(*words, tmp_path / "pipe", "--json")

    assert code == called.code
    assert [f"{tmp_path}/pipe cannot be written (No such device or address)."] == called.data["warnings"]


def test_a_picture_of_worlds_that_finds_no_room_hides_no_violation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(28, "No space left on device", "f.dot")

    monkeypatch.setattr(json_fields, "write_whole", refuse)
    called = call(
        "explore", "-m", "2pc", "-s", "hasty", "--depth", "5", "--graph", tmp_path / "f.dot", "-q", "--json"
    )

    check_output(called.data)
    assert (1, 1) == (called.code, len(called.data["warnings"]))


def test_text_is_told_before_the_warning() -> None:
    called = call(*VIOLATED, "--story-out", FULL)

    assert 1 == called.code
    assert "violated" in called.out
    assert "nomadspec: warning: /dev/full cannot be written" in called.err


def test_questions_that_find_no_room_end_no_proof(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def find_no_room(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("nomadspec.checkers.smt.emit.write_whole", find_no_room)
    called = call("prove", "--model", "2pc", "--emit-smt2", str(tmp_path), "--json")

    assert ("holds", 2, 1) == (called.data["verdict"], called.code, len(called.data["warnings"]))


@pytest.mark.parametrize(("words", "code"), [(VIOLATED, 1), (("models",), 4)])
def test_what_was_found_is_known_though_nobody_can_read_it(words: tuple[str, ...], code: int) -> None:
    with Path(FULL).open("wb") as full:
        done = run_copy(*words, "--json", out=full)

    assert code == done.code
    assert "the system refuses to go on (No space left on device)" in done.err
    assert "Traceback" not in done.err


@pytest.mark.parametrize(("words", "code"), [(VIOLATED, 1), (("models",), 141)])
def test_a_reader_that_went_away_changes_no_verdict(words: tuple[str, ...], code: int) -> None:
    read, write = os.pipe()
    os.close(read)
    done = run_copy(*words, "--json", out=write)
    os.close(write)

    assert (code, "") == (done.code, done.err)


def test_an_output_that_fails_keeps_what_was_found() -> None:
    problem = OSError(5, "Broken")
    error = OutputError(problem, 1)

    assert (problem, 1) == (error.problem, error.found)


def test_a_picture_that_finds_no_room_is_one_answer() -> None:
    called = call("diagram", "node", "-f", "mermaid", "-o", FULL, "--json")

    assert (2, None, 1) == (called.code, called.data["file_written"], len(called.data["warnings"]))
    check_output(called.data)


def test_a_story_that_is_not_true_stays_so_where_it_cannot_be_drawn(tmp_path: Path) -> None:
    path = tmp_path / "story"
    call(*VIOLATED, "--story-out", path)
    told = json.loads(path.read_text())
    del told["steps"][-1]
    path.write_text(json.dumps(told))

    assert 1 == call("story", path, "--dag", "mermaid", "-o", tmp_path / "drawn").code
    called = call("story", path, "--dag", "mermaid", "-o", FULL, "--json")
    assert (1, 1) == (called.code, len(called.data["warnings"]))
    check_output(called.data)


def test_the_last_line_of_judged_recordings_names_the_files_that_could_not_be_written(tmp_path: Path) -> None:
    recordings = tmp_path / "gc" / "cases.ndjson"
    recordings.parent.mkdir()
    recordings.write_text("{}\n")

    called = call("vectors", "check", recordings, "--json", "--junit", "/dev/full")

    assert 3 == called.code
    assert ["/dev/full cannot be written (No space left on device)."] == called.data["warnings"]


def test_a_full_disk_is_told_as_an_object_with_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_number: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", refuse)

    called = call("vectors", "make", tmp_path / "suite", "--family", "constraints", "--count", "1", "--json")

    assert 4 == called.code
    assert "suite" in called.data["message"]
    assert "No space left on device" in called.data["message"]
