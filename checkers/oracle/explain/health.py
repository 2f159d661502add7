"""Judges what clients say of the health of allocations: not before its time, and only where it is watched."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from nomadspec.checkers.oracle.judgement import ABSENT, Difference
from nomadspec.checkers.oracle.trace_window import CLOCKS_NS
from nomadspec.model.cluster.components.client_health import Watch, list_watched, start_watch
from nomadspec.model.cluster.entities import Allocation, AllocClient
from nomadspec.model.cluster.entities.allocation import has_health
from nomadspec.model.cluster.entities.task_state import TaskStatus
from nomadspec.model.cluster.store import State


def compare_health(report: Allocation, stored: Allocation, before: State, path: str) -> Iterator[Difference]:
    """Compare a health that is new with what the tasks did, and for how long.

    Spec: HEALTH-01, HEALTH-03, HEALTH-05, HEALTH-09.
    """
    status = report.deployment_status
    told = status.healthy if status else None
    known = stored.deployment_status.healthy if stored.deployment_status else None
    tasks = report.task_states.values()
    if status is None or told is None or told == known or not tasks:
        return
    place = f"{path}.DeploymentStatus.Healthy"
    watches = list(_list_watches(stored, before))
    if told and not any(task.started_at_ns for task in tasks):
        yield Difference(place, told, known, "HEALTH-09")
    elif told and not watches:
        yield Difference(place, told, ABSENT, "HEALTH-03")
    elif watches and status.timestamp_ns and _is_fresh(stored) and not _has_changed(report, stored):
        due_ns = _find_due(report, stored, watches, is_healthy=told)
        if status.timestamp_ns < due_ns - CLOCKS_NS:
            rule = "HEALTH-09" if told else "HEALTH-05"
            yield Difference(f"{path}.DeploymentStatus.Timestamp", status.timestamp_ns, due_ns, rule)


def _list_watches(stored: Allocation, before: State) -> Iterator[Watch]:
    """List how a client may watch an allocation, by any version of its job that it may know.

    It may have been watched without a deployment, before the servers gave it to one.

    Spec: HEALTH-03, HEALTH-06.
    """
    versions = before.list_job_versions(stored.namespace, stored.job_id)
    names = {stored.deployment_id} if _is_fresh(stored) else {stored.deployment_id, ""}
    for job in (stored.job, *versions):
        for name in names:
            watch = start_watch(replace(stored, job=job, deployment_id=name, deployment_status=None), 0)
            if watch is not None:
                yield watch


def _is_fresh(stored: Allocation) -> bool:
    """True if a client knows of an allocation what was placed: what it was told since it repeats.

    Spec: HEALTH-02, HEALTH-06, HEALTH-19, DEP-52.
    """
    return stored.alloc_modify_index == stored.create_index and not has_health(stored)


def _has_changed(report: Allocation, stored: Allocation) -> bool:
    """True if tasks may have been otherwise when the client made up its mind."""
    states = [state for _, state in list_watched(replace(stored, task_states=report.task_states))]
    has_ended = any(state.failed or state.state == TaskStatus.DEAD or state.restarts for state in states)
    return has_ended or report.client_status == AllocClient.FAILED


def _find_due(report: Allocation, stored: Allocation, watches: Sequence[Watch], *, is_healthy: bool) -> int:
    """Find when a client says so at the earliest: once all tasks ran for long, or at the deadline."""
    if not is_healthy:
        return stored.create_time_ns + min(watch.deadline_ns for watch in watches)
    states = [state for _, state in list_watched(replace(stored, task_states=report.task_states))]
    started_ns = max((state.started_at_ns for state in states), default=0)
    return started_ns + min(watch.min_healthy_ns for watch in watches)
