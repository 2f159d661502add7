"""Tests of `model/cluster/entities/volume.py`."""

import msgspec
import pytest

from nomadspec.model.cluster.entities.volume import (
    CSIInfo,
    CSINodeInfo,
    CSIPlugin,
    CSIVolume,
    CSIVolumeClaim,
    HostVolume,
    HostVolumeClaim,
    MountOptions,
    Topology,
    TopologyRequest,
    VolumeCapability,
    VolumeRequest,
)
from tests.model.cluster.entities.members import assert_members


@pytest.mark.parametrize(
    ("record", "members"),
    [
        (MountOptions, "FSType MountFlags"),
        (VolumeRequest, "Name Type Source ReadOnly Sticky AccessMode AttachmentMode MountOptions PerAlloc"),
        (VolumeCapability, "AttachmentMode AccessMode"),
        (
            HostVolume,
            (
                "Namespace ID Name PluginID NodePool NodeID Constraints CapacityBytes "
                "RequestedCapacityMinBytes RequestedCapacityMaxBytes RequestedCapabilities Parameters "
                "HostPath CreateIndex CreateTime ModifyIndex ModifyTime State"
            ),
        ),
        (
            HostVolumeClaim,
            "ID Namespace JobID TaskGroupName AllocID VolumeID VolumeName CreateIndex ModifyIndex",
        ),
        (Topology, "Segments"),
        (TopologyRequest, "Required Preferred"),
        (CSIVolumeClaim, "AllocationID NodeID ExternalNodeID Mode AccessMode AttachmentMode State"),
        (
            CSIVolume,
            (
                "ID Name ExternalID Namespace Topologies RequestedTopologies AccessMode AttachmentMode "
                "MountOptions Secrets Parameters Context Capacity RequestedCapacityMin RequestedCapacityMax "
                "RequestedCapabilities CloneID SnapshotID Allocations ReadAllocs WriteAllocs ReadClaims "
                "WriteClaims PastClaims Schedulable PluginID Provider ProviderVersion ControllerRequired "
                "ControllersHealthy ControllersExpected NodesHealthy NodesExpected ResourceExhausted "
                "CreateIndex ModifyIndex CreateTime ModifyTime"
            ),
        ),
        (
            CSINodeInfo,
            (
                "ID MaxVolumes AccessibleTopology RequiresNodeStageVolume SupportsStats SupportsExpand "
                "SupportsCondition"
            ),
        ),
        (
            CSIInfo,
            (
                "PluginID AllocID Healthy HealthDescription UpdateTime Provider ProviderVersion "
                "RequiresControllerPlugin RequiresTopologies ControllerInfo NodeInfo"
            ),
        ),
        (
            CSIPlugin,
            (
                "ID Provider Version ControllerRequired Controllers Nodes Allocations ControllerJobs "
                "NodeJobs ControllersHealthy ControllersExpected NodesHealthy NodesExpected CreateIndex "
                "ModifyIndex CreateTime ModifyTime"
            ),
        ),
    ],
)
def test_members_are_spelled_as_the_interface_spells_them(record: type[msgspec.Struct], members: str) -> None:
    assert_members(record, members)
