"""The judge of whole clusters: the recordings, and what it must not let pass."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from nomadspec.checkers.oracle import trace
from nomadspec.checkers.oracle.check import judge_trace
from nomadspec.checkers.oracle.context import Context
from nomadspec.checkers.oracle.judgement import Judgement, Ruling
from nomadspec.model.errors import UnreadableError
from nomadspec.model.specification.profiles import NOMAD_2_0
from tests.checkers.oracle.traced import make_command, make_event, make_line, make_trace, write_trace
from tests.recorded import FOLDER, assert_accepted, list_traces

Change = Callable[[dict[str, Any]], object]

SOAK = FOLDER / "soak"

QUICK = {"canary_manual", "dispatch", "namespace_late", "periodic", "server_restart"}
"""Clusters that show promotion, payloads, namespaces, launches and a stream that broke."""


def judge(folder: Path, change: Change = lambda _: None) -> Judgement:
    trace = make_trace()
    change(trace)
    return judge_trace(write_trace(folder, trace), Context(NOMAD_2_0))


def test_recorded_clusters_are_accepted() -> None:
    assert_accepted(
        judge_trace(folder, Context(NOMAD_2_0)) for folder in list_traces() if folder.name in QUICK
    )


@pytest.mark.deep
def test_all_recorded_clusters_are_accepted() -> None:
    assert_accepted(judge_trace(folder, Context(NOMAD_2_0)) for folder in list_traces())


def test_what_was_written_by_hand_is_accepted_and_what_was_forgiven_is_counted(tmp_path: Path) -> None:
    judgement = judge(tmp_path)

    assert Ruling.ACCEPTED == judgement.ruling, judgement.difference or judgement.reason
    assert {"wall-clock": 2} == judgement.forgiven


@pytest.mark.parametrize(
    ("change", "path"),
    [
        (lambda t: t["raft-state.json"]["Nodes"][0].update(Status="down"), "raft-state.Nodes[0].Status"),
        (lambda t: t["raft-state.json"]["Nodes"][0].update(Odd=1), "raft-state.Nodes[0].Odd"),
        (lambda t: t["raft-state.json"]["Nodes"].clear(), "raft-state.Nodes"),
        (lambda t: t["raft-state.json"]["Nodes"][0].update(ID="n2"), "raft-state.Nodes[0]"),
        (lambda t: t["raft-state.json"].update(Odd=[1]), "raft-state.Odd"),
        (lambda t: t["raft-state.json"]["Indexes"].pop(), "raft-state.Indexes.deployment"),
        (
            lambda t: t["raft-state.json"]["Deployments"][0]["TaskGroups"]["g"].pop("RequireProgressBy"),
            "raft-state.Deployments[0].TaskGroups.g.RequireProgressBy",
        ),
        (
            lambda t: t["final.json"]["answers"][0]["body"][0].update(Description="x"),
            "final.namespaces[0].Description",
        ),
        (lambda t: t["final.json"]["answers"][1]["body"].pop(), "final.node_pools"),
        (lambda t: t["final.json"]["answers"].pop(), "final.SchedulerConfig.SchedulerAlgorithm"),
        pytest.param(lambda t: t["events.ndjson"].pop(2), "events[3].Index", id="a line is missing"),
        (lambda t: t["events.ndjson"].insert(2, make_line(3)), "events[3].Index"),
        (lambda t: t["events.ndjson"][1]["Events"].clear(), "events[2].Events"),
        (lambda t: t["events.ndjson"][1]["Events"][0].update(Key="n2"), "events[2].Events[0]"),
        (lambda t: t["events.ndjson"][1]["Events"][0].update(Type="x"), "events[2].Events[0].Type"),
        (lambda t: t["events.ndjson"][1]["Events"][0].update(Index=4), "events[2].Events[0].Index"),
        (
            lambda t: t["events.ndjson"][2]["Events"][0].update(FilterKeys=[]),
            "events[3].Events[0].FilterKeys[0]",
        ),
        (
            lambda t: t["events.ndjson"][1]["Events"][0]["Payload"]["Node"].update(Status="down"),
            "events[2].Events[0].Payload.Node.Status",
        ),
        (
            lambda t: t["events.ndjson"][1]["Events"][0]["Payload"].update(Deleted=True),
            "events[2].Events[0].Payload.Deleted",
        ),
        (
            lambda t: t["events.ndjson"][1]["Events"][0]["Payload"]["Node"].update(Odd=1),
            "events[2].Events[0].Payload.Node.Odd",
        ),
    ],
)
def test_what_is_corrupted_is_rejected_there(tmp_path: Path, change: Change, path: str) -> None:
    judgement = judge(tmp_path, change)

    assert Ruling.REJECTED == judgement.ruling
    assert judgement.difference is not None
    assert path == judgement.difference.path
    assert judgement.difference.rule


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda t: t["raft-log.ndjson"].append(t["raft-log.ndjson"][2]), id="entry twice"),
        pytest.param(lambda t: t["raft-log.ndjson"].clear(), id="no entry"),
        pytest.param(lambda t: t["raft-log.ndjson"][2].update(Body={"Node": 5}), id="a node that is none"),
        pytest.param(lambda t: t["raft-state.json"].update(Nodes=5), id="a table that is none"),
        pytest.param(
            lambda t: t["raft-state.json"]["Indexes"].append({"Key": "nodes", "Value": 3}),
            id="an index twice",
        ),
        pytest.param(lambda t: t.update({"final.json": []}), id="a dump that is none"),
        pytest.param(lambda t: t["final.json"]["answers"][0].update(body=5), id="a list that is none"),
        pytest.param(lambda t: t["final.json"]["answers"][2].update(body=5), id="an answer that is none"),
        pytest.param(lambda t: t["initial.json"]["answers"][0].update(body=[5]), id="a row that is none"),
        pytest.param(lambda t: t["events.ndjson"][1].update(Index="3"), id="an index that is a text"),
    ],
)
def test_what_is_no_recording_is_unreadable(tmp_path: Path, change: Change) -> None:
    with pytest.raises(UnreadableError, match=str(tmp_path)):
        judge(tmp_path, change)


@pytest.mark.parametrize(
    ("name", "unseen"),
    [
        ("raft-log.ndjson", "the log"),
        ("raft-state.json", "the tables after the log"),
        ("final.json", "namespaces, pools and configuration at the end"),
        ("initial.json", "the namespaces for which the stream was opened"),
        ("scenario.json", "where the stream broke, and how the recording ended"),
        ("events.ndjson", "the event stream"),
    ],
)
def test_of_what_is_missing_nothing_is_said(tmp_path: Path, name: str, unseen: str) -> None:
    judgement = judge(tmp_path, lambda t: t.pop(name))

    assert Ruling.UNDECIDED == judgement.ruling, judgement.difference
    assert any(each.startswith(unseen) for each in judgement.unseen)
    assert judgement.reason.startswith("inconclusive: ")


def leave_out(trace: dict[str, Any]) -> None:
    """Let the entry that registers the node be of a type that nobody knows."""
    trace["raft-log.ndjson"][2].update(CommandType="OddRequestType")


def test_a_type_of_entry_that_the_model_leaves_out_is_unsupported(tmp_path: Path) -> None:
    judgement = judge(tmp_path, leave_out)

    assert Ruling.UNSUPPORTED == judgement.ruling, judgement.difference
    assert "OddRequestType" in judgement.reason
    assert ("log entries of type OddRequestType",) == judgement.gaps


def test_what_is_left_out_hides_no_contradiction_after_it(tmp_path: Path) -> None:
    def change(trace: dict[str, Any]) -> None:
        leave_out(trace)
        trace["raft-state.json"]["Deployments"][0].update(Status="failed")

    judgement = judge(tmp_path, change)

    assert Ruling.REJECTED == judgement.ruling
    assert judgement.difference is not None
    assert "raft-state.Deployments[0].Status" == judgement.difference.path
    assert () == judgement.others
    assert ("log entries of type OddRequestType",) == judgement.gaps


def test_all_differences_are_told(tmp_path: Path) -> None:
    def change(trace: dict[str, Any]) -> None:
        trace["raft-state.json"]["Nodes"][0].update(Status="down")
        trace["final.json"]["answers"][0]["body"][0].update(Description="x")
        trace["events.ndjson"].pop(2)
        trace["events.ndjson"][1]["Events"][0].update(Type="x")

    judgement = judge(tmp_path, change)

    assert judgement.difference is not None
    assert [
        "raft-state.Nodes[0].Status",
        "final.namespaces[0].Description",
        "events[2].Events[0].Type",
        "events[3].Index",
    ] == [each.path for each in (judgement.difference, *judgement.others)]


def test_services_are_passed_over(tmp_path: Path) -> None:
    """OBJ-397."""

    def register_a_service(trace: dict[str, Any]) -> None:
        index = len(trace["raft-log.ndjson"]) + 1
        trace["raft-log.ndjson"].append(make_command(index, "ServiceRegistrationUpsert", {"Services": []}))
        event = make_event(index, "Service", "s", "ServiceRegistration", {"ID": "s"})
        trace["events.ndjson"].append(make_line(index, event))
        trace["raft-state.json"]["Indexes"].append({"Key": "services", "Value": index})

    assert Ruling.ACCEPTED == judge(tmp_path, register_a_service).ruling


SOAKS = {
    "soak_small_deletion": {"leader-memory", "order-of-events", "wall-clock"},
    "soak_small_failures": {"leader-memory", "order-of-events", "wall-clock"},
    "soak_small_mixed_1": {"lost-bytes", "order-of-events"},
    "soak_small_nodes": {"leader-memory", "order-of-events", "wall-clock"},
}
"""Long random runs, and which equivalences each needs."""
LONG_SOAKS = ["soak_large_deployments", "soak_large_killed", "soak_medium_nodes"]


@pytest.mark.deep
@pytest.mark.parametrize("name", SOAKS)
def test_random_runs_are_accepted(name: str) -> None:
    """TRIG-29, OBJ-395, WIRE-084."""
    judgement = judge_trace(SOAK / name, Context(NOMAD_2_0))

    assert_accepted(iter([judgement]))
    assert SOAKS[name] == set(judgement.forgiven)


@pytest.mark.deep
@pytest.mark.parametrize("name", LONG_SOAKS)
def test_long_random_runs_are_accepted(name: str) -> None:
    """DRAIN-09, TRIG-11, OBJ-422."""
    assert_accepted(iter([judge_trace(SOAK / name, Context(NOMAD_2_0))]))


def test_the_shortest_random_run_is_accepted(monkeypatch: pytest.MonkeyPatch) -> None:
    """OBJ-395. Which defects of the release it shows is asked in the deep tests: it takes long."""
    monkeypatch.setattr(trace, "compare_promises", lambda _replay, _context: iter(()))

    assert_accepted(iter([judge_trace(SOAK / "soak_small_deletion", Context(NOMAD_2_0))]))


def test_a_second_stream_is_compared_too(tmp_path: Path) -> None:
    def add_leader(trace: dict[str, Any]) -> None:
        trace["events-leader.ndjson"] = json.loads(json.dumps(trace["events.ndjson"]))
        trace["events-leader.ndjson"][1]["Events"][0].update(Type="x")

    judgement = judge(tmp_path, add_leader)

    assert Ruling.REJECTED == judgement.ruling
