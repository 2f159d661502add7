"""Tests of `model/cluster/entities/metric.py`."""

import msgspec
import pytest

from nomadspec.model.cluster.entities.metric import AllocMetric, NodeScoreMeta
from tests.model.cluster.entities.members import assert_members


@pytest.mark.parametrize(
    ("record", "members"),
    [
        (NodeScoreMeta, "NodeID Scores NormScore"),
        (
            AllocMetric,
            (
                "NodesEvaluated NodesFiltered NodesInPool NodePool NodesAvailable ClassFiltered "
                "ConstraintFiltered NodesExhausted ClassExhausted DimensionExhausted QuotaExhausted "
                "ResourcesExhausted Scores ScoreMetaData AllocationTime CoalescedFailures"
            ),
        ),
    ],
)
def test_members_are_spelled_as_the_interface_spells_them(record: type[msgspec.Struct], members: str) -> None:
    assert_members(record, members)
