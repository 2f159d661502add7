"""Tests of `model/cluster/entities/allocation.py`."""

from collections.abc import Callable

import msgspec
import pytest
from msgspec.structs import replace

from nomadspec.model.cluster.entities.allocation import (
    Allocation,
    AllocationStub,
    AllocDeploymentStatus,
    AllocNetworkStatus,
    AllocState,
    DesiredTransition,
    RescheduleEvent,
    RescheduleTracker,
    compute_client_status,
    find_last_start_ns,
    find_last_unknown_ns,
    has_health,
    has_reschedule_failed,
    has_run_successfully,
    is_canary,
    is_client_terminal,
    is_healthy,
    is_server_terminal,
    is_terminal,
    is_unhealthy,
    needs_to_reconnect,
    should_force_reschedule,
    should_ignore_shutdown_delay,
    should_migrate,
    should_migrate_without_replacement,
    should_reschedule_by_request,
    wants_data_migration,
)
from nomadspec.model.cluster.entities.group import EphemeralDisk, TaskGroup
from nomadspec.model.cluster.entities.job import Job
from nomadspec.model.cluster.entities.task_state import TaskState
from nomadspec.model.lifecycle.allocation import AllocClient
from tests.model.cluster.entities.members import assert_members


@pytest.mark.parametrize(
    ("record", "members"),
    [
        (DesiredTransition, "Migrate Reschedule ForceReschedule NoShutdownDelay MigrateDisablePlacement"),
        (AllocState, "Field Value Time"),
        (AllocDeploymentStatus, "Healthy Timestamp Canary ModifyIndex"),
        (RescheduleEvent, "RescheduleTime PrevAllocID PrevNodeID Delay"),
        (RescheduleTracker, "Events LastReschedule"),
        (AllocNetworkStatus, "InterfaceName Address AddressIPv6 DNS"),
        (
            Allocation,
            (
                "ID Namespace EvalID Name NodeID NodeName JobID Job TaskGroup Resources SharedResources "
                "TaskResources AllocatedResources Metrics DesiredStatus DesiredDescription DesiredTransition "
                "ClientStatus ClientDescription TaskStates AllocStates PreviousAllocation NextAllocation "
                "DeploymentID DeploymentStatus RescheduleTracker NetworkStatus FollowupEvalID "
                "PreemptedAllocations PreemptedByAllocation SignedIdentities SigningKeyID CreateIndex "
                "ModifyIndex AllocModifyIndex CreateTime ModifyTime"
            ),
        ),
        (
            AllocationStub,
            (
                "ID EvalID Name Namespace NodeID NodeName JobID JobType JobVersion TaskGroup "
                "AllocatedResources DesiredStatus DesiredDescription ClientStatus ClientDescription "
                "DesiredTransition TaskStates DeploymentStatus FollowupEvalID NextAllocation "
                "RescheduleTracker PreemptedAllocations PreemptedByAllocation CreateIndex ModifyIndex "
                "CreateTime ModifyTime"
            ),
        ),
    ],
)
def test_members_are_spelled_as_the_interface_spells_them(record: type[msgspec.Struct], members: str) -> None:
    assert_members(record, members)


GOOD = TaskState(state="dead")
BAD = TaskState(state="dead", failed=True)
RUNNING = TaskState(state="running")
PENDING = TaskState(state="pending")


def test_an_alloc_is_terminal_for_either_side() -> None:
    """OBJ-230, OBJ-231, OBJ-232."""
    ended = {status for status in AllocClient if is_client_terminal(Allocation(client_status=status))}

    assert {"complete", "failed", "lost"} == ended
    assert is_server_terminal(Allocation(desired_status="stop"))
    assert is_server_terminal(Allocation(desired_status="evict"))
    assert not is_server_terminal(Allocation(desired_status="run", client_status="failed"))
    assert is_terminal(Allocation(desired_status="run", client_status="lost"))
    assert is_terminal(Allocation(desired_status="stop", client_status="running"))
    assert not is_terminal(Allocation(desired_status="run", client_status="unknown"))


def test_an_alloc_ran_well_when_all_its_tasks_did() -> None:
    """OBJ-233."""
    assert has_run_successfully(Allocation(task_states={"t": GOOD, "u": GOOD}, client_status="failed"))
    assert not has_run_successfully(Allocation(task_states={"t": GOOD, "u": BAD}))
    assert not has_run_successfully(Allocation(task_states={"t": RUNNING}))
    assert not has_run_successfully(Allocation(client_status="complete"))


def test_data_is_migrated_from_the_previous_alloc_if_the_disk_says_so() -> None:
    """OBJ-235."""
    group = TaskGroup(name="g", ephemeral_disk=EphemeralDisk(migrate=True))
    alloc = Allocation(previous_allocation="p", task_group="g", job=Job(task_groups=(group,)))

    assert wants_data_migration(alloc)
    assert not wants_data_migration(replace(alloc, previous_allocation=""))
    assert not wants_data_migration(replace(alloc, desired_status="stop"))
    assert not wants_data_migration(replace(alloc, task_group="h"))
    assert not wants_data_migration(replace(alloc, job=Job(task_groups=(TaskGroup(name="g"),))))


@pytest.mark.parametrize(
    ("field", "ask"),
    [
        ("migrate", should_migrate),
        ("reschedule", should_reschedule_by_request),
        ("force_reschedule", should_force_reschedule),
        ("no_shutdown_delay", should_ignore_shutdown_delay),
        ("migrate_disable_placement", should_migrate_without_replacement),
    ],
)
def test_a_transition_is_asked_for_by_true_alone(field: str, ask: Callable[[Allocation], bool]) -> None:
    """OBJ-215."""
    answers = {
        value: ask(Allocation(desired_transition=DesiredTransition(**{field: value})))
        for value in (None, False, True)
    }

    assert {None: False, False: False, True: True} == answers


@pytest.mark.parametrize(
    ("status", "told"),
    [
        (None, (False, False, False, False)),
        (AllocDeploymentStatus(), (False, False, False, False)),
        (AllocDeploymentStatus(healthy=False), (True, False, True, False)),
        (AllocDeploymentStatus(healthy=True, canary=True), (True, True, False, True)),
    ],
)
def test_no_health_is_not_bad_health(
    status: AllocDeploymentStatus | None, told: tuple[bool, bool, bool, bool]
) -> None:
    """OBJ-223."""
    alloc = Allocation(deployment_status=status)

    assert told == (has_health(alloc), is_healthy(alloc), is_unhealthy(alloc), is_canary(alloc))


@pytest.mark.parametrize(
    ("values", "since_ns", "needs"),
    [
        ("", 0, False),
        ("running", 0, False),
        ("unknown", 1, True),
        ("unknown unknown", 1, True),
        ("unknown running unknown unknown", 3, True),
        ("unknown running", 1, False),
        ("unknown running unknown lost", 3, False),
    ],
)
def test_the_last_unknown_begins_its_run(values: str, since_ns: int, needs: bool) -> None:
    """OBJ-222."""
    states = tuple(AllocState(value=value, time_ns=at) for at, value in enumerate(values.split(), 1))
    alloc = Allocation(alloc_states=states)

    assert since_ns == find_last_unknown_ns(alloc)
    assert needs == needs_to_reconnect(alloc)


def test_states_of_other_fields_and_without_value_are_passed_over() -> None:
    """OBJ-222."""
    states = (
        AllocState(value="unknown", time_ns=1),
        AllocState(field=1, value="running", time_ns=2),
        AllocState(value="unknown", time_ns=3),
        AllocState(value="", time_ns=4),
    )
    alloc = Allocation(alloc_states=states)

    assert 1 == find_last_unknown_ns(alloc)
    assert needs_to_reconnect(alloc)


@pytest.mark.parametrize(("last", "has"), [("", False), ("ok", False), ("no placement", True)])
def test_a_reschedule_failed_unless_it_is_ok_or_unknown(last: str, has: bool) -> None:
    """OBJ-243."""
    assert has == has_reschedule_failed(
        Allocation(reschedule_tracker=RescheduleTracker(last_reschedule=last))
    )
    assert not has_reschedule_failed(Allocation())


def test_the_last_start_of_a_task_is_its_restart_if_there_was_one() -> None:
    """OBJ-249."""
    states = {
        "once": TaskState(started_at_ns=5, last_restart_ns=9),
        "twice": TaskState(started_at_ns=5, last_restart_ns=9, restarts=1),
    }
    alloc = Allocation(task_states=states)

    assert [5, 9, 0] == [find_last_start_ns(alloc, task) for task in ("once", "twice", "never")]


@pytest.mark.parametrize(
    ("states", "status"),
    [
        ((RUNNING, BAD), ("failed", "Failed tasks")),
        ((GOOD, RUNNING, PENDING), ("running", "Tasks are running")),
        ((GOOD, PENDING), ("pending", "No tasks have started")),
        ((GOOD, GOOD), ("complete", "All tasks have completed")),
        ((), ("", "")),
    ],
)
def test_a_client_sums_up_its_tasks(states: tuple[TaskState, ...], status: tuple[str, str]) -> None:
    """OBJ-218."""
    assert status == compute_client_status({str(number): state for number, state in enumerate(states)})
