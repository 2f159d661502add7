"""Tests of `model/cluster/entities/configuration.py`."""

import msgspec
import pytest

from nomadspec.model.cluster.entities.configuration import PreemptionConfig, SchedulerConfiguration
from tests.model.cluster.entities.members import assert_members


@pytest.mark.parametrize(
    ("record", "members"),
    [
        (
            PreemptionConfig,
            "SystemSchedulerEnabled SysBatchSchedulerEnabled BatchSchedulerEnabled ServiceSchedulerEnabled",
        ),
        (
            SchedulerConfiguration,
            (
                "SchedulerAlgorithm PreemptionConfig MemoryOversubscriptionEnabled RejectJobRegistration "
                "PauseEvalBroker NodeLimitForFeasibilityChecks CreateIndex ModifyIndex"
            ),
        ),
    ],
)
def test_members_are_spelled_as_the_interface_spells_them(record: type[msgspec.Struct], members: str) -> None:
    assert_members(record, members)
