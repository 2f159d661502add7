"""Tests of `model/cluster/entities/task_state.py`."""

import msgspec
import pytest

from nomadspec.model.cluster.entities.task_state import TaskEvent, TaskState, is_successful
from tests.model.cluster.entities.members import assert_members


@pytest.mark.parametrize(
    ("record", "members"),
    [
        (
            TaskEvent,
            (
                "Type Time Message DisplayMessage Details FailsTask RestartReason SetupError DriverError "
                "ExitCode Signal KillTimeout KillError KillReason StartDelay DownloadError ValidationError "
                "DiskLimit FailedSibling VaultError TaskSignalReason TaskSignal DriverMessage GenericSource"
            ),
        ),
        (TaskState, "State Failed Restarts LastRestart StartedAt FinishedAt Events Paused"),
    ],
)
def test_members_are_spelled_as_the_interface_spells_them(record: type[msgspec.Struct], members: str) -> None:
    assert_members(record, members)


@pytest.mark.parametrize(
    ("state", "has_failed", "is_good"),
    [("dead", False, True), ("dead", True, False), ("running", False, False), ("", False, False)],
)
def test_a_task_succeeds_when_it_is_dead_and_did_not_fail(
    state: str, has_failed: bool, is_good: bool
) -> None:
    """OBJ-217."""
    assert is_good == is_successful(TaskState(state=state, failed=has_failed))
