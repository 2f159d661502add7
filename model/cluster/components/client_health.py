"""How a client comes to call an allocation healthy or unhealthy, once, for a deployment or a migration.

A watch starts with the allocation and anew with every update of it; ``see_tasks``, ``see_checks`` and
``see_time`` move it on until it has a verdict or ends without one.
"""

from enum import StrEnum
from typing import Final

import msgspec
from msgspec.structs import replace

from nomadspec.model.cluster.components.client_checks import has_checks
from nomadspec.model.cluster.entities import Allocation, AllocDeploymentStatus, JobType, TaskGroup
from nomadspec.model.cluster.entities.allocation import has_health, is_server_terminal
from nomadspec.model.cluster.entities.group import has_update_strategy
from nomadspec.model.cluster.entities.policy import HealthCheck, MigrateStrategy, UpdateStrategy
from nomadspec.model.cluster.entities.scalar import NS_PER_S
from nomadspec.model.cluster.entities.task import Hook, Task
from nomadspec.model.cluster.entities.task_state import TaskState, TaskStatus
from nomadspec.model.cluster.policy.reschedule import find_own_group
from nomadspec.model.lifecycle.allocation import AllocClient

DEFAULT_MIGRATE: Final = MigrateStrategy(
    health_check=HealthCheck.CHECKS.value,
    min_healthy_time_ns=10 * NS_PER_S,
    healthy_deadline_ns=300 * NS_PER_S,
)
"""How allocations are watched that move without a migrate block, as those of system jobs."""


class Outcome(StrEnum):
    """How a watch ended."""

    HEALTHY = "healthy"
    UNHEALTHY = "unhealthy"
    NONE = "none"


class Watch(msgspec.Struct, frozen=True, kw_only=True):
    """What a client remembers while it watches the health of an allocation; a time of 0 is none."""

    min_healthy_ns: int
    deadline_ns: int
    uses_checks: bool
    started_ns: int = 0
    """When the last of its tasks was started, once all are."""
    healthy_from_ns: int = 0
    """When the tasks will have run for long enough, if nothing happens."""
    are_tasks_healthy: bool = False
    passing_since_ns: int = 0
    """Since when the checks pass."""
    outcome: Outcome | None = None
    ended_ns: int = 0


def start_watch(alloc: Allocation, now_ns: int) -> Watch | None:
    """Start to watch an allocation, unless its health is known or nobody asks for it.

    Spec: HEALTH-01, HEALTH-02, HEALTH-03, HEALTH-04, HEALTH-05, HEALTH-06, OBJ-111.
    """
    job, group = alloc.job, find_own_group(alloc)
    if job is None or group is None or job.type not in {JobType.SERVICE, JobType.SYSTEM} or has_health(alloc):
        return None
    how = _find_wishes(alloc, group)
    if how is None:
        return None
    return Watch(
        min_healthy_ns=how.min_healthy_time_ns,
        deadline_ns=now_ns + how.healthy_deadline_ns,
        uses_checks=how.health_check == HealthCheck.CHECKS and has_checks(group),
    )


def _find_wishes(alloc: Allocation, group: TaskGroup) -> UpdateStrategy | MigrateStrategy | None:
    """Find what is asked of the health of an allocation, be it deployed or moved (HEALTH-03, HEALTH-04)."""
    if not alloc.deployment_id:
        return group.migrate or DEFAULT_MIGRATE
    is_manual = group.update is not None and group.update.health_check == HealthCheck.MANUAL
    return group.update if has_update_strategy(group) and not is_manual else None


def restart_watch(watch: Watch | None, before: Allocation, after: Allocation, now_ns: int) -> Watch | None:
    """Watch anew after servers have updated an allocation; another deployment judges it for itself.

    Spec: HEALTH-06, HEALTH-15, HEALTH-16.
    """
    if is_server_terminal(after):
        return _end(watch, Outcome.NONE, now_ns) if watch and watch.outcome is None else watch
    is_judged_anew = before.deployment_id != after.deployment_id
    if watch is not None and watch.outcome is not None and not is_judged_anew:
        return watch
    return start_watch(replace(after, deployment_status=None) if is_judged_anew else after, now_ns)


def see_tasks(watch: Watch, alloc: Allocation, now_ns: int) -> Watch:
    """Look at the tasks after one of them has changed.

    Spec: HEALTH-07, HEALTH-08, HEALTH-09.
    """
    if watch.outcome is not None:
        return watch
    states = list_watched(alloc)
    if alloc.client_status == AllocClient.FAILED or any(_has_gone_wrong(*pair) for pair in states):
        return _end(watch, Outcome.UNHEALTHY, now_ns)
    is_waiting = any(state.state == TaskStatus.PENDING for _, state in states)
    started_ns = 0 if is_waiting else max((state.started_at_ns for _, state in states), default=0)
    if started_ns == watch.started_ns:
        return watch
    return replace(
        watch,
        started_ns=started_ns,
        healthy_from_ns=now_ns + watch.min_healthy_ns if started_ns else 0,
        are_tasks_healthy=False,
        passing_since_ns=0,
    )


def see_checks(watch: Watch, now_ns: int, *, do_pass: bool) -> Watch:
    """Take in how the checks are; they have to pass all the time, until after the tasks are healthy.

    Spec: HEALTH-11.
    """
    if watch.outcome is not None or not watch.uses_checks:
        return watch
    if not do_pass:
        return replace(watch, passing_since_ns=0)
    if not watch.passing_since_ns:
        return replace(watch, passing_since_ns=now_ns)
    if now_ns - watch.passing_since_ns < watch.min_healthy_ns:
        return watch
    if watch.are_tasks_healthy:
        return _end(watch, Outcome.HEALTHY, now_ns)
    return replace(watch, passing_since_ns=now_ns)


def see_time(watch: Watch, now_ns: int) -> Watch:
    """Let time pass: the tasks have run for long enough, or the deadline is over.

    Spec: HEALTH-05, HEALTH-09, HEALTH-10.
    """
    if watch.outcome is not None:
        return watch
    if 0 < watch.healthy_from_ns <= min(now_ns, watch.deadline_ns):
        if not watch.uses_checks:
            return _end(watch, Outcome.HEALTHY, watch.healthy_from_ns)
        watch = replace(watch, are_tasks_healthy=True, healthy_from_ns=0)
    return _end(watch, Outcome.UNHEALTHY, watch.deadline_ns) if watch.deadline_ns <= now_ns else watch


def report_health(alloc: Allocation, watch: Watch | None) -> AllocDeploymentStatus | None:
    """Say what a client reports of the health of an allocation.

    What has failed within a deployment is unhealthy even if nobody watched, and then nobody knows since when.

    Spec: HEALTH-16, HEALTH-17, OBJ-219.
    """
    known = alloc.deployment_status or AllocDeploymentStatus()
    if has_health(alloc):
        return known
    if watch is not None and watch.outcome in {Outcome.HEALTHY, Outcome.UNHEALTHY}:
        return replace(known, healthy=watch.outcome == Outcome.HEALTHY, timestamp_ns=watch.ended_ns)
    if alloc.deployment_id and alloc.client_status == AllocClient.FAILED:
        return replace(known, healthy=False)
    return alloc.deployment_status


def report_broken(alloc: Allocation, now_ns: int) -> AllocDeploymentStatus:
    """Say what a client reports of the health of an allocation that it cannot set up.

    Spec: HEALTH-18.
    """
    known = alloc.deployment_status or AllocDeploymentStatus()
    return known if has_health(alloc) else replace(known, healthy=False, timestamp_ns=now_ns)


def list_watched(alloc: Allocation) -> list[tuple[Task, TaskState]]:
    """List the tasks whose states matter; one that was not reported yet is waiting.

    Spec: HEALTH-07.
    """
    group = find_own_group(alloc)
    waiting = TaskState(state=TaskStatus.PENDING.value)
    pairs = [(task, alloc.task_states.get(task.name, waiting)) for task in (group.tasks if group else ())]
    return [pair for pair in pairs if not _is_passed_over(*pair)]


def _is_passed_over(task: Task, state: TaskState) -> bool:
    if task.lifecycle is None or task.lifecycle.sidecar:
        return False
    has_ended_well = state.state == TaskStatus.DEAD and not state.failed
    return task.lifecycle.hook == Hook.POSTSTOP or (task.lifecycle.hook == Hook.POSTSTART and has_ended_well)


def _has_gone_wrong(task: Task, state: TaskState) -> bool:
    when = task.lifecycle
    may_end = when is not None and when.hook == Hook.PRESTART and not when.sidecar
    return state.failed or (state.state == TaskStatus.DEAD and not may_end)


def _end(watch: Watch, outcome: Outcome, now_ns: int) -> Watch:
    return replace(watch, outcome=outcome, ended_ns=now_ns)
