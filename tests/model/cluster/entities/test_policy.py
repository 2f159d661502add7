"""Tests of `model/cluster/entities/policy.py`."""

import msgspec
import pytest

from nomadspec.model.cluster.entities.policy import (
    DisconnectStrategy,
    MigrateStrategy,
    ReschedulePolicy,
    RestartPolicy,
    UpdateStrategy,
    is_enabled,
)
from tests.model.cluster.entities.members import assert_members


@pytest.mark.parametrize(
    ("record", "members"),
    [
        (
            UpdateStrategy,
            (
                "Stagger MaxParallel HealthCheck MinHealthyTime HealthyDeadline ProgressDeadline AutoRevert "
                "AutoPromote Canary"
            ),
        ),
        (MigrateStrategy, "MaxParallel HealthCheck MinHealthyTime HealthyDeadline"),
        (ReschedulePolicy, "Attempts Interval Delay DelayFunction MaxDelay Unlimited"),
        (RestartPolicy, "Attempts Interval Delay Mode RenderTemplates"),
        (DisconnectStrategy, "LostAfter StopOnClientAfter Replace Reconcile"),
    ],
)
def test_members_are_spelled_as_the_interface_spells_them(record: type[msgspec.Struct], members: str) -> None:
    assert_members(record, members)


@pytest.mark.parametrize(
    ("policy", "is_on"),
    [
        (None, False),
        (ReschedulePolicy(), False),
        (ReschedulePolicy(attempts=1), True),
        (ReschedulePolicy(attempts=-1), False),
        (ReschedulePolicy(unlimited=True), True),
    ],
)
def test_a_policy_needs_attempts(policy: ReschedulePolicy | None, is_on: bool) -> None:
    """OBJ-105."""
    assert is_on == is_enabled(policy)
