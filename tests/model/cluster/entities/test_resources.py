"""Tests of `model/cluster/entities/resources.py`."""

import msgspec
import pytest

from nomadspec.model.cluster.entities.resources import NUMA, RequestedDevice, Resources
from tests.model.cluster.entities.members import assert_members


@pytest.mark.parametrize(
    ("record", "members"),
    [
        (RequestedDevice, "Name Count Constraints Affinities"),
        (NUMA, "Affinity Devices"),
        (Resources, "CPU Cores MemoryMB MemoryMaxMB DiskMB IOPS Networks Devices NUMA SecretsMB"),
    ],
)
def test_members_are_spelled_as_the_interface_spells_them(record: type[msgspec.Struct], members: str) -> None:
    assert_members(record, members)
