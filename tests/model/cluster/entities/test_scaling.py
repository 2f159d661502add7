"""Tests of `model/cluster/entities/scaling.py`."""

import msgspec
import pytest

from nomadspec.model.cluster.entities.scaling import JobScalingEvents, ScalingEvent, ScalingPolicy
from tests.model.cluster.entities.members import assert_members


@pytest.mark.parametrize(
    ("record", "members"),
    [
        (ScalingPolicy, "ID Type Target Policy Min Max Enabled CreateIndex ModifyIndex"),
        (ScalingEvent, "Time Count PreviousCount Message Error Meta EvalID CreateIndex"),
        (JobScalingEvents, "Namespace JobID ScalingEvents ModifyIndex"),
    ],
)
def test_members_are_spelled_as_the_interface_spells_them(record: type[msgspec.Struct], members: str) -> None:
    assert_members(record, members)
