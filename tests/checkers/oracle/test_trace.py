"""The judge of whole clusters: the recordings, and what it must not let pass."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from nomadspec.checkers.oracle.check import judge_trace
from nomadspec.checkers.oracle.context import Context
from nomadspec.checkers.oracle.judgement import Judgement, Ruling
from nomadspec.model.errors import UnreadableError
from tests.checkers.oracle.traced import make_line, make_trace, write_trace
from tests.recorded import assert_accepted, list_traces

Change = Callable[[dict[str, Any]], object]

QUICK = {"canary_manual", "dispatch", "namespace_late", "periodic", "server_restart"}
"""Clusters that show promotion, payloads, namespaces, launches and a stream that broke."""


def judge(folder: Path, change: Change = lambda _: None) -> Judgement:
    trace = make_trace()
    change(trace)
    return judge_trace(write_trace(folder, trace), Context())


def test_recorded_clusters_are_accepted() -> None:
    assert_accepted(judge_trace(folder, Context()) for folder in list_traces() if folder.name in QUICK)


@pytest.mark.deep
def test_all_recorded_clusters_are_accepted() -> None:
    assert_accepted(judge_trace(folder, Context()) for folder in list_traces())


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
        (lambda t: t["events.ndjson"].pop(), "events[5]"),
        (lambda t: t["events.ndjson"].pop(1), "events[2].Index"),
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
        pytest.param(lambda t: t["raft-log.ndjson"].pop(1), id="entry missing"),
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
def test_what_cannot_be_read_is_rejected(tmp_path: Path, change: Change) -> None:
    assert Ruling.REJECTED == judge(tmp_path, change).ruling


@pytest.mark.parametrize(
    "name",
    ["raft-log.ndjson", "raft-state.json", "final.json", "initial.json", "scenario.json", "events.ndjson"],
)
def test_nothing_is_said_of_a_cluster_of_which_a_file_is_missing(tmp_path: Path, name: str) -> None:
    with pytest.raises(UnreadableError, match=f"there is no {name} in this folder"):
        judge(tmp_path, lambda t: t.pop(name))


def test_a_type_of_entry_that_the_model_leaves_out_is_unsupported(tmp_path: Path) -> None:
    judgement = judge(tmp_path, lambda t: t["raft-log.ndjson"][2].update(CommandType="OddRequestType"))

    assert Ruling.UNSUPPORTED == judgement.ruling
    assert "OddRequestType" in judgement.reason


def test_a_second_stream_is_compared_too(tmp_path: Path) -> None:
    def add_leader(trace: dict[str, Any]) -> None:
        trace["events-leader.ndjson"] = trace["events.ndjson"][:2]

    judgement = judge(tmp_path, add_leader)

    assert Ruling.REJECTED == judgement.ruling
