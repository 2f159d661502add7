"""Tests of `model/cluster/entities/periodic.py`."""

import msgspec
import pytest

from nomadspec.model.cluster.entities.periodic import ParameterizedJobConfig, PeriodicConfig, PeriodicLaunch
from tests.model.cluster.entities.members import assert_members


@pytest.mark.parametrize(
    ("record", "members"),
    [
        (PeriodicConfig, "Enabled Spec Specs SpecType ProhibitOverlap TimeZone"),
        (ParameterizedJobConfig, "Payload MetaRequired MetaOptional"),
        (PeriodicLaunch, "ID Namespace Launch CreateIndex ModifyIndex"),
    ],
)
def test_members_are_spelled_as_the_interface_spells_them(record: type[msgspec.Struct], members: str) -> None:
    assert_members(record, members)
