"""What callers were answered: the entries that are named are theirs."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from nomadspec.checkers.oracle.context import Context
from nomadspec.checkers.oracle.judgement import Difference
from nomadspec.checkers.oracle.reading import find_file, read_document
from nomadspec.checkers.oracle.reads.actions import compare_actions
from nomadspec.checkers.oracle.reads.operator_requests import ASKED, find_asked
from nomadspec.model.specification.profiles import NOMAD_2_0
from tests.checkers.oracle.deciding import replay_recorded
from tests.recorded import find_trace

Action = dict[str, Any]

NAMES = (
    "alloc_stop",
    "batch_rerun",
    "canary_pause",
    "dispatch",
    "drain_cancel",
    "job_purge",
    "node_purge",
    "periodic",
    "preemption",
    "progress_deadline",
    "scale_system_forwarded",
    "soak_large_deployments",
)


def read_actions(name: str) -> list[Action]:
    path = find_file(find_trace(name), "scenario.json")
    assert path is not None
    document: Any = read_document(path)
    actions: list[Action] = json.loads(json.dumps(document["actions"]))
    return actions


def compare(folder: Path, name: str, actions: list[Action]) -> list[Difference]:
    (folder / "scenario.json").write_text(json.dumps({"actions": actions}))
    return list(compare_actions(folder, replay_recorded(name), Context(NOMAD_2_0)))


def find_action(name: str, end: str) -> Action:
    """Find the first call of a recording that something came of, by the end of its path."""
    for action in read_actions(name):
        path = action.get("request", {}).get("path", "").partition("?")[0]
        if path.endswith(end) and action["response"]["status"] == 200 and action["response"]["index"]:
            return action
    raise AssertionError(end)


@pytest.mark.parametrize("name", NAMES)
def test_what_was_recorded_is_accepted(name: str, tmp_path: Path) -> None:
    """WIRE-052, WIRE-065, WIRE-066, WIRE-073."""
    assert compare(tmp_path, name, read_actions(name)) == []


def test_nearly_all_kinds_of_calls_are_among_the_recorded() -> None:
    paths = [
        (each["request"]["method"], each["request"]["path"])
        for name in NAMES
        for each in read_actions(name)
        if each["kind"] == "http"
    ]
    met = {found[0].path for each in paths if (found := find_asked(*each)) is not None}

    assert len(met) >= len(ASKED) - 3
    assert find_asked("PUT", "/v1/system/gc") is None


@pytest.mark.parametrize(
    ("name", "end", "change", "place"),
    [
        ("job_purge", "/jobs", lambda it: it["request"]["body"]["Job"].update(ID="odd"), "request.JobID"),
        ("job_purge", "/job/web", lambda it: it["response"]["body"].update(EvalID="odd"), "EvalCreateIndex"),
        (
            "job_purge",
            "/job/web",
            lambda it: it["response"]["body"].update(JobModifyIndex=5),
            "response.body.JobModifyIndex",
        ),
        ("canary_pause", "", lambda it: it["request"].update(body={"Pause": False}), "request.Status"),
        (
            "drain_cancel",
            "/drain",
            lambda it: it["request"]["body"].update(DrainSpec=None),
            "request.DrainSpec",
        ),
        (
            "drain_cancel",
            "/drain",
            lambda it: it["request"]["body"]["DrainSpec"].update(Deadline=7),
            "request.Deadline",
        ),
        (
            "preemption",
            "/configuration",
            lambda it: it["request"]["body"].update(SchedulerAlgorithm="spread"),
            "request.SchedulerAlgorithm",
        ),
        (
            "node_purge",
            "/purge",
            lambda it: it["request"].update(path="/v1/node/odd/purge"),
            "request.NodeID",
        ),
        (
            "dispatch",
            "/dispatch",
            lambda it: it["response"]["body"].update(DispatchedJobID="odd"),
            "request.JobID",
        ),
        (
            "alloc_stop",
            "/stop",
            lambda it: it["request"].update(path="/v1/allocation/x/stop"),
            "request.Migrate",
        ),
    ],
)
def test_another_call_or_answer_is_refused(
    name: str, end: str, change: Callable[[Any], object], place: str, tmp_path: Path
) -> None:
    """WIRE-049, WIRE-052, WIRE-065, WIRE-066, WIRE-073, WIRE-075."""
    if not end:
        end = next(
            each["request"]["path"] for each in read_actions(name) if "/pause/" in each["request"]["path"]
        )
    action = find_action(name, end)
    change(action)
    (first, *_) = compare(tmp_path, name, [action])

    assert first.path.endswith(place)


def test_of_calls_that_were_refused_nothing_is_known(tmp_path: Path) -> None:
    """An answer that names what came after the end of the log is open, too."""
    action = find_action("job_purge", "/jobs")
    action["request"]["body"]["Job"]["ID"] = "odd"
    refused = {**action, "response": {"status": 500, "body": "no"}}
    later = {**action, "response": {"status": 200, "body": {"Index": 10_000, "EvalID": ""}}}

    assert compare(tmp_path, "job_purge", [refused, later, {"kind": "process"}]) == []
