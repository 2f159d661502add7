"""What an allocation was given, also where it is told in the form of old versions."""

from __future__ import annotations

from typing import Final

from nomadspec.model.cluster.entities import (
    AllocatedCpu,
    AllocatedMemory,
    AllocatedResources,
    AllocatedShared,
    AllocatedTask,
    Allocation,
    Resources,
)

_NOTHING: Final = Resources()


def find_given(alloc: Allocation) -> AllocatedResources | None:
    """Find what an allocation was given; the old form counts only where the new one is missing.

    Spec: OBJ-258, OBJ-210.
    """
    if alloc.allocated_resources is not None or not alloc.task_resources:
        return alloc.allocated_resources
    shared = alloc.shared_resources or _NOTHING
    return AllocatedResources(
        tasks={name: _translate(task) for name, task in alloc.task_resources.items()},
        shared=AllocatedShared(disk_mb=shared.disk_mb),
    )


def _translate(task: Resources) -> AllocatedTask:
    return AllocatedTask(
        cpu=AllocatedCpu(cpu_shares=task.cpu_mhz),
        memory=AllocatedMemory(memory_mb=task.memory_mb, memory_max_mb=task.memory_max_mb),
        networks=task.networks,
    )
