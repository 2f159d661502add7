"""Corrupted recordings are rejected."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from nomadspec.checkers.oracle import check, sharpness
from nomadspec.checkers.oracle.compare import compare
from nomadspec.checkers.oracle.context import Context
from nomadspec.checkers.oracle.judgement import Difference
from nomadspec.checkers.oracle.reading import Line, read_lines
from nomadspec.checkers.oracle.registry import Kind, list_kinds, read_kind
from nomadspec.checkers.oracle.sharpness import main, measure
from tests.checkers.oracle.made import use_addition
from tests.recorded import find_recording_file, make_context

STORE = Kind("state-store", "sequences")
KINDS = [name for name in list_kinds() if name != "scheduler"]


def judge_loosely(vector: Mapping[str, Any], _context: Context) -> Iterator[Difference]:
    """Looks at the first table only, and takes any time."""
    told = vector["entries"][0]["tables"]
    yield from compare(
        {name: told[name] if name == "evals" else "NOW" for name in told}, {"jobs": "NOW", "evals": [1]}
    )


def measure_loosely(patch: pytest.MonkeyPatch, **entry: Any) -> sharpness.Sharpness:
    patch.setattr(check, "find_judge", lambda _kind: judge_loosely)
    return measure(STORE, [Line("f", 1, {"id": "x", "entries": [entry]})])


def test_what_is_not_rejected_survives_unless_a_row_forgives_it(monkeypatch: pytest.MonkeyPatch) -> None:
    told = measure_loosely(monkeypatch, tables={"jobs": "NOW", "evals": [1]}, indexes={"jobs": 4})

    assert (1, 1) == (told.recordings, told.forgiven)
    assert {"entries[0].indexes", "entries[0].indexes.jobs"} == {
        one.corruption.path for one in told.survivors
    }
    assert told.total == told.rejected + len(told.survivors)
    assert not told.is_sharp


def test_a_recording_that_is_rejected_as_it_is_shows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    told = measure_loosely(monkeypatch, tables={"evals": [2]})

    assert (0, 0, 0.0) == (told.recordings, told.total, told.share)


def test_the_survivors_are_listed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    use_addition(monkeypatch)
    path = tmp_path / "constraints" / "operands.ndjson"
    path.parent.mkdir()
    path.write_text(json.dumps({"id": "x", "a": 1, "b": 2, "sum": 3, "result": True}))

    assert 1 == main([str(path), str(tmp_path / "README.md")])
    assert (
        "constraints/operands: 0 of 1 rejected (0.00%) in 1 recordings, 0 forgiven\n"
        "  accepted x result flipped: True -> False\n"
    ) == capsys.readouterr().out


@pytest.mark.parametrize("name", KINDS)
def test_some_corruptions_of_every_kind_are_rejected(name: str) -> None:
    lines = [*read_lines(find_recording_file(name))][::9][:12]

    told = measure(read_kind(name), lines, lambda: make_context(name), most=8)

    assert len(lines) == told.recordings
    assert not told.survivors, f"{told}\n{told.survivors}"


@pytest.mark.deep
@pytest.mark.parametrize("name", KINDS)
def test_corruptions_of_every_kind_are_rejected(name: str) -> None:
    lines = [*read_lines(find_recording_file(name))][:400]

    told = measure(read_kind(name), lines, lambda: make_context(name), most=400)

    assert told.recordings >= 50
    assert told.is_sharp, f"{told}\n{told.survivors}"
