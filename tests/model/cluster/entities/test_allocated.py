"""Tests of `model/cluster/entities/allocated.py`."""

import msgspec
import pytest

from nomadspec.model.cluster.entities.allocated import (
    AllocatedCpu,
    AllocatedDevice,
    AllocatedMemory,
    AllocatedResources,
    AllocatedShared,
    AllocatedTask,
)
from tests.model.cluster.entities.members import assert_members


@pytest.mark.parametrize(
    ("record", "members"),
    [
        (AllocatedCpu, "CpuShares ReservedCores"),
        (AllocatedMemory, "MemoryMB MemoryMaxMB"),
        (AllocatedDevice, "Vendor Type Name DeviceIDs"),
        (AllocatedTask, "Cpu Memory Networks Devices"),
        (AllocatedShared, "Networks DiskMB Ports"),
        (AllocatedResources, "Tasks TaskLifecycles Shared"),
    ],
)
def test_members_are_spelled_as_the_interface_spells_them(record: type[msgspec.Struct], members: str) -> None:
    assert_members(record, members)
