"""Judges what clients report: an automaton for each allocation, and a status that its tasks decide."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from nomadspec.checkers.oracle.judgement import Difference
from nomadspec.model.cluster.entities import Allocation, AllocClient
from nomadspec.model.cluster.entities.allocation import compute_client_status
from nomadspec.model.cluster.store import State
from nomadspec.model.cluster.store.requests import AllocClientUpdate
from nomadspec.model.lifecycle.allocation import ALLOCATION_CLIENT, ClientStatus
from nomadspec.model.lifecycle.table import is_legal
from nomadspec.model.specification.profiles import Profile

_OVERRUN: Final = "allocation exceeded max_run_duration"
_REPORTED: Final = (AllocClient.PENDING, AllocClient.RUNNING, AllocClient.COMPLETE, AllocClient.FAILED)
"""What a client may say; that an allocation is lost or unknown is for the servers to say."""


def compare_reports(
    request: AllocClientUpdate, before: State, path: str, profile: Profile
) -> Iterator[Difference]:
    """Compare the reports of a client with what may become of its allocations.

    Spec: OBJ-213, OBJ-218, CLIENT-05, CLIENT-08, ALLOC-10.
    """
    for at, report in enumerate(request.alloc):
        stored = before.find_alloc(report.id)
        if stored is not None:
            yield from _compare_report(report, stored, f"{path}.Alloc[{at}]", profile)


def _compare_report(
    report: Allocation, stored: Allocation, path: str, profile: Profile
) -> Iterator[Difference]:
    status = f"{path}.ClientStatus"
    if report.client_status not in _REPORTED:
        yield Difference(status, report.client_status, list(_REPORTED), "OBJ-213")
    elif not _may_follow(stored.client_status, report.client_status, profile):
        yield Difference(status, report.client_status, f"what may follow {stored.client_status}", "OBJ-213")
    elif report.task_states and report.client_description != _OVERRUN:
        computed, _ = compute_client_status(report.task_states)
        if report.client_status != computed:
            yield Difference(status, report.client_status, computed, "CLIENT-05")
    if report.node_id and report.node_id != stored.node_id:
        yield Difference(f"{path}.NodeID", report.node_id, stored.node_id, "CLIENT-08")
    yield from _compare_health(report, stored, path)


def _may_follow(before: str, after: str, profile: Profile) -> bool:
    source, target = ClientStatus[before.upper()], ClientStatus[after.upper()]
    return is_legal(ALLOCATION_CLIENT, source, target, profile)


def _compare_health(report: Allocation, stored: Allocation, path: str) -> Iterator[Difference]:
    """Only of what has run is said that it is healthy.

    Spec: HEALTH-09.
    """
    told = report.deployment_status.healthy if report.deployment_status else None
    known = stored.deployment_status.healthy if stored.deployment_status else None
    tasks = report.task_states.values()
    if told and told != known and tasks and not any(task.started_at_ns for task in tasks):
        yield Difference(f"{path}.DeploymentStatus.Healthy", told, known, "HEALTH-09")
