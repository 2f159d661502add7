"""A snapshot finds what schedulers look for, in the order of the server."""

from nomadspec.model.cluster.entities import CSIPlugin, CSIVolume, HostVolume, HostVolumeClaim
from nomadspec.model.cluster.scheduler.snapshot import Snapshot
from nomadspec.model.cluster.store.state import State
from tests.model.cluster.scheduler.made import make_alloc, make_job, make_node, make_snapshot


def test_nodes_and_allocations_come_by_id() -> None:
    snapshot = make_snapshot(
        make_node("n2"), make_node("n1"), make_alloc("b"), make_alloc("a"), make_alloc("c", node_id="n2")
    )

    assert [node.id for node in snapshot.nodes] == ["n1", "n2"]
    assert [alloc.id for alloc in snapshot.list_allocs_of_node("n1")] == ["a", "b"]
    assert snapshot.list_allocs_of_node("gone") == ()
    assert [alloc.id for alloc in snapshot.list_allocs_of_job("default", "j")] == ["a", "b", "c"]


def test_single_rows_are_found() -> None:
    snapshot = make_snapshot(make_node(), make_job(version=3), make_alloc())

    assert snapshot.find_node("n1") is not None
    assert snapshot.find_job("default", "j") == snapshot.find_job_version("default", "j", 3)
    assert snapshot.find_alloc("a1") is not None
    assert snapshot.find_node_pool("none") is None
    assert snapshot.find_latest_deployment("default", "j") is None
    assert snapshot.list_deployments_of_job("default", "j") == ()
    assert snapshot.latest_index == 100
    assert snapshot.configuration is None


def test_volumes_are_found_in_their_namespace() -> None:
    snapshot = Snapshot.of(
        State.of(),
        host_volumes=[HostVolume(namespace="a", id="v")],
        csi_volumes=[CSIVolume(namespace="a", id="c")],
        csi_plugins=[CSIPlugin(id="p")],
    )

    assert snapshot.find_host_volume("a", "v") is not None
    assert snapshot.find_host_volume("b", "v") is None
    assert snapshot.find_csi_volume("a", "c") is not None
    assert snapshot.find_csi_volume("b", "c") is None
    assert snapshot.find_csi_plugin("p") is not None


def test_claims_come_by_group_and_volume() -> None:
    def claim(group: str, volume: str, job: str = "j") -> HostVolumeClaim:
        return HostVolumeClaim(namespace="default", job_id=job, task_group_name=group, volume_id=volume)

    claims = [claim("web", "v2"), claim("api", "v3"), claim("web", "v1"), claim("web", "v0", job="other")]
    snapshot = Snapshot.of(State.of(), host_volume_claims=claims)

    found = [(each.task_group_name, each.volume_id) for each in snapshot.list_claims_of_job("default", "j")]

    assert found == [("api", "v3"), ("web", "v1"), ("web", "v2")]
