"""The values that enumerations list are those that real clusters show."""

from collections.abc import Iterator
from enum import StrEnum
from functools import cache

import pytest
from msgspec import Struct

from nomadspec.checkers.oracle.reading import read_document
from nomadspec.model.cluster.codec import read
from nomadspec.model.cluster.entities import (
    Allocation,
    AllocClient,
    AllocDesired,
    ClientDescription,
    Deployment,
    DeploymentDescription,
    DeploymentStatus,
    DesiredDescription,
    Eligibility,
    EvalStatus,
    Evaluation,
    Job,
    JobStatus,
    JobType,
    Node,
    NodeStatus,
    TaskStatus,
    Trigger,
)
from tests.recorded import list_traces

RECORDS: dict[str, type[Struct]] = {
    "Allocs": Allocation,
    "Deployments": Deployment,
    "Evals": Evaluation,
    "Jobs": Job,
    "Nodes": Node,
}


@cache
def list_objects(table: str) -> tuple[object, ...]:
    """Read a table of some recorded clusters."""
    dumps = [read_document(folder / "raft-state.json.xz") for folder in list_traces()[::4]]
    return tuple(read(RECORDS[table], raw) for dump in dumps for raw in dump[table] or [])


@pytest.mark.parametrize(
    ("table", "field", "values"),
    [
        ("Allocs", "desired_status", AllocDesired),
        ("Allocs", "client_status", AllocClient),
        ("Allocs", "client_description", ClientDescription),
        ("Deployments", "status", DeploymentStatus),
        ("Evals", "status", EvalStatus),
        ("Evals", "triggered_by", Trigger),
        ("Evals", "type", JobType),
        ("Jobs", "type", JobType),
        ("Jobs", "status", JobStatus),
        ("Nodes", "status", NodeStatus),
        ("Nodes", "scheduling_eligibility", Eligibility),
    ],
)
def test_recorded_values_are_listed(table: str, field: str, values: type[StrEnum]) -> None:
    """OBJ-030, OBJ-150, OBJ-181, OBJ-182, OBJ-210, OBJ-218, OBJ-272."""
    shown = {getattr(each, field) for each in list_objects(table)}

    assert shown
    assert shown <= set(values)


@pytest.mark.parametrize(
    ("table", "field", "values"),
    [
        ("Allocs", "desired_description", DesiredDescription),
        ("Deployments", "status_description", DeploymentDescription),
    ],
)
def test_recorded_descriptions_begin_as_listed(table: str, field: str, values: type[StrEnum]) -> None:
    """OBJ-214, OBJ-274."""
    shown = {getattr(each, field) for each in list_objects(table)}
    beginnings = tuple(value.value for value in values if value)

    assert all(not text or text.startswith(beginnings) for text in shown)
    assert any(text in set(values) for text in shown if text)


def test_recorded_task_states_are_listed() -> None:
    """OBJ-217."""
    shown = {state.state for alloc in _list_allocs() for state in alloc.task_states.values()}

    assert shown
    assert shown <= set(TaskStatus)


def _list_allocs() -> Iterator[Allocation]:
    return (each for each in list_objects("Allocs") if isinstance(each, Allocation))
