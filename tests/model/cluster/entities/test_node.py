"""Tests of `model/cluster/entities/node.py`."""

import msgspec
import pytest
from msgspec.structs import replace

from nomadspec.model.cluster.entities.node import (
    ClientHostVolume,
    DrainMetadata,
    DrainStrategy,
    DriverInfo,
    HostNetwork,
    Node,
    NodeEvent,
    compute_status_time_s,
    is_down,
    is_draining,
    is_in_datacenters,
    is_in_pool,
    is_ready,
    is_scanned_in_pool,
    is_tainted,
    is_unresponsive,
)
from tests.model.cluster.entities.members import assert_members


@pytest.mark.parametrize(
    ("record", "members"),
    [
        (DrainStrategy, "Deadline IgnoreSystemJobs ForceDeadline StartedAt"),
        (DrainMetadata, "StartedAt UpdatedAt Status AccessorID Meta"),
        (NodeEvent, "Message Subsystem Details Timestamp CreateIndex"),
        (DriverInfo, "Attributes Detected Healthy HealthDescription UpdateTime"),
        (ClientHostVolume, "Name Path ReadOnly ID"),
        (HostNetwork, "Name CIDR Interface ReservedPorts"),
        (
            Node,
            (
                "ID SecretID Datacenter Name CgroupParent HTTPAddr TLSEnabled Attributes NodeResources "
                "ReservedResources Links Meta NodeClass NodePool ComputedClass DrainStrategy "
                "SchedulingEligibility Status StatusDescription StatusUpdatedAt Events Drivers "
                "CSIControllerPlugins CSINodePlugins HostVolumes HostNetworks GCVolumesOnNodeGC LastDrain "
                "NodeMaxAllocs LastMissedHeartbeatIndex LastAllocUpdateIndex IdentitySigningKeyID "
                "CreateIndex ModifyIndex"
            ),
        ),
    ],
)
def test_members_are_spelled_as_the_interface_spells_them(record: type[msgspec.Struct], members: str) -> None:
    assert_members(record, members)


READY = Node(status="ready", scheduling_eligibility="eligible", node_pool="edge", datacenter="north-1")


@pytest.mark.parametrize(
    "node",
    [
        replace(READY, status="initializing"),
        replace(READY, scheduling_eligibility="ineligible"),
        replace(READY, drain_strategy=DrainStrategy()),
    ],
)
def test_a_node_is_ready_when_nothing_speaks_against_it(node: Node) -> None:
    """OBJ-155."""
    assert is_ready(READY)
    assert not is_ready(node)


@pytest.mark.parametrize(
    ("status", "down", "unresponsive"),
    [
        ("down", True, True),
        ("disconnected", False, True),
        ("ready", False, False),
        ("initializing", False, False),
    ],
)
def test_only_an_unresponsive_node_is_tainted_by_its_status(
    status: str, down: bool, unresponsive: bool
) -> None:
    """OBJ-156."""
    node = replace(READY, status=status, scheduling_eligibility="ineligible")

    assert (down, unresponsive, unresponsive) == (is_down(node), is_unresponsive(node), is_tainted(node))


def test_a_node_that_is_gone_or_draining_is_tainted() -> None:
    """OBJ-156."""
    draining = replace(READY, drain_strategy=DrainStrategy())

    assert is_tainted(None)
    assert is_draining(draining)
    assert is_tainted(draining)


def test_the_pool_all_holds_every_node() -> None:
    """OBJ-156."""
    assert [True, True, False] == [is_in_pool(READY, pool) for pool in ("all", "edge", "default")]


def test_a_pool_without_name_is_every_pool_for_new_placements_only() -> None:
    """FEAS-07 and FEAS-11."""
    assert [True, True, True, False] == [
        is_scanned_in_pool(READY, pool) for pool in ("", "all", "edge", "default")
    ]
    assert not is_in_pool(READY, "")


@pytest.mark.parametrize(
    ("patterns", "is_in"),
    [
        (["*"], True),
        (["north-1"], True),
        (["south", "north*"], True),
        (["n*1"], True),
        (["north"], False),
        (["n?rth-1"], False),
        (["[n]orth-1"], False),
        ([], False),
    ],
)
def test_only_stars_are_wild_in_the_name_of_a_datacenter(patterns: list[str], is_in: bool) -> None:
    """OBJ-156."""
    assert is_in == is_in_datacenters(READY, patterns)


@pytest.mark.parametrize("written", [1_936_857_843, 1_936_857_843_000_000_000])
def test_the_time_of_a_status_may_be_written_in_nanoseconds(written: int) -> None:
    """OBJ-168."""
    assert 1_936_857_843 == compute_status_time_s(Node(status_updated_at_s=written))
