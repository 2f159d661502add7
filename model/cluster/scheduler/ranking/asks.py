"""What the tasks of a group ask for, as far as no node has to be known."""

from __future__ import annotations

from typing import Final

from nomadspec.model.cluster.entities import (
    Affinity,
    AllocatedCpu,
    AllocatedMemory,
    AllocatedResources,
    AllocatedShared,
    AllocatedTask,
    Job,
    Resources,
    TaskGroup,
)

_LARGEST: Final = 2**63 - 1
_WITHOUT_BOUND: Final = -1
NOTHING: Final = Resources()
"""What a task asks for that says nothing."""


def ask_for_task(asked: Resources, *, has_oversubscription: bool) -> AllocatedTask:
    """Ask for the processor time and the memory of a task; memory for secrets comes on top.

    Spec: RANK-22.
    """
    memory = AllocatedMemory(
        memory_mb=_add(asked.memory_mb, asked.secrets_mb),
        memory_max_mb=_ask_for_most(asked) if has_oversubscription else 0,
    )
    return AllocatedTask(cpu=AllocatedCpu(cpu_shares=asked.cpu_mhz), memory=memory)


def ask_plainly(group: TaskGroup, *, has_oversubscription: bool) -> AllocatedResources | None:
    """Ask for all that a group needs, where no node has a say in it; None where one has.

    Spec: RANK-22, RANK-75.
    """
    asked = {task.name: task.resources or NOTHING for task in group.tasks}
    if group.networks or any(each.networks or each.devices or each.cores > 0 for each in asked.values()):
        return None
    tasks = {
        name: ask_for_task(each, has_oversubscription=has_oversubscription) for name, each in asked.items()
    }
    return AllocatedResources(
        tasks=tasks,
        task_lifecycles={task.name: task.lifecycle for task in group.tasks},
        shared=AllocatedShared(disk_mb=find_disk_mb(group)),
    )


def find_disk_mb(group: TaskGroup) -> int:
    """Find how much disk the tasks of a group share.

    Spec: RANK-22.
    """
    return group.ephemeral_disk.size_mb if group.ephemeral_disk else 0


def _ask_for_most(asked: Resources) -> int:
    if asked.memory_max_mb > 0:
        return _add(asked.memory_max_mb, asked.secrets_mb)
    return asked.memory_max_mb if asked.memory_max_mb == _WITHOUT_BOUND else 0


def _add(memory_mb: int, more_mb: int) -> int:
    return min(memory_mb + more_mb, _LARGEST)


def list_affinities(job: Job, group: TaskGroup) -> tuple[Affinity, ...]:
    """List what makes nodes better or worse for a group: that of the job, of the group, of its tasks.

    Spec: RANK-54, OBJ-135.
    """
    of_tasks = (each for task in group.tasks for each in task.affinities)
    return (*job.affinities, *group.affinities, *of_tasks)
