"""Tests of `model/cluster/entities/identity.py`."""

import msgspec
import pytest

from nomadspec.model.cluster.entities.identity import Consul, Vault, WorkloadIdentity
from tests.model.cluster.entities.members import assert_members


@pytest.mark.parametrize(
    ("record", "members"),
    [
        (
            WorkloadIdentity,
            "Name Audience ChangeMode ChangeSignal Env File Filepath ServiceName TTL ExtraClaims",
        ),
        (Consul, "Namespace Cluster Partition"),
        (
            Vault,
            "Role Policies Namespace Cluster Env DisableFile ChangeMode ChangeSignal AllowTokenExpiration",
        ),
    ],
)
def test_members_are_spelled_as_the_interface_spells_them(record: type[msgspec.Struct], members: str) -> None:
    assert_members(record, members)
