"""Tests of `model/cluster/entities/pool.py`."""

import msgspec
import pytest

from nomadspec.model.cluster.entities.pool import NodePool, PoolSchedulerConfiguration
from tests.model.cluster.entities.members import assert_members


@pytest.mark.parametrize(
    ("record", "members"),
    [
        (PoolSchedulerConfiguration, "SchedulerAlgorithm MemoryOversubscriptionEnabled"),
        (
            NodePool,
            "Name Description Meta SchedulerConfiguration NodeIdentityTTL Hash CreateIndex ModifyIndex",
        ),
    ],
)
def test_members_are_spelled_as_the_interface_spells_them(record: type[msgspec.Struct], members: str) -> None:
    assert_members(record, members)
