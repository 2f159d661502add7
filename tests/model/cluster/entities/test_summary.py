"""Tests of `model/cluster/entities/summary.py`."""

import msgspec
import pytest

from nomadspec.model.cluster.entities.summary import JobChildrenSummary, JobSummary, TaskGroupSummary
from tests.model.cluster.entities.members import assert_members


@pytest.mark.parametrize(
    ("record", "members"),
    [
        (TaskGroupSummary, "Queued Complete Failed Running Starting Lost Unknown"),
        (JobChildrenSummary, "Pending Running Dead"),
        (JobSummary, "JobID Namespace Summary Children CreateIndex ModifyIndex"),
    ],
)
def test_members_are_spelled_as_the_interface_spells_them(record: type[msgspec.Struct], members: str) -> None:
    assert_members(record, members)
