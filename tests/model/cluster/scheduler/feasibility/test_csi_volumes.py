"""Storage volumes."""

from typing import Any

import pytest

from nomadspec.model.cluster.entities import (
    Allocation,
    CSIInfo,
    CSINodeInfo,
    CSIPlugin,
    CSIVolume,
    CSIVolumeClaim,
    Node,
    Topology,
    VolumeCapability,
    VolumeRequest,
)
from nomadspec.model.cluster.scheduler.choices import ReplayedChoices
from nomadspec.model.cluster.scheduler.context import Context
from nomadspec.model.cluster.scheduler.feasibility.csi_volumes import CSIVolumeCheck
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

PLUGIN = CSIPlugin(id="p", nodes_healthy=1)
SINGLE, READERS, MANY = "single-node-writer", "multi-node-reader-only", "multi-node-multi-writer"
BUSY = "CSI volume data has exhausted its available writer claims"
UNREADABLE = "CSI volume data is unschedulable or has exhausted its available reader claims"
UNWRITABLE = "CSI volume data is unschedulable or is read-only"


def make_request(**fields: Any) -> VolumeRequest:
    """Ask for the volume that is called data."""
    return VolumeRequest(**{"type": "csi", "source": "data"} | fields)


def make_volume(volume_id: str = "data", **fields: Any) -> CSIVolume:
    """Make a volume that may be written to."""
    usual = {"requested_capabilities": (VolumeCapability(access_mode=SINGLE),)}
    return CSIVolume(**{"namespace": "default", "id": volume_id, "plugin_id": "p"} | usual | fields)


def make_host(limit: int = 9, *, healthy: bool = True, segments: dict[str, str] | None = None) -> Node:
    """Make a node with the plugin."""
    reach = None if segments is None else Topology(segments=segments)
    info = CSINodeInfo(max_volumes=limit, accessible_topology=reach)
    return make_node(csi_node_plugins={"p": CSIInfo(healthy=healthy, node_info=info)})


def begin(
    *requests: VolumeRequest,
    volumes: tuple[CSIVolume, ...] = (make_volume(),),
    plugins: tuple[CSIPlugin, ...] = (PLUGIN,),
    allocs: tuple[Allocation, ...] = (),
    is_descending: bool = False,
    profile: Profile = NOMAD_2_0,
) -> CSIVolumeCheck:
    """Begin a search for a group with the requests."""
    group = make_group(volumes={f"{at}": request for at, request in enumerate(requests)})
    job = make_job(group)
    snapshot = Snapshot.of(make_snapshot(*allocs).state, csi_volumes=volumes, csi_plugins=plugins)
    context: Context = make_context(snapshot, job, choices=ReplayedChoices(is_descending=is_descending))
    context.profile = profile
    return CSIVolumeCheck.begin(context, job, group, "j.web[2]")


def find_reason(check: CSIVolumeCheck, node: Node | None = None) -> str:
    """Give the reason why a node is refused; empty when it is not."""
    refused = check.check(node or make_host())
    return refused.text if refused else ""


def test_missing_volumes_are_told_and_remembered() -> None:
    """FEAS-68, FEAS-69, FEAS-75."""
    requests = (make_request(source="a"), make_request(), make_request(source="db", per_alloc=True))
    check = begin(*requests)

    assert not check.context.missing_resources
    assert "missing CSI volume(s) a, db[2]" == find_reason(check, make_node())
    assert {"csi-volume:default:a", "csi-volume:default:db[2]"} == check.context.missing_resources
    assert "missing CSI volume(s) db[2], a" == find_reason(begin(*requests, is_descending=True))


def test_volumes_of_other_namespaces_and_kinds_are_not_looked_at() -> None:
    """FEAS-68."""
    assert "missing" in find_reason(begin(make_request(), volumes=(make_volume(namespace="annex"),)))
    assert not find_reason(begin(make_request(type="host", source="nothing")))


def test_a_node_needs_the_plugin_and_it_must_be_healthy() -> None:
    """FEAS-70, FEAS-76."""
    check = begin(make_request())

    assert "CSI plugin p is missing from client n1" == find_reason(check, make_node())
    assert "CSI plugin p is unhealthy on client n1" == find_reason(check, make_host(healthy=False))
    assert not find_reason(check)


def test_a_refusal_tells_what_was_compared() -> None:
    """FEAS-70, FEAS-71."""
    missing = begin(make_request(source="x")).check(make_host())
    unhealthy = begin(make_request()).check(make_host(healthy=False))
    full = begin(make_request()).check(make_host(0))

    assert missing is not None
    assert unhealthy is not None
    assert full is not None
    assert {"missing": ["x"]} == missing.operands
    assert {"volume": "data", "plugin": "p"} == unhealthy.operands
    assert {"plugin": "p", "used": 0, "limit": 0} == full.operands


def make_user(alloc_id: str, *sources: str, **fields: Any) -> Allocation:
    """Make an allocation that uses volumes."""
    volumes = {source: make_request(source=source) for source in sources}
    return make_alloc(alloc_id, job=make_job(make_group(volumes=volumes)), **fields)


FULL = "CSI plugin p has the maximum number of volumes on client n1"
IN_USE = tuple(make_volume(volume_id) for volume_id in ("data", "b", "c"))


@pytest.mark.parametrize(
    ("users", "expected"),
    [
        ((make_user("a1", "b"),), ""),
        ((make_user("a1", "b"), make_user("a2", "b")), ""),
        ((make_user("a1", "b", "c"),), FULL),
        ((make_user("a1", "b"), make_user("a2", "data")), FULL),
        ((make_user("a1", "b", "c", node_id="n2"),), ""),
        ((make_user("a1", "b", "c", desired_status="stop"),), FULL),
        ((make_user("a1", "b", "c", client_status="failed"),), FULL),
        ((make_user("a1", "b", "c", desired_status="stop", client_status="failed"),), ""),
    ],
)
def test_volumes_in_use_on_a_node_are_limited(users: tuple[Allocation, ...], expected: str) -> None:
    """FEAS-70, FEAS-71."""
    assert expected == find_reason(begin(make_request(), volumes=IN_USE, allocs=users), make_host(2))


def test_the_count_ends_at_a_source_without_a_volume() -> None:
    """FEAS-71, 06/S-09."""
    users = (make_user("a1", "a", "b", "c"),)
    upwards = begin(make_request(), volumes=IN_USE, allocs=users)
    downwards = begin(make_request(), volumes=IN_USE, allocs=users, is_descending=True)

    assert not find_reason(upwards, make_host(2))
    assert FULL == find_reason(downwards, make_host(2))


def test_all_sources_were_meant_to_be_counted_by_their_full_names() -> None:
    """06/S-09."""
    own = {"x": make_request(source="own", per_alloc=True), "y": make_request(source="b")}
    users = (make_alloc("a1", name="j.web[7]", job=make_job(make_group(volumes=own))),)
    volumes = (*IN_USE, make_volume("own[7]"))

    assert not find_reason(
        begin(make_request(), volumes=volumes, allocs=users, is_descending=True), make_host(2)
    )
    meant = begin(make_request(), volumes=volumes, allocs=users, profile=INTENDED)
    assert FULL == find_reason(meant, make_host(2))
    assert not find_reason(meant, make_host(3))


@pytest.mark.parametrize(
    ("segments", "expected"),
    [(None, False), ({}, False), ({"zone": "a"}, False), ({"zone": "b", "rack": "1"}, True)],
)
def test_one_place_of_the_volume_must_be_in_reach(segments: dict[str, str] | None, expected: bool) -> None:
    """FEAS-70."""
    places = (Topology(segments={"zone": "a", "rack": "1"}), Topology(segments={"zone": "b"}))
    check = begin(make_request(), volumes=(make_volume(topologies=places),))
    reason = find_reason(check, make_host(segments=segments))

    assert ("" if expected else "did not meet topology requirement") == reason


@pytest.mark.parametrize(
    ("plugins", "expected"),
    [
        ((), False),
        ((CSIPlugin(id="p"),), False),
        ((PLUGIN,), True),
        ((CSIPlugin(id="p", nodes_healthy=1, controller_required=True),), False),
        ((CSIPlugin(id="p", nodes_healthy=1, controller_required=True, controllers_healthy=1),), True),
    ],
)
def test_a_volume_is_as_healthy_as_its_plugin(plugins: tuple[CSIPlugin, ...], expected: bool) -> None:
    """FEAS-72, FEAS-73: what the volume says of itself is not read."""
    volumes = (make_volume(schedulable=not expected),)

    assert ("" if expected else UNREADABLE) == find_reason(
        begin(make_request(read_only=True), volumes=volumes, plugins=plugins)
    )
    assert ("" if expected else UNWRITABLE) == find_reason(
        begin(make_request(), volumes=volumes, plugins=plugins)
    )


def test_an_exhausted_volume_is_given_to_nobody() -> None:
    """FEAS-72, FEAS-73."""
    volumes = (make_volume(resource_exhausted_ns=1),)

    assert UNREADABLE == find_reason(begin(make_request(read_only=True), volumes=volumes))
    assert UNWRITABLE == find_reason(begin(make_request(), volumes=volumes))


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"access_mode": SINGLE}, ""),
        ({"access_mode": READERS}, UNWRITABLE),
        ({"access_mode": MANY}, ""),
        ({"requested_capabilities": ()}, UNWRITABLE),
        ({"requested_capabilities": (VolumeCapability(access_mode=READERS),)}, UNWRITABLE),
        ({"requested_capabilities": (), "access_mode": MANY}, ""),
    ],
)
def test_the_mode_in_use_or_the_possible_ones_must_allow_writing(
    fields: dict[str, Any], expected: str
) -> None:
    """FEAS-73: readers are never limited, 06/S-13."""
    volumes = (make_volume(**fields),)

    assert expected == find_reason(begin(make_request(), volumes=volumes))
    assert not find_reason(begin(make_request(read_only=True), volumes=volumes))


GONE = f"{BUSY} and is claimed by a garbage collected allocation a1; waiting for claim to be released"


@pytest.mark.parametrize(
    ("mode", "allocs", "expected"),
    [
        (SINGLE, (make_alloc(),), ""),
        (SINGLE, (make_alloc(job_id="k"),), BUSY),
        (SINGLE, (make_alloc(namespace="annex"),), BUSY),
        (SINGLE, (), GONE),
        ("multi-node-single-writer", (), GONE),
        (MANY, (), ""),
        ("", (), ""),
    ],
)
def test_a_single_writer_must_be_the_job_itself(
    mode: str, allocs: tuple[Allocation, ...], expected: str
) -> None:
    """FEAS-70, FEAS-74, FEAS-76."""
    fields: dict[str, Any] = {"write_claims": {"a1": CSIVolumeClaim()}, "write_allocs": {"a1": None}}
    volumes = (make_volume(access_mode=mode, **fields),)

    assert expected == find_reason(begin(make_request(), volumes=volumes, allocs=allocs))


def test_the_first_writer_that_is_no_own_one_decides() -> None:
    """FEAS-70."""
    volumes = (
        make_volume(
            access_mode=SINGLE, write_claims={"a1": CSIVolumeClaim()}, write_allocs={"a1": None, "a0": None}
        ),
    )
    foreign = (make_alloc("a0", job_id="k"),)

    assert BUSY == find_reason(begin(make_request(), volumes=volumes, allocs=foreign))
    assert GONE == find_reason(begin(make_request(), volumes=volumes, allocs=foreign, is_descending=True))
    free = (make_volume(access_mode=SINGLE, write_allocs={"a9": None}),)
    assert not find_reason(begin(make_request(), volumes=free))
