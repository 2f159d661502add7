"""What may never end is not read, by no verb; what is too large is refused."""

import os
import sys
from pathlib import Path

import pytest

from nomadspec.checkers import regular_files
from nomadspec.checkers.oracle.reading import Line, scan_lines
from nomadspec.checkers.regular_files import open_ordinary, read_text
from nomadspec.checkers.report.stories import write_story
from nomadspec.model.errors import UnreadableError
from tests.checkers.cli.calling import call
from tests.checkers.shop import hasty
from tests.recorded import FOLDER

DRIVER = FOLDER.parents[1] / "docs" / "how-to" / "examples" / "conform" / "driver.py"
CALLS = [
    ("scenario", "run", "GIVEN"),
    ("follow", "GIVEN", "--model", "2pc"),
    ("explore", "--model", "2pc", "--resume", "GIVEN"),
    ("explore", "--model", "2pc", "--checkpoint", "GIVEN"),
    ("explore", "--model", "GIVEN"),
    ("refine", "--model", "2pc", "--by", "GIVEN"),
    ("mutants", "--model", "2pc", "--resume", "GIVEN"),
    ("story", "GIVEN"),
    ("schedule", "GIVEN"),
    ("replay", "GIVEN"),
    ("vectors", "check", "GIVEN"),
    ("vectors", "refine", "GIVEN"),
    ("vectors", "show", "GIVEN", "x"),
]


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        pytest.param(words, kind, id=f"{' '.join(words)} {kind}")
        for words in CALLS
        for kind in ("pipe", "device", "folder", "sparse", "nothing", "zeros")
        if kind != "nothing" or not {"--checkpoint", "mutants"} & {*words}  # these make the file
    ],
)
def test_every_verb_that_reads_ends_on_what_is_no_file_of_its_own(
    words: tuple[str, ...], kind: str, tmp_path: Path
) -> None:
    given = tmp_path / "given.py"
    if kind == "pipe":
        os.mkfifo(given)
    elif kind == "device":
        given.symlink_to("/dev/zero")
    elif kind == "folder":
        given.mkdir()
    elif kind == "sparse":
        with given.open("wb") as file:
            file.truncate(3 << 30)
    elif kind == "zeros":
        given.write_bytes(b"\0" * 5000)

    called = call(*(str(given) if word == "GIVEN" else word for word in words), "-q", "--json")

    assert called.code in {2, 3}
    assert called.code == called.data.get("exit_code", called.code)
    assert str(given) in called.err + called.out
    assert "defect" not in called.err


def test_a_job_of_a_scenario_is_a_file_too(tmp_path: Path) -> None:
    given, scenario = tmp_path / "job.json", tmp_path / "f.scenario"
    os.mkfifo(given)
    scenario.write_text(f"register file {given}\n")

    called = call("scenario", "run", scenario)

    assert 3 == called.code
    assert f"nomadspec: {given}: it is no ordinary file" in called.err


def test_questions_from_what_never_ends_are_refused(tmp_path: Path) -> None:
    given = tmp_path / "x.ndjson"
    os.mkfifo(given)

    called = call("conform", "--recordings", given, "--", sys.executable, DRIVER)

    assert 3 == called.code
    assert f"unreadable {given}: it is no ordinary file" in called.out


def test_a_lock_that_is_a_pipe_keeps_nobody_waiting(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "kept.lock")

    called = call("explore", "--model", "2pc", "--scope", "small", "--checkpoint", tmp_path / "kept", "-q")

    assert 0 == called.code


def test_what_takes_its_place_meanwhile_is_looked_at_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "f"
    path.write_text("x")
    usual = os.open

    def swap(given: Path, *rest: int) -> int:
        path.unlink()
        os.mkfifo(path)
        return usual(given, *rest)

    monkeypatch.setattr(os, "open", swap)
    with pytest.raises(UnreadableError, match="no ordinary file"):
        open_ordinary(path)


def test_a_file_that_calls_itself_ordinary_and_waits_is_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As the log of the kernel does, which only its owner can open."""
    path = tmp_path / "x.ndjson"
    os.mkfifo(path)
    monkeypatch.setattr(regular_files, "demand_ordinary", lambda *_: None)

    with path.open("r+b", buffering=0) as writer:
        writer.write(b"{}\n")
        with open_ordinary(path) as file, pytest.raises(UnreadableError, match="nothing to give for now"):
            file.read()
        writer.write(b"{}\n")
        line, refusal = scan_lines(path)

    assert isinstance(line, Line)
    assert "nothing to give for now" in str(refusal)


def test_a_text_is_bounded_and_its_line_ends_are_one_kind(tmp_path: Path) -> None:
    path = tmp_path / "f"
    path.write_bytes(b"a\r\nb\rc\n")

    assert "a\nb\nc\n" == read_text(path, 7)
    with pytest.raises(UnreadableError, match="it is longer than 0 MiB"):
        read_text(path, 6)


def test_a_file_without_an_end_that_says_it_is_empty_is_bounded() -> None:
    """Files of ``/proc`` say that they have no bytes."""
    assert not Path("/proc/self/status").stat().st_size
    with pytest.raises(UnreadableError, match="longer"):
        read_text(Path("/proc/self/status"), 10)


def test_a_name_that_no_file_can_have_is_unreadable(tmp_path: Path) -> None:
    scenario, story = tmp_path / "a.scenario", tmp_path / "a.json"
    scenario.write_text("register file a\0.json\n")
    write_story(story, *hasty(), "a\0.py:MODEL")

    for words in (("scenario", "run", scenario), ("story", story)):
        called = call(*words)

        assert 3 == called.code
        assert "no file has such a name" in called.err
