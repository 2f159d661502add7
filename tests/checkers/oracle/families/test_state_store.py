"""The judge of the state store: all recordings, and what it must not let pass."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from nomadspec.checkers.oracle.families.state_store import Checksums
from nomadspec.checkers.oracle.judgement import Judgement, Ruling
from tests.recorded import (
    EVERY_THIRD_OR_ALL,
    assert_accepted,
    find_complaint,
    judge_document,
    judge_recordings,
)

KIND = "state-store/sequences"
CHECKSUM, OTHER = "A" * 43 + "=", "B" * 43 + "="
POOL = {"Name": "mills", "NodeIdentityTTL": 86_400_000_000_000, "CreateIndex": 5, "ModifyIndex": 5}
JOB = {
    "Namespace": "default",
    "ID": "tick",
    "Type": "batch",
    "NodePool": "mills",
    "Periodic": {"Enabled": True},
}
STORED = {**JOB, "Status": "running", "CreateIndex": 6, "ModifyIndex": 6, "JobModifyIndex": 6}
SUMMARY = {
    "JobID": "tick",
    "Namespace": "default",
    "Children": {},
    "CreateIndex": 6,
    "ModifyIndex": 6,
}
LAUNCH = {"ID": "tick", "Namespace": "default", "Launch": "NOW", "CreateIndex": 6, "ModifyIndex": 6}
SEQUENCE: dict[str, Any] = {
    "id": "by-hand",
    "initial": {"tables": {"namespaces": {"created": [{"Name": "default"}]}}, "index": {"namespaces": 1}},
    "entries": [
        {
            "index": 5,
            "type": "NodePoolUpsert",
            "request": {"NodePools": [{"Name": "mills", "Hash": OTHER}]},
            "tables": {"node_pools": {"created": [{**POOL, "Hash": CHECKSUM}]}},
            "indexes": {"node_pools": 5},
        },
        {
            "index": 6,
            "type": "JobRegister",
            "request": {"Job": JOB},
            "tables": {
                "jobs": {"created": [STORED]},
                "job_version": {"created": [STORED]},
                "job_summary": {"created": [SUMMARY]},
                "periodic_launch": {"created": [LAUNCH]},
            },
            "indexes": {
                "csi_plugins": 6,
                "job_summary": 6,
                "job_version": 6,
                "jobs": 6,
                "periodic_launch": 6,
            },
        },
        {
            "index": 7,
            "type": "NodePoolDelete",
            "request": {"Names": ["docks"]},
            "error": "node pool docks not found",
            "tables": {},
            "indexes": {},
        },
        {
            "index": 8,
            "type": "NodePoolDelete",
            "request": {"Names": ["mills"]},
            "tables": {"node_pools": {"deleted": ["mills"]}},
            "indexes": {"node_pools": 8},
        },
    ],
}


def judge(change: Callable[[list[dict[str, Any]]], object] = lambda _: None) -> Judgement:
    sequence = json.loads(json.dumps(SEQUENCE))
    change(sequence["entries"])
    return judge_document(KIND, sequence)


@EVERY_THIRD_OR_ALL
def test_all_recordings_are_accepted(every: int) -> None:
    assert_accepted(judge_recordings(KIND, every=every))


def test_what_was_written_by_hand_is_accepted() -> None:
    judgement = judge()

    assert Ruling.ACCEPTED == judgement.ruling, judgement.difference


@pytest.mark.parametrize(
    ("change", "path"),
    [
        (lambda e: e[0]["tables"].clear(), 'entries[0].tables.node_pools.created["mills"]'),
        (
            lambda e: e[0]["tables"]["node_pools"]["created"][0].update(Hash="short"),
            "entries[0].tables.node_pools.created[0].Hash",
        ),
        (lambda e: e[1]["indexes"].update(jobs=7), "entries[1].indexes.jobs"),
        (lambda e: e[1]["indexes"].update(evals=6), "entries[1].indexes.evals"),
        (
            lambda e: e[1]["tables"]["jobs"]["created"][0].update(Status="pending"),
            "entries[1].tables.jobs.created[0].Status",
        ),
        (
            lambda e: e[1]["tables"]["jobs"].update(changed=[], created=[STORED, STORED]),
            "entries[1].tables.jobs.created[1]",
        ),
        (
            lambda e: e[1]["tables"]["periodic_launch"]["created"][0].update(Launch="2031-01-01T00:00:00Z"),
            "entries[1].tables.periodic_launch.created[0].Launch",
        ),
        (lambda e: e[2].update(error="another"), "entries[2].error"),
        pytest.param(lambda e: e[2].pop("error"), "entries[2].error", id="no error"),
        (lambda e: e[3].update(answer=True), "entries[3].answer"),
        (
            lambda e: e[3]["tables"]["node_pools"].update(deleted=["docks"]),
            "entries[3].tables.node_pools.deleted",
        ),
    ],
)
def test_what_is_corrupted_is_rejected_there(
    change: Callable[[list[dict[str, Any]]], object], path: str
) -> None:
    judgement = judge(change)

    assert Ruling.REJECTED == judgement.ruling
    assert judgement.difference is not None
    assert path == judgement.difference.path
    assert judgement.difference.rule


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda e: e[0].update(type="Nothing"), id="a type of entry that is none"),
        pytest.param(lambda e: e[0]["request"].update(NodePools=5), id="a request that is none"),
        pytest.param(lambda e: e[0]["tables"].update(nodes={"odd": []}), id="a table that is none"),
        pytest.param(lambda e: e[0].pop("index"), id="no index"),
    ],
)
def test_what_cannot_be_read_is_told(change: Callable[[list[dict[str, Any]]], object]) -> None:
    assert find_complaint(lambda: judge(change))


def test_unknown_members_of_a_request_are_noted() -> None:
    judgement = judge(lambda e: e[0]["request"].update(Odd=1))

    assert ("entries[0].request.Odd is not known",) == judgement.notes


def test_equal_pools_have_equal_checksums_and_others_have_others() -> None:
    checksums = Checksums()

    def adopt(name: str, told: str) -> object:
        return checksums.adopt({"Name": name, "Hash": ""}, {"Hash": told})["Hash"]

    assert CHECKSUM == adopt("a", CHECKSUM)
    assert CHECKSUM == adopt("a", OTHER)
    assert OTHER == adopt("b", OTHER)
    assert CHECKSUM != adopt("c", CHECKSUM)
    assert {"Name": "d"} == checksums.adopt({"Name": "d"}, {"Hash": OTHER})


def test_a_pool_whose_name_is_an_object_is_no_recording() -> None:
    def rename(entries: list[dict[str, Any]]) -> None:
        entries[0]["tables"] = {"node_pools": {"created": [{"Name": {"x": 1}}]}}

    assert "tables.node_pools.Name" == find_complaint(lambda: judge(rename))
