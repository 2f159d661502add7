"""A folder without a log: it is said what is missing, and the rest is judged."""

import json
import shutil
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from nomadspec.checkers.oracle.check import check_paths, judge_trace
from nomadspec.checkers.oracle.context import Context
from nomadspec.checkers.oracle.judgement import Judgement, Ruling
from nomadspec.checkers.oracle.reading import find_file, read_document
from nomadspec.checkers.replay.story import tell_story
from nomadspec.model.errors import InputError
from nomadspec.model.specification.profiles import NOMAD_2_0
from tests.recorded import find_trace

NAME = "drain_force"
TABLES = "raft-state.json"


def copy_parts(folder: Path, *names: str) -> Path:
    """Copy some files of a recording, and nothing else."""
    for name in names:
        path = find_file(find_trace(NAME), name)
        assert path is not None
        shutil.copy(path, folder)
    return folder


def change_tables(folder: Path, table: str, **changes: Any) -> None:
    """Change the first row of a table."""
    path = find_file(folder, TABLES)
    assert path is not None
    document = json.loads(json.dumps(read_document(path)))
    path.unlink()
    document[table][0].update(changes)
    (folder / TABLES).write_text(json.dumps(document))


@pytest.mark.parametrize(
    "parts",
    [
        ("events.ndjson",),
        ("initial.json", "final.json"),
        ("initial.json", TABLES),
        (TABLES,),
        ("events.ndjson", "initial.json", "final.json", TABLES, "polls.ndjson", "scenario.json"),
    ],
    ids=" ".join,
)
def test_what_is_missing_is_said_and_the_rest_is_judged(parts: tuple[str, ...], tmp_path: Path) -> None:
    """WIRE-105, WIRE-132, WIRE-134."""
    (judgement,) = check_paths([copy_parts(tmp_path, *parts)], None, partial(Context, NOMAD_2_0))

    assert isinstance(judgement, Judgement)
    assert judgement.ruling is Ruling.UNDECIDED
    assert "the log (raft-log.ndjson)" in judgement.reason
    assert all(part in judgement.reason for part in parts if part != "scenario.json")
    assert tell_story(tmp_path, Context(NOMAD_2_0)).judgement.reason == judgement.reason


def test_tables_that_no_cluster_has_are_refused(tmp_path: Path) -> None:
    """EVAL-02, OBJ-230."""
    copy_parts(tmp_path, "initial.json", "final.json", TABLES)
    change_tables(tmp_path, "Evals", Status="pending")
    judgement = judge_trace(tmp_path, Context(NOMAD_2_0))

    assert judgement.ruling is Ruling.REJECTED
    assert judgement.difference is not None
    assert judgement.difference.rule == "EVAL-02"


def test_tables_that_are_none_are_unreadable(tmp_path: Path) -> None:
    (tmp_path / TABLES).write_text('{"Evals": 7}')
    (answer,) = check_paths([tmp_path], None, partial(Context, NOMAD_2_0))

    assert isinstance(answer, InputError)


def test_a_single_part_that_tells_nothing_is_named(tmp_path: Path) -> None:
    (answer,) = check_paths([copy_parts(tmp_path, "scenario.json")], None, partial(Context, NOMAD_2_0))

    assert isinstance(answer, InputError)
    assert "only scenario.json" in str(answer)
    assert "raft-log.ndjson" in str(answer)


def test_a_document_of_another_shape_is_named(tmp_path: Path) -> None:
    copy_parts(tmp_path, "events.ndjson")
    (tmp_path / "scenario.json").write_text('{"stream_reconnects": [{"line": "x"}]}')
    (answer,) = check_paths([tmp_path], None, partial(Context, NOMAD_2_0))

    assert isinstance(answer, InputError)
    assert "scenario.json, at stream_reconnects[0].line" in str(answer)
