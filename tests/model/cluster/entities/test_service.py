"""Tests of `model/cluster/entities/service.py`."""

import msgspec
import pytest

from nomadspec.model.cluster.entities.service import (
    CheckRestart,
    ConsulConnect,
    Service,
    ServiceCheck,
    ServiceWeights,
)
from tests.model.cluster.entities.members import assert_members


@pytest.mark.parametrize(
    ("record", "members"),
    [
        (CheckRestart, "Limit Grace IgnoreWarnings"),
        (
            ServiceCheck,
            (
                "Name Type Command Args Path Protocol PortLabel Expose AddressMode Interval Timeout "
                "InitialStatus Notes TLSServerName TLSSkipVerify Method Header CheckRestart GRPCService "
                "GRPCUseTLS TaskName SuccessBeforePassing FailuresBeforeCritical FailuresBeforeWarning Body "
                "OnUpdate"
            ),
        ),
        (ConsulConnect, "Native SidecarService SidecarTask Gateway"),
        (ServiceWeights, "Passing Warning"),
        (
            Service,
            (
                "Name TaskName PortLabel AddressMode Address EnableTagOverride Tags CanaryTags Checks "
                "CheckRestart Connect Meta CanaryMeta Weights TaggedAddresses Namespace OnUpdate Provider "
                "Cluster Identity Kind"
            ),
        ),
    ],
)
def test_members_are_spelled_as_the_interface_spells_them(record: type[msgspec.Struct], members: str) -> None:
    assert_members(record, members)
