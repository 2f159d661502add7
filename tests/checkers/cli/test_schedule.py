"""``nomadspec schedule``."""

import json
from pathlib import Path

from nomadspec.checkers.oracle.reading import read_lines
from tests.checkers.cli.calling import call
from tests.checkers.cli.schemas import check_output
from tests.recorded import FOLDER


def write_call(folder: Path) -> Path:
    recorded = FOLDER / "scheduler" / "service-00.ndjson.xz"
    path = folder / "one.json"
    document = next(line.document for line in read_lines(recorded) if "out:place" in line.document["tags"])
    path.write_text(json.dumps(document))
    return path


def test_a_recorded_call_is_shown(tmp_path: Path) -> None:
    called = call("schedule", write_call(tmp_path))

    assert (called.code, called.err) == (0, "")
    assert "place" in called.out
    assert "Search for" not in called.out


def test_reasons_are_shown_when_asked_for(tmp_path: Path) -> None:
    called = call("schedule", write_call(tmp_path), "--why")

    assert "Search for" in called.out
    assert "RANK-71" in called.out


def test_the_report_keeps_to_its_schema(tmp_path: Path) -> None:
    path = write_call(tmp_path)

    check_output(call("schedule", path, "--json").data)
    check_output(call("schedule", path, "--why", "--json").data)


def test_a_file_that_cannot_be_read_exits_with_3(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text("{")

    assert call("schedule", path).code == 3
    assert call("schedule", tmp_path / "none").code == 3


def test_an_unknown_evaluation_exits_with_2(tmp_path: Path) -> None:
    path = tmp_path / "evals.json"
    path.write_text(json.dumps([{"ID": "e", "TriggeredBy": "job-register"}]))

    assert call("schedule", path, "--eval", "none").code == 2


def test_an_evaluation_is_found_by_how_its_id_begins(tmp_path: Path) -> None:
    ids = ("6e05c3d9-1f8a-4b72-9d4e-ac713f5b0862", "6e0faaaa-1f8a-4b72-9d4e-ac713f5b0862")
    evals = [
        {"ID": one, "JobID": "gone", "Type": "service", "TriggeredBy": "job-register", "Priority": 50}
        for one in ids
    ]
    path = tmp_path / "evals.json"
    path.write_text(json.dumps(evals))

    assert ids[0] == call("schedule", path, "--eval", "6e05c3d9", "--json").data["evaluation"]
    called = call("schedule", path, "--eval", "6e0")
    assert (2, f"nomadspec: Several IDs begin with '6e0': {', '.join(ids)}.\n") == (called.code, called.err)


def test_what_was_meant_can_be_asked_for(tmp_path: Path) -> None:
    """04/S-07: a recorded call is then decided with free choices."""
    path = write_call(tmp_path)

    assert call("schedule", path, "--profile", "intended").code == 0
    assert "place" in call("schedule", path, "--profile", "nomad-2.0 -04/S-11").out
    assert call("schedule", path, "--profile", "strange").code == 2


def test_what_stays_blocked_is_said_and_nodes_that_are_missing_are_missed(tmp_path: Path) -> None:
    task = {"Name": "t", "Driver": "docker", "Resources": {"CPU": 1, "MemoryMB": 10}}
    group = {"Name": "web", "Count": 1, "EphemeralDisk": {"SizeMB": 1}, "Tasks": [task]}
    about = {"Namespace": "default", "Type": "service", "Priority": 50}
    job = {"ID": "shop", "NodePool": "default", "Datacenters": ["dc1"], "TaskGroups": [group], **about}
    blocked = {"ID": "e1", "JobID": "shop", "Status": "blocked", "TriggeredBy": "queued-allocs", **about}
    (tmp_path / "job.json").write_text(json.dumps(job))
    (tmp_path / "evaluations.json").write_text(json.dumps([blocked]))
    called = call("schedule", tmp_path, "--why")

    assert "  outcome  stays blocked\n" in called.out
    assert "  nodes    the input has no nodes" in called.out


def test_a_job_that_is_missing_is_named(tmp_path: Path) -> None:
    entry = {"ID": "e1", "Namespace": "default", "JobID": "gone", "Type": "service", "Status": "pending"}
    file = tmp_path / "evaluations.json"
    file.write_text(json.dumps([{**entry, "Priority": 50, "TriggeredBy": "job-register"}]))

    for words in ((), ("--why",)):
        told = " ".join(call("schedule", str(file), *words).out.split())
        assert (
            "job not in the input, so it counts as purged; fetch it: nomad operator api /v1/job/gone" in told
        )
    assert call("schedule", str(file), "--json").data["lacks_job"]
