"""Tests of `model/cluster/entities/annotation.py`."""

import msgspec
import pytest

from nomadspec.model.cluster.entities.annotation import DesiredUpdates, PlanAnnotations
from tests.model.cluster.entities.members import assert_members


@pytest.mark.parametrize(
    ("record", "members"),
    [
        (
            DesiredUpdates,
            (
                "Ignore Place Migrate Stop InPlaceUpdate DestructiveUpdate Canary Preemptions Disconnect "
                "Reconnect RescheduleNow RescheduleLater"
            ),
        ),
        (PlanAnnotations, "DesiredTGUpdates PreemptedAllocs"),
    ],
)
def test_members_are_spelled_as_the_interface_spells_them(record: type[msgspec.Struct], members: str) -> None:
    assert_members(record, members)
