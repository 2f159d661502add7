"""Tests of `model/cluster/entities/hardware.py`."""

import msgspec
import pytest

from nomadspec.model.cluster.entities.hardware import (
    Core,
    CpuTopology,
    DeviceAttribute,
    DeviceLocality,
    NodeCpuResources,
    NodeDevice,
    NodeDeviceResource,
    NodeDiskResources,
    NodeMemoryResources,
    NodeNetworkAddress,
    NodeNetworkResource,
    NodeProcessorResources,
    NodeReservedResources,
    NodeResources,
    ReservedCpu,
    ReservedDisk,
    ReservedMemory,
    ReservedNetworks,
)
from tests.model.cluster.entities.members import assert_members


@pytest.mark.parametrize(
    ("record", "members"),
    [
        (NodeCpuResources, "CpuShares TotalCpuCores ReservableCpuCores"),
        (Core, "SocketID NodeID ID Grade Disable BaseSpeed MaxSpeed GuessSpeed"),
        (CpuTopology, "Nodes Distances Cores BusAssociativity OverrideTotalCompute OverrideWitholdCompute"),
        (NodeProcessorResources, "Topology"),
        (NodeMemoryResources, "MemoryMB"),
        (NodeDiskResources, "DiskMB"),
        (DeviceAttribute, "Float Int String Bool Unit"),
        (DeviceLocality, "PciBusID"),
        (NodeDevice, "ID Healthy HealthDescription Locality"),
        (NodeDeviceResource, "Vendor Type Name Instances Attributes"),
        (NodeNetworkAddress, "Family Alias Address ReservedPorts Gateway"),
        (NodeNetworkResource, "Mode Device MacAddress Speed Addresses"),
        (
            NodeResources,
            "Cpu Processors Memory Disk Networks NodeNetworks Devices MinDynamicPort MaxDynamicPort",
        ),
        (ReservedCpu, "CpuShares ReservedCpuCores"),
        (ReservedMemory, "MemoryMB"),
        (ReservedDisk, "DiskMB"),
        (ReservedNetworks, "ReservedHostPorts"),
        (NodeReservedResources, "Cpu Memory Disk Networks"),
    ],
)
def test_members_are_spelled_as_the_interface_spells_them(record: type[msgspec.Struct], members: str) -> None:
    assert_members(record, members)
