"""Corrupted recordings are rejected."""

import json
import lzma
import shutil
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from nomadspec.checkers.oracle import check, sharpness
from nomadspec.checkers.oracle.check import judge_trace
from nomadspec.checkers.oracle.compare import compare
from nomadspec.checkers.oracle.context import Context
from nomadspec.checkers.oracle.judgement import Difference, Ruling
from nomadspec.checkers.oracle.reading import Line
from nomadspec.checkers.oracle.registry import Kind, list_kinds, read_kind
from nomadspec.checkers.oracle.sharpness import main, measure
from nomadspec.model.specification.profiles import NOMAD_2_0
from tests.checkers.oracle.damaged import judge_corrupted
from tests.checkers.oracle.made import use_addition
from tests.recorded import TRACES, UNREADABLE, find_recording_file, list_lines, list_traces, make_context

STORE = Kind("state-store", "sequences")
NOTICED = (Ruling.REJECTED, UNREADABLE)
KINDS = [name for name in list_kinds() if name != "scheduler"]


def judge_loosely(vector: Mapping[str, Any], _context: Context) -> Iterator[Difference]:
    """Looks at the first table only, and takes any time."""
    told = vector["entries"][0]["tables"]
    yield from compare(
        {name: told[name] if name == "evals" else "NOW" for name in told}, {"jobs": "NOW", "evals": [1]}
    )


def measure_loosely(patch: pytest.MonkeyPatch, **entry: Any) -> sharpness.Sharpness:
    patch.setattr(check, "find_judge", lambda _kind: judge_loosely)
    return measure(STORE, [Line("f", 1, {"id": "x", "entries": [entry]})], partial(Context, NOMAD_2_0))


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
    lines = list_lines(find_recording_file(name))[:51:17]

    told = measure(read_kind(name), lines, lambda: make_context(name), most=8)

    assert len(lines) == told.recordings
    assert not told.survivors, f"{told}\n{told.survivors}"


@pytest.mark.deep
@pytest.mark.parametrize("name", KINDS)
def test_corruptions_of_every_kind_are_rejected(name: str) -> None:
    lines = list_lines(find_recording_file(name))[:400]

    told = measure(read_kind(name), lines, lambda: make_context(name), most=400)

    assert told.recordings >= 50
    assert told.is_sharp, f"{told}\n{told.survivors}"


@pytest.mark.parametrize("file", ["raft-state.json", "events.ndjson"])
def test_some_corruptions_of_a_cluster_are_rejected(file: str, tmp_path: Path) -> None:
    told = dict(judge_corrupted(TRACES / "blocked_eligibility", file, tmp_path, count=8))

    assert told
    assert [] == [place for place, one in told.items() if one not in NOTICED]


@pytest.mark.deep
@pytest.mark.parametrize("file", ["raft-state.json", "events.ndjson"])
@pytest.mark.parametrize("folder", list_traces(), ids=lambda path: path.name)
def test_corruptions_of_clusters_are_rejected(folder: Path, file: str, tmp_path: Path) -> None:
    told = dict(judge_corrupted(folder, file, tmp_path, count=40))

    survivors = [place for place, one in told.items() if one not in NOTICED]
    assert len(survivors) <= len(told) * (1 - sharpness.LEAST), survivors


def test_what_is_computed_from_a_node_is_compared(tmp_path: Path) -> None:
    folder = Path(shutil.copytree(TRACES / "blocked_eligibility", tmp_path / "trace"))
    events = folder / "events.ndjson.xz"
    text = lzma.decompress(events.read_bytes()).decode()
    events.write_bytes(lzma.compress(text.replace('"Drain":false', '"Drain":true', 1).encode()))

    told = judge_trace(folder, Context(NOMAD_2_0))

    assert '"Drain":false' in text
    assert told.difference is not None
    assert ("OBJ-151", True, False) == (told.difference.rule, told.difference.recorded, told.difference.model)
