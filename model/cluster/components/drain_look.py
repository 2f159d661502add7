"""What the drainer sees when it looks at a draining node, and at a job that has allocations on one."""

from collections.abc import Iterator
from typing import NamedTuple

from nomadspec.model.cluster.entities import Allocation, Job, JobType, Node, TaskGroup
from nomadspec.model.cluster.entities.allocation import (
    has_health,
    is_client_terminal,
    is_terminal,
    should_migrate,
)
from nomadspec.model.cluster.entities.node import is_draining
from nomadspec.model.cluster.store.state import State
from nomadspec.model.cluster.store.tables import JobKey


class JobLook(NamedTuple):
    """What a look at a job shows."""

    drainable: tuple[tuple[str, ...], ...]
    """Of each group those that may be told to move, in the order of their IDs."""
    room: tuple[int, ...]
    """Of each group how many of these may be told now."""
    migrated_from: frozenset[str]
    """The draining nodes on which an allocation has ended since the last look."""
    is_over: bool
    """Nothing of the job is left on draining nodes."""

    @property
    def chosen(self) -> tuple[str, ...]:
        """Those that are told now: the first ones of each group, though any others would do as well."""
        pairs = zip(self.drainable, self.room, strict=True)
        return tuple(alloc_id for ids, room in pairs for alloc_id in ids[:room])


def has_plugin(job: Job) -> bool:
    """True if a task of a job is a plugin for storage volumes.

    Spec: DRAIN-03.
    """
    return any(task.csi_plugin_config is not None for group in job.task_groups for task in group.tasks)


def is_held_back(job: Job) -> bool:
    """True if a job leaves a node last: a system job, or a plugin that others may need until then."""
    return job.type == JobType.SYSTEM or has_plugin(job)


def is_drained(state: State, node: Node) -> bool:
    """True if the clients have ended all that does not leave a node last.

    Spec: DRAIN-04.
    """
    return all(
        is_client_terminal(alloc)
        for alloc in state.list_allocs_of_node(node.id)
        if alloc.job is not None and not is_held_back(alloc.job)
    )


def list_remaining(state: State, node: Node) -> tuple[Allocation, ...]:
    """List what is still wanted on a draining node and has to leave it.

    Spec: DRAIN-05.
    """
    strategy = node.drain_strategy
    ignores_system = strategy is not None and strategy.ignore_system_jobs
    return tuple(
        alloc
        for alloc in state.list_allocs_of_node(node.id)
        if not is_terminal(alloc)
        and not (ignores_system and alloc.job is not None and alloc.job.type == JobType.SYSTEM)
    )


def list_blocking_jobs(state: State, node: Node) -> Iterator[JobKey]:
    """List the jobs that a drain of a node has to wait for.

    Spec: DRAIN-03.
    """
    for alloc in state.list_allocs_of_node(node.id):
        if not is_terminal(alloc) and alloc.job is not None and not is_held_back(alloc.job):
            yield alloc.namespace, alloc.job_id


def look_at_job(state: State, job: Job, last_index: int) -> JobLook:
    """Look at all allocations of the present incarnation of a job, group by group.

    Spec: DRAIN-06, DRAIN-07, DRAIN-08, DRAIN-09, DRAIN-11.
    """
    is_batch = job.type == JobType.BATCH
    drainable: list[tuple[str, ...]] = []
    room: list[int] = []
    migrated: set[str] = set()
    is_over = True
    for group in job.task_groups:
        if group.migrate is None and not is_batch:
            continue
        allocs = _list_own(state, job, group)
        here = [alloc for alloc in allocs if _is_on_draining(state, alloc)]
        ended = {alloc.id for alloc in here if is_client_terminal(alloc) and alloc.modify_index > last_index}
        migrated.update(alloc.node_id for alloc in here if alloc.id in ended)
        is_over = is_over and all(is_client_terminal(alloc) for alloc in here)
        if is_batch or group.migrate is None:
            continue
        healthy = sum(_is_healthy_enough(alloc) for alloc in allocs if alloc.id not in ended)
        ready = [alloc.id for alloc in here if not is_client_terminal(alloc) and not should_migrate(alloc)]
        drainable.append(tuple(sorted(ready)))
        room.append(max(0, min(len(ready), healthy - (group.count - group.migrate.max_parallel))))
    return JobLook(tuple(drainable), tuple(room), frozenset(migrated), is_over)


def _list_own(state: State, job: Job, group: TaskGroup) -> list[Allocation]:
    return [
        alloc
        for alloc in state.list_allocs_of_job(job.namespace, job.id)
        if alloc.task_group == group.name
        and alloc.job is not None
        and alloc.job.create_index == job.create_index
    ]


def _is_on_draining(state: State, alloc: Allocation) -> bool:
    node = state.find_node(alloc.node_id)
    return node is not None and is_draining(node)


def _is_healthy_enough(alloc: Allocation) -> bool:
    """True while an allocation counts as one that runs: its health is known, be it good or bad.

    Spec: DRAIN-17, 09/S14.
    """
    return not is_terminal(alloc) and has_health(alloc) and not should_migrate(alloc)
