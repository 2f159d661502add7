"""What was read of a running cluster: all that was recorded is accepted, and nothing else."""

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from nomadspec.checkers.oracle.context import Context
from nomadspec.checkers.oracle.judgement import Difference
from nomadspec.checkers.oracle.reading import find_file, read_lines
from nomadspec.checkers.oracle.reads.comparing import compare_reads
from nomadspec.model.errors import InputError
from nomadspec.model.specification.profiles import NOMAD_2_0
from tests.checkers.oracle.deciding import replay_recorded
from tests.recorded import find_trace

Poll = dict[str, Any]

EVAL = "/v1/evaluation/"
ALLOC = "/v1/allocation/"
NODES = "/v1/nodes"
JOBS = "/v1/jobs"
RELATED = "system_blocked"


@cache
def read_polls(name: str) -> str:
    path = find_file(find_trace(name), "polls.ndjson")
    assert path is not None
    return json.dumps([line.document for line in read_lines(path)])


def compare_polls(folder: Path, name: str, polls: list[Poll]) -> list[Difference]:
    """Compare reads with the log of a recording."""
    (folder / "polls.ndjson").write_text("".join(f"{json.dumps(poll)}\n" for poll in polls))
    replay = replay_recorded(name)
    return list(compare_reads(folder, replay, replay.clock, Context(NOMAD_2_0), is_cut=False))


def compare_changed(folder: Path, name: str, start: str, change: Callable[[Any], object]) -> Difference:
    """Change the answer to the last read of a path that begins so, and give the first difference."""
    polls: list[Poll] = json.loads(read_polls(name))
    poll = next(each for each in reversed(polls) if each["path"].startswith(start) and each.get("body"))
    change(poll["body"])
    (first, *_) = compare_polls(folder, name, [poll])
    return first


@pytest.mark.parametrize(
    "name", ["dispatch", "drain_force", "gc_automatic", "namespace_late", "job_purge", "system_canary"]
)
def test_what_was_recorded_is_accepted(name: str, tmp_path: Path) -> None:
    """WIRE-020, WIRE-042, WIRE-134."""
    polls = json.loads(read_polls(name))

    assert any("unchanged" in poll for poll in polls)
    assert compare_polls(tmp_path, name, polls) == []


@pytest.mark.parametrize(
    ("name", "start", "change", "place"),
    [
        ("dispatch", EVAL, lambda body: body.update(Status="failed"), "body[0].Status"),
        ("dispatch", EVAL, lambda body: body.update(Extra=1), "body[0].Extra"),
        (
            "dispatch",
            f"{ALLOC}efea0fa9",
            lambda body: body["Job"].update(Payload="AA=="),
            "body[0].Job.Payload",
        ),
        ("dispatch", ALLOC, lambda body: body.update(DesiredStatus="stop"), "body[0].DesiredStatus"),
        ("dispatch", "/v1/job/render?", lambda body: body.update(Version=4), "body[0].Version"),
        ("dispatch", "/v1/job/render/versions", lambda body: body["Versions"].pop(), "body"),
        ("dispatch", JOBS, lambda body: body[0].update(ParameterizedJob=False), "body[0].ParameterizedJob"),
        ("dispatch", JOBS, lambda body: body.pop(), "body"),
        ("drain_force", NODES, lambda body: body[0].update(Drain=not body[0]["Drain"]), "body[0].Drain"),
        ("drain_force", NODES, lambda body: body[0].update(Status="down"), "body[0].Status"),
        ("drain_force", NODES, lambda body: body[0].update(ID="odd"), "body[0]"),
        ("gc_automatic", "/v1/evaluations", lambda body: body.insert(0, {"ID": "odd"}), "body[0]"),
        ("gc_automatic", "/v1/allocations", lambda body: body[0].update(JobVersion=7), "body[0].JobVersion"),
        ("gc_automatic", "/v1/deployments", lambda body: body[0].update(Status="failed"), "body[0].Status"),
    ],
)
def test_another_answer_is_refused(
    name: str, start: str, change: Callable[[Any], object], place: str, tmp_path: Path
) -> None:
    """WIRE-011, WIRE-030, WIRE-040, WIRE-050, WIRE-060, WIRE-062, WIRE-070, WIRE-134."""
    difference = compare_changed(tmp_path, name, start, change)

    assert difference.path.partition(".")[2] == place


@pytest.mark.parametrize("odd", [5, "text", None, [1]])
def test_a_row_that_is_no_object_is_unreadable(odd: object, tmp_path: Path) -> None:
    polls: list[Poll] = json.loads(read_polls("dispatch"))
    poll = next(each for each in polls if each["path"].startswith(JOBS) and each.get("body"))
    poll["body"][0] = odd

    with pytest.raises(InputError, match="expected an object"):
        compare_polls(tmp_path, "dispatch", [poll])


def test_a_summary_beside_a_job_is_compared(tmp_path: Path) -> None:
    """WIRE-060."""

    def change(body: Any) -> None:
        body[0]["JobSummary"]["Children"] = {"Dead": 9}

    assert "JobSummary" in compare_changed(tmp_path, "dispatch", JOBS, change).path


@pytest.mark.parametrize(
    "change",
    [
        lambda related: related.reverse(),
        lambda related: related.pop(0),
        lambda related: related[0].update(Status="failed"),
        lambda related: related[1].update(Priority=7),
    ],
    ids=["in another order", "one less", "in another status", "of another priority"],
)
def test_related_evaluations_are_those_that_links_lead_to(
    change: Callable[[Any], object], tmp_path: Path
) -> None:
    """EVAL-31, OBJ-184, WIRE-032, WIRE-033."""
    polls: list[Poll] = json.loads(read_polls(RELATED))
    bodies = [poll for poll in polls if poll["path"].startswith(EVAL)]
    poll = next(each for each in bodies if len(each["body"].get("RelatedEvals") or ()) > 1)
    assert compare_polls(tmp_path, RELATED, [poll]) == []
    change(poll["body"]["RelatedEvals"])

    assert "RelatedEvals" in compare_polls(tmp_path, RELATED, [poll])[0].path


def test_an_index_that_no_state_bears_is_refused(tmp_path: Path) -> None:
    """WIRE-020."""
    polls: list[Poll] = json.loads(read_polls("dispatch"))
    poll = next(each for each in polls if each["path"].startswith(EVAL))
    poll["index"] += 1

    assert [each.rule for each in compare_polls(tmp_path, "dispatch", [poll])] == ["WIRE-020"]


def test_what_was_read_after_the_end_of_a_log_is_open(tmp_path: Path) -> None:
    """Nobody knows what would have been read."""
    poll = {"path": f"{EVAL}x", "index": 10_000, "body": {"ID": "x"}}
    (tmp_path / "polls.ndjson").write_text(json.dumps(poll))
    replay, context = replay_recorded("dispatch"), Context(NOMAD_2_0)

    assert list(compare_reads(tmp_path, replay, replay.clock, context, is_cut=True)) == []
    assert "what was read then" in context.unseen[0]
