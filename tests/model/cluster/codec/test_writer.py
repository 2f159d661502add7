"""Tests of `model/cluster/codec/writer.py`."""

import pytest
from msgspec import Struct

from nomadspec.model.cluster.codec import write, write_dense
from nomadspec.model.cluster.entities import (
    AllocatedResources,
    AllocatedTask,
    Allocation,
    AllocDeploymentStatus,
    CpuTopology,
    Deployment,
    DesiredTransition,
    DisconnectStrategy,
    Evaluation,
    Job,
    Lifecycle,
    NodePool,
    NodeResources,
    TaskGroup,
    UpdateStrategy,
)


@pytest.mark.parametrize(
    ("entity", "raw"),
    [
        # a structure of zeros is nothing, a pointer to one is something
        (Job(), {}),
        (Job(update=UpdateStrategy(canary=1)), {"Update": {"Canary": 1}}),
        (TaskGroup(update=UpdateStrategy()), {"Update": {}}),
        (NodeResources(), {}),
        # pointers to zeros
        (AllocDeploymentStatus(healthy=False), {"Healthy": False}),
        (DisconnectStrategy(stop_on_client_after_ns=0), {"StopOnClientAfter": 0}),
        # a structure that only holds pointers
        (
            Allocation(desired_transition=DesiredTransition(migrate=False)),
            {"DesiredTransition": {"Migrate": False}},
        ),
        # entries of maps stay
        (Evaluation(queued_allocations={"a": 0}), {"QueuedAllocations": {"a": 0}}),
        (Evaluation(class_eligibility={"": False}), {"ClassEligibility": {"": False}}),
        (
            AllocatedResources(tasks={"t": AllocatedTask()}, task_lifecycles={"t": None, "u": Lifecycle()}),
            {"Tasks": {"t": {}}, "TaskLifecycles": {"t": None, "u": {}}},
        ),
        (Deployment(task_groups={"g": None}), {"TaskGroups": {"g": None}}),
        # elements of lists stay
        (Job(task_groups=(TaskGroup(),)), {"TaskGroups": [{}]}),
        (CpuTopology(nodes=(0,), distances=((10, 0),)), {"Nodes": [0], "Distances": [[10, 0]]}),
        # forms
        (Job(payload=b"\x00"), {"Payload": "AA=="}),
        (Evaluation(wait_until_ns=5, wait_ns=6), {"WaitUntil": "1970-01-01T00:00:00.000000005Z", "Wait": 6}),
    ],
)
def test_sparse_objects_leave_out_what_says_nothing(entity: Struct, raw: dict[str, object]) -> None:
    """WIRE-003."""
    assert raw == write(entity)


def test_dense_objects_show_everything() -> None:
    """WIRE-003, WIRE-004."""
    dense = {
        "Name": "",
        "Description": "",
        "Meta": None,
        "SchedulerConfiguration": None,
        "NodeIdentityTTL": 0,
        "Hash": None,
        "CreateIndex": 0,
        "ModifyIndex": 0,
    }

    assert dense == write_dense(NodePool())


def test_dense_objects_show_times_and_structures() -> None:
    """WIRE-003."""
    transition = write_dense(Allocation())["DesiredTransition"]

    assert {"Migrate", "Reschedule", "ForceReschedule", "NoShutdownDelay", "MigrateDisablePlacement"} == set(
        transition  # type: ignore[call-overload] # an object, as the next line shows
    )
    assert write_dense(Evaluation())["WaitUntil"] is None
    assert "1970-01-01T00:00:01Z" == write_dense(Evaluation(wait_until_ns=10**9))["WaitUntil"]
