"""Recorded calls of schedulers are read with the jobs that they point to, and laid over one another."""

from typing import Any

import pytest

from nomadspec.checkers.oracle.families.scheduler_reading import Jobs, Tables, read_vector
from nomadspec.model.errors import InputError


def make_document(**fields: Any) -> dict[str, Any]:
    usual: dict[str, Any] = {
        "id": "x",
        "scheduler": "service",
        "now_ns": 5,
        "jobs": [
            {"ID": "j", "Namespace": "default", "Version": 0},
            {"ID": "j", "Namespace": "default", "Version": 1},
        ],
        "state": {
            "index": 7,
            "nodes": [{"ID": "n"}],
            "job_table": [{"JobRef": 1}],
            "job_versions": [{"JobRef": 0}, {"JobRef": 1}],
            "allocs": [{"ID": "a", "JobRef": 0, "NodeID": "n"}, {"ID": "b", "NodeID": "n"}],
            "scheduler_config": None,
        },
        "eval": {"ID": "e"},
        "choices": {"map_order": "asc"},
        "outcome": {"plans": [], "error": None},
    }
    return usual | fields


def read_tables(document: dict[str, Any]) -> Tables:
    vector = read_vector(document)
    return Tables.of(vector, Jobs.of(vector))


def test_jobs_stand_where_they_are_pointed_to() -> None:
    snapshot = read_tables(make_document()).build()

    first, second = snapshot.list_allocs_of_node("n")

    assert first.job is not None
    assert (first.job.version, second.job) == (0, None)
    assert snapshot.find_job("default", "j") == snapshot.find_job_version("default", "j", 1)
    assert snapshot.configuration is None
    assert snapshot.latest_index == 7


def test_a_newer_state_is_laid_over_the_old_one() -> None:
    tables = read_tables(make_document())
    tables.lay_over(
        {
            "index": 9,
            "nodes": [{"ID": "n", "Status": "down"}, {"ID": "m"}],
            "deleted": {"allocs": ["a"], "job_table": ["default/j"]},
            "scheduler_config": {"SchedulerAlgorithm": "spread"},
        },
        "here",
    )
    snapshot = tables.build()

    assert [(node.id, node.status) for node in snapshot.nodes] == [("m", ""), ("n", "down")]
    assert [alloc.id for alloc in snapshot.list_allocs_of_node("n")] == ["b"]
    assert snapshot.find_job("default", "j") is None
    assert snapshot.configuration is not None
    assert snapshot.latest_index == 9


def test_volumes_claims_and_plugins_vanish_by_their_ids() -> None:
    """Claims need none: nothing reads it."""
    state = {
        "host_volumes": [{"Namespace": "default", "ID": "v1"}, {"Namespace": "default", "ID": "v2"}],
        "host_volume_claims": [
            {"Namespace": "default", "JobID": "j", "VolumeID": "v1"},
            {"Namespace": "default", "JobID": "j", "VolumeID": "v2"},
            {"ID": "c3", "Namespace": "default", "JobID": "j", "VolumeID": "v3"},
        ],
        "csi_volumes": [{"Namespace": "default", "ID": "x"}, {"Namespace": "annex", "ID": "x"}],
        "csi_plugins": [{"ID": "p"}],
    }
    tables = read_tables(make_document(state=state))
    gone = {
        "host_volumes": ["v1"],
        "host_volume_claims": ["c3"],
        "csi_volumes": ["annex/x"],
        "csi_plugins": ["p"],
    }
    tables.lay_over({"deleted": gone}, "here")
    snapshot = tables.build()

    assert [("default", "v2")] == list(snapshot.host_volumes)
    assert ["v1", "v2"] == [claim.volume_id for claim in snapshot.list_claims_of_job("default", "j")]
    assert [("default", "x")] == list(snapshot.csi_volumes)
    assert not snapshot.csi_plugins


@pytest.mark.parametrize(
    ("document", "at"),
    [
        (make_document(scheduler="core"), "scheduler"),
        (make_document(now_ns="now"), "now_ns"),
        (make_document(now_ns=2**63), "now_ns"),
        (make_document(state={"allocs": [{"ID": "a", "JobRef": 2}]}), "state.allocs[0].JobRef"),
        (make_document(state={"allocs": [{"ID": "a", "JobRef": True}]}), "state.allocs[0].JobRef"),
        (make_document(state={"job_table": [{}]}), "state.job_table[0]"),
        (make_document(state={"nodes": {}}), "state.nodes"),
        (make_document(state={"index": "7"}), "state.index"),
        (make_document(state={"deleted": {"planets": ["x"]}}), "state.deleted.planets"),
        (make_document(state={"deleted": ["x"]}), "state.deleted"),
        (make_document(state={"allocs": ["a"]}), "state.allocs[0]"),
        (make_document(state={"allocs": [{"ID": 5}]}), "state.allocs[0].ID"),
    ],
    ids=range(12),
)
def test_what_cannot_be_read_is_named(document: dict[str, Any], at: str) -> None:
    with pytest.raises(InputError) as caught:
        read_tables(document)

    assert caught.value.at == at


def test_an_order_of_maps_is_up_or_down() -> None:
    with pytest.raises(InputError, match=r"asc or desc"):
        read_vector(make_document(choices={"map_order": "sideways"})).choices.replay()


def test_a_plan_is_read_with_its_jobs_and_unknown_members() -> None:
    unknown: list[str] = []
    jobs = Jobs.of(read_vector(make_document()))
    raw = {"JobRef": 1, "Wish": 1, "NodeUpdate": {"n": [{"ID": "a", "JobRef": 0, "Hope": 1}], "m": []}}

    plan = jobs.read_plan(raw, "plan", unknown)

    assert plan.job == jobs.documents[1]
    assert [alloc.job for alloc in plan.node_update["n"]] == [jobs.documents[0]]
    assert plan.node_update["m"] == ()
    assert unknown == ["plan.Wish", "plan.NodeUpdate.n[0].Hope"]
