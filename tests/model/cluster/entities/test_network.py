"""Tests of `model/cluster/entities/network.py`."""

import msgspec
import pytest

from nomadspec.model.cluster.entities.network import (
    AllocatedPort,
    CNIConfig,
    DNSConfig,
    NetworkResource,
    Port,
)
from tests.model.cluster.entities.members import assert_members


@pytest.mark.parametrize(
    ("record", "members"),
    [
        (Port, "Label Value To HostNetwork IgnoreCollision"),
        (DNSConfig, "Servers Searches Options"),
        (CNIConfig, "Args"),
        (NetworkResource, "Mode Device CIDR IP Hostname MBits DNS ReservedPorts DynamicPorts CNI"),
        (AllocatedPort, "Label Value To HostIP IgnoreCollision"),
    ],
)
def test_members_are_spelled_as_the_interface_spells_them(record: type[msgspec.Struct], members: str) -> None:
    assert_members(record, members)
