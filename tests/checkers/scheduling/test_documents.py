"""Documents of a cluster are told from one another and put together to a state."""

import json
from pathlib import Path
from typing import Any

import pytest

from nomadspec.checkers.scheduling.documents import Documents
from nomadspec.model.cluster.entities import Evaluation
from nomadspec.model.errors import InputError

NODE = {"ID": "n", "SchedulingEligibility": "eligible", "HTTPAddr": "x", "Status": "ready"}
JOB = {"ID": "j", "Namespace": "default", "TaskGroups": [{"Name": "web"}], "Version": 1}
EVAL = {"ID": "e", "TriggeredBy": "job-register", "JobID": "j", "Namespace": "default"}
ALLOC = {"ID": "a", "TaskGroup": "web", "NodeID": "n", "JobID": "j", "Namespace": "default"}
DEPLOYMENT = {"ID": "d", "TaskGroups": {"web": {}}, "JobVersion": 1, "JobID": "j", "Namespace": "default"}
CONFIGURATION = {"SchedulerConfig": {"SchedulerAlgorithm": "spread", "PreemptionConfig": {}}}
POOL = {"Name": "default", "Description": "", "Meta": None}
OTHERS = [
    {"ID": "v", "Namespace": "default", "PluginID": "p", "CapacityBytes": 1},
    {"ID": "c", "Namespace": "default", "PluginID": "p", "AccessMode": ""},
    {"ID": "p", "ControllersHealthy": 1, "Nodes": {}},
    {"ID": "x", "Namespace": "default", "JobID": "j", "AllocID": "a", "VolumeID": "v"},
]


def take(*documents: Any) -> Documents:
    found = Documents()
    for document in documents:
        found.take(document, "x")
    return found


def test_every_kind_is_told_from_the_others() -> None:
    """WIRE-139."""
    snapshot = take(
        [NODE], [JOB], [EVAL], [ALLOC], [DEPLOYMENT], CONFIGURATION, [POOL], OTHERS
    ).build_snapshot()

    assert snapshot.find_node("n") is not None
    assert snapshot.find_job("default", "j") is not None
    assert snapshot.state.find_eval("e") is not None
    assert snapshot.find_latest_deployment("default", "j") is not None
    assert snapshot.find_node_pool("default") is not None
    assert snapshot.configuration is not None
    assert snapshot.find_host_volume("default", "v") is not None
    assert snapshot.find_csi_volume("default", "c") is not None
    assert snapshot.find_csi_plugin("p") is not None
    assert len(snapshot.list_claims_of_job("default", "j")) == 1


def test_one_object_may_hold_all() -> None:
    found = take({"Nodes": [NODE], "Evals": [EVAL], "Index": 5})

    assert len(found.find_all(Evaluation)) == 1


def test_the_newest_version_is_current() -> None:
    snapshot = take([JOB, {**JOB, "Version": 3}, {**JOB, "Version": 2}]).build_snapshot()

    job = snapshot.find_job("default", "j")

    assert job is not None
    assert job.version == 3
    assert snapshot.find_job_version("default", "j", 2) is not None


@pytest.mark.parametrize(
    ("alloc", "version"),
    [
        (ALLOC, 3),
        ({**ALLOC, "JobVersion": 1, "AllocatedResources": {}}, 1),
        ({**ALLOC, "Job": {**JOB, "Version": 0}}, 0),
    ],
    ids=["full", "short", "with its job"],
)
def test_allocations_get_their_job(alloc: dict[str, Any], version: int) -> None:
    snapshot = take([alloc], [JOB, {**JOB, "Version": 3}]).build_snapshot()

    found = snapshot.find_alloc("a")

    assert found is not None
    assert found.job is not None
    assert found.job.version == version


@pytest.mark.parametrize(
    "document",
    [
        {"ID": "j", "JobSummary": {}},
        {"ID": "n", "SchedulingEligibility": "eligible", "Address": "x"},
        {"ID": "?"},
    ],
    ids=["job", "node", "unknown"],
)
def test_what_is_too_short_is_refused(document: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        take([document]).build_snapshot()


def test_allocations_without_resources_are_refused() -> None:
    with pytest.raises(InputError, match=r"resources=true"):
        take([{**ALLOC, "JobVersion": 1}]).build_snapshot()


def test_files_of_a_folder_are_read(tmp_path: Path) -> None:
    (tmp_path / "nodes.json").write_text(json.dumps([NODE]))
    (tmp_path / "evals.ndjson").write_text(f"{json.dumps(EVAL)}\n{json.dumps({**EVAL, 'ID': 'f'})}\n")
    (tmp_path / "notes.txt").write_text("nothing")

    found = Documents.read(tmp_path)

    assert [each.id for each in found.find_all(Evaluation)] == ["e", "f"]
    assert Documents.read(tmp_path / "nodes.json").build_snapshot().find_node("n") is not None


def test_a_recording_is_no_answer_of_the_api(tmp_path: Path) -> None:
    (tmp_path / "raft-log.ndjson").touch()

    with pytest.raises(InputError, match=r"this is a recording.*nomadspec replay"):
        Documents.read(tmp_path)


def test_what_is_wrong_is_told_with_its_place() -> None:
    """The place in the file, then the field."""
    with pytest.raises(InputError, match=r"at \[1\]\.Status: expected a text, found 5"):
        take([NODE, {**NODE, "Status": 5}])
    with pytest.raises(InputError, match=r"at Nodes\[0\]: this object, with Strange, is of no known kind"):
        take({"Nodes": [{"Strange": 1}]})


def test_short_forms_are_passed_over_beside_the_objects_themselves() -> None:
    """As whoever asks for a list first and then for each object has both."""
    node, job = (
        {"ID": "n", "SchedulingEligibility": "ineligible", "Address": "x"},
        {"ID": "j", "Namespace": "default", "JobSummary": {}},
    )
    snapshot = take([node], [NODE], [job], JOB, [{**ALLOC, "JobVersion": 1}], ALLOC).build_snapshot()
    other = {"ID": "j", "Namespace": "other", "JobSummary": {}}

    assert snapshot.nodes[0].scheduling_eligibility == "eligible"
    assert snapshot.find_job("default", "j") is not None
    assert [alloc.id for alloc in snapshot.list_allocs_of_node("n")] == ["a"]
    with pytest.raises(InputError, match=r"at \[0\]: this is only the short form of a job"):
        take([other], JOB).build_snapshot()


def test_answers_are_taken_as_they_were_kept() -> None:
    """Also those that nothing is scheduled by; a namespace is no pool of its name."""
    kept = {
        "server": "s",
        "answers": [
            {"path": "/v1/nodes", "status": 200, "body": [NODE]},
            {"path": "/v1/status/leader", "status": 200, "body": "127.0.0.1:4647"},
            {"path": "/v1/namespaces", "status": 200, "body": [{**POOL, "Capabilities": None, "Quota": ""}]},
            {
                "path": "/v1/job/j/summary",
                "status": 200,
                "body": {"JobID": "j", "Summary": {}, "Children": None},
            },
        ],
    }
    snapshot = take(kept).build_snapshot()

    assert [node.id for node in snapshot.nodes] == ["n"]
    assert snapshot.find_node_pool("default") is None


def test_what_is_nested_deep_is_refused_like_anything_unknown() -> None:
    nested: object = {"Strange": 1}
    for _ in range(5000):
        nested = {"a": [nested]}

    with pytest.raises(InputError, match="this object, with Strange, is of no known kind"):
        take(nested)
