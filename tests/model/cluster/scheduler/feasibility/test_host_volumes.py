"""Volumes of a node."""

from typing import Any

import pytest
from msgspec.structs import replace

from nomadspec.model.cluster.entities import (
    Allocation,
    ClientHostVolume,
    HostVolume,
    HostVolumeClaim,
    Job,
    Node,
    VolumeCapability,
    VolumeRequest,
)
from nomadspec.model.cluster.scheduler.feasibility.host_volumes import HostVolumeCheck
from nomadspec.model.cluster.scheduler.reasons import Filtered
from nomadspec.model.cluster.scheduler.snapshot import Snapshot
from nomadspec.model.specification.profiles import INTENDED, NOMAD_2_0, Profile
from tests.model.cluster.scheduler.made import (
    make_alloc,
    make_context,
    make_group,
    make_job,
    make_node,
    make_snapshot,
)

MODES = (
    "single-node-reader-only",
    "single-node-writer",
    "single-node-single-writer",
    "single-node-multi-writer",
    "multi-node-multi-writer",
)


def make_request(**fields: Any) -> VolumeRequest:
    """Ask for the volume that is called data."""
    return VolumeRequest(**{"name": "data", "type": "host", "source": "data"} | fields)


def make_offer(node_id: str = "n1", volume_id: str = "", *, read_only: bool = False) -> Node:
    """Make a node that offers the volume."""
    volume = ClientHostVolume(name="data", id=volume_id, read_only=read_only)
    return make_node(node_id, host_volumes={"data": volume})


def make_volume(volume_id: str = "v1", **fields: Any) -> HostVolume:
    """Make a volume that may be used in every mode."""
    capabilities = tuple(VolumeCapability(access_mode=mode, attachment_mode="file-system") for mode in MODES)
    usual = {"namespace": "default", "name": "data", "node_id": "n1", "state": "ready"}
    return HostVolume(id=volume_id, **{"requested_capabilities": capabilities} | usual | fields)


def begin(
    *requests: VolumeRequest,
    volumes: tuple[HostVolume, ...] = (),
    claims: tuple[HostVolumeClaim, ...] = (),
    rows: tuple[Node | Job | Allocation, ...] = (),
    alloc_name: str = "j.web[0]",
    profile: Profile = NOMAD_2_0,
) -> HostVolumeCheck:
    """Begin a search for a group with the requests."""
    group = make_group(volumes={f"{at}": request for at, request in enumerate(requests)})
    job = make_job(group)
    state = make_snapshot(*rows).state
    snapshot = Snapshot.of(state, host_volumes=volumes, host_volume_claims=claims)
    context = make_context(snapshot, job)
    context.profile = profile
    return HostVolumeCheck.begin(context, job, group, alloc_name)


def find_rule(refused: Filtered | None) -> str:
    """Give the rule of a refusal, whose words are always the same."""
    assert refused is None or "missing compatible host volumes" == refused.text
    return refused.rule if refused else ""


def test_only_requests_of_a_host_are_looked_at() -> None:
    """FEAS-60, FEAS-61."""
    assert not find_rule(begin(make_request(type="csi")).check(make_node()))
    assert "FEAS-61" == find_rule(begin(make_request()).check(make_node()))


def test_all_requests_must_be_served() -> None:
    """FEAS-60."""
    assert "FEAS-61" == find_rule(begin(make_request(), make_request(source="logs")).check(make_offer()))


def test_a_request_per_allocation_looks_for_its_own_volume() -> None:
    """FEAS-60."""
    node = make_node(host_volumes={"data[3]": ClientHostVolume()})

    assert not find_rule(begin(make_request(per_alloc=True), alloc_name="j.web[3]").check(node))
    assert "FEAS-61" == find_rule(begin(make_request(per_alloc=True)).check(node))


@pytest.mark.parametrize(
    ("request_fields", "is_offer_read_only", "expected"),
    [
        ({}, False, ""),
        ({}, True, "FEAS-62"),
        ({"read_only": True}, True, ""),
        ({"sticky": True}, False, "FEAS-62"),
        ({"access_mode": "multi-node-reader-only", "attachment_mode": "block-device"}, False, ""),
    ],
)
def test_static_volumes(request_fields: dict[str, Any], is_offer_read_only: bool, expected: str) -> None:
    """FEAS-62."""
    check = begin(make_request(**request_fields))

    assert expected == find_rule(check.check(make_offer(read_only=is_offer_read_only)))


@pytest.mark.parametrize("fields", [{"state": "pending"}, {"namespace": "annex"}, {"id": "v2"}])
def test_a_dynamic_volume_must_be_ready_and_known(fields: dict[str, str]) -> None:
    """FEAS-63."""
    volume = make_volume()
    node = make_offer(volume_id="v1")

    assert not find_rule(begin(make_request(), volumes=(volume,)).check(node))
    assert "FEAS-63" == find_rule(begin(make_request(), volumes=(replace(volume, **fields),)).check(node))


@pytest.mark.parametrize(
    ("mode", "for_reading", "for_writing"),
    [
        ("", True, True),
        ("single-node-reader-only", True, False),
        ("single-node-writer", False, True),
        ("single-node-single-writer", True, True),
        ("single-node-multi-writer", True, True),
        ("multi-node-multi-writer", False, False),
    ],
)
def test_access_modes(mode: str, for_reading: bool, for_writing: bool) -> None:
    """FEAS-63."""
    for is_read_only, expected in ((True, for_reading), (False, for_writing)):
        request = make_request(access_mode=mode, read_only=is_read_only)
        refused = begin(request, volumes=(make_volume(),)).check(make_offer(volume_id="v1"))

        assert ("" if expected else "FEAS-63") == find_rule(refused)


def test_a_volume_must_offer_the_very_pair_of_modes() -> None:
    """FEAS-63."""
    pairs = (
        VolumeCapability(access_mode="single-node-writer", attachment_mode="block-device"),
        VolumeCapability(access_mode="single-node-multi-writer", attachment_mode="file-system"),
    )
    volumes = (make_volume(requested_capabilities=pairs),)
    node = make_offer(volume_id="v1")

    assert "FEAS-63" == find_rule(begin(make_request(), volumes=volumes).check(node))
    assert not find_rule(begin(make_request(attachment_mode="block-device"), volumes=volumes).check(node))


def find_single_writer_rule(job: Job | None, **fields: Any) -> str:
    """Give the rule by which one more user is refused next to an allocation of a job."""
    check = begin(
        make_request(access_mode="single-node-single-writer", read_only=True),
        volumes=(make_volume(),),
        rows=(make_alloc(job_id="k", **fields), *([job] if job else [])),
    )
    return find_rule(check.check(make_offer(volume_id="v1")))


def test_a_single_writer_excludes_others() -> None:
    """FEAS-64."""

    def make_user(**fields: Any) -> Job:
        return make_job(make_group(volumes={"x": make_request(**fields)}), id="k")

    assert "FEAS-64" == find_single_writer_rule(make_user())
    assert not find_single_writer_rule(make_user(read_only=True))
    assert not find_single_writer_rule(make_user(type="csi"))
    assert not find_single_writer_rule(make_user(source="logs"))
    assert not find_single_writer_rule(make_user(), node_id="n2")
    assert not find_single_writer_rule(make_user(), client_status="complete")
    assert not find_single_writer_rule(make_user(per_alloc=True), name="k.web[1]")


@pytest.mark.parametrize(("profile", "rule"), [(NOMAD_2_0, ""), (INTENDED, "FEAS-64")])
def test_one_allocation_of_each_group_stands_for_all(profile: Profile, rule: str) -> None:
    """FEAS-64, 06/S-11."""
    user = make_job(make_group(volumes={"x": make_request(per_alloc=True)}), id="k")
    allocs = (make_alloc("a1", job_id="k", name="k.web[0]"), make_alloc("a2", job_id="k", name="k.web[1]"))
    check = begin(
        make_request(access_mode="single-node-single-writer"),
        volumes=(make_volume(name="data[0]"),),
        rows=(user, *allocs),
        profile=profile,
    )

    assert rule == find_rule(check.check(make_offer(volume_id="v1")))


def test_users_of_an_unknown_group_count_as_writers() -> None:
    """FEAS-64."""
    assert "FEAS-64" == find_single_writer_rule(None)
    assert "FEAS-64" == find_single_writer_rule(make_job(make_group("db"), id="k"))


CLAIM = HostVolumeClaim(namespace="default", job_id="j", task_group_name="web", alloc_id="a1", volume_id="v1")
STICKY = make_request(sticky=True)
VOLUMES = (make_volume("v1"), make_volume("v2", node_id="n2"))


def test_sticky_requests_are_free_without_claims() -> None:
    """FEAS-66."""
    assert not find_rule(begin(STICKY, volumes=VOLUMES).check(make_offer("n2", "v2")))


def test_a_claim_binds_until_its_volume_was_looked_at() -> None:
    """FEAS-66, FEAS-67, 06/S-10."""
    ended = make_alloc(client_status="failed")
    check = begin(STICKY, volumes=VOLUMES, claims=(CLAIM,), rows=(ended,))

    assert "FEAS-67" == find_rule(check.check(make_offer("n2", "v2")))
    assert not find_rule(check.check(make_offer("n1", "v1")))
    assert not find_rule(check.check(make_offer("n2", "v2")))


def test_a_claim_was_meant_to_bind_all_nodes() -> None:
    """06/S-10."""
    ended = make_alloc(client_status="failed")
    check = begin(STICKY, volumes=VOLUMES, claims=(CLAIM,), rows=(ended,), profile=INTENDED)

    assert not find_rule(check.check(make_offer("n1", "v1")))
    assert "FEAS-67" == find_rule(check.check(make_offer("n2", "v2")))


def test_claims_do_not_bind_what_is_not_sticky() -> None:
    """FEAS-66."""
    ended = make_alloc(client_status="failed")
    check = begin(make_request(), volumes=VOLUMES, claims=(CLAIM,), rows=(ended,))

    assert not find_rule(check.check(make_offer("n2", "v2")))
