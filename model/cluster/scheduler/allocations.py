"""Allocations as a scheduler writes them: new ones, and those that follow their job in place."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from nomadspec.model.cluster.entities import (
    AllocatedResources,
    AllocatedTask,
    Allocation,
    AllocClient,
    AllocDesired,
    AllocMetric,
    Evaluation,
    Node,
    Resources,
)
from nomadspec.model.cluster.resources.given import find_given


def make_alloc(
    alloc_id: str,
    name: str,
    group: str,
    *,
    evaluation: Evaluation,
    node: Node,
    resources: AllocatedResources,
    metrics: AllocMetric,
) -> Allocation:
    """Make an allocation that shall run on a node.

    Spec: GENERIC-35, SYSTEM-33, RANK-75, OBJ-210.
    """
    return Allocation(
        id=alloc_id,
        namespace=evaluation.namespace,
        eval_id=evaluation.id,
        name=name,
        node_id=node.id,
        node_name=node.name,
        job_id=evaluation.job_id,
        task_group=group,
        allocated_resources=resources,
        shared_resources=Resources(disk_mb=resources.shared.disk_mb, networks=resources.shared.networks),
        task_resources=_list_task_resources(resources),
        metrics=metrics,
        desired_status=AllocDesired.RUN,
        client_status=AllocClient.PENDING,
    )


def update_in_place(
    alloc: Allocation,
    evaluation: Evaluation,
    resources: AllocatedResources | None,
    *,
    keeps_cores: bool = True,
) -> Allocation:
    """Let an allocation follow its job where it is: new amounts, and what was assigned to it.

    Without resources those that it has stay as they are. Jobs that run on every node pick their cores anew.

    Spec: GENERIC-52, GENERIC-55, SYSTEM-18, 05/S17.
    """
    updated = replace(alloc, eval_id=evaluation.id, job=None, resources=None)
    if resources is None:
        return updated
    return replace(updated, allocated_resources=_keep_assigned(alloc, resources, keeps_cores=keeps_cores))


def _keep_assigned(alloc: Allocation, new: AllocatedResources, *, keeps_cores: bool) -> AllocatedResources:
    """Keep the networks and devices that an allocation was given, also where that is told in the old form.

    The old form tells of no cores, so those are picked anew.

    Spec: GENERIC-55, SYSTEM-18, OBJ-210.
    """
    old = find_given(alloc) or AllocatedResources()
    keeps_cores = keeps_cores and alloc.allocated_resources is not None
    tasks = {
        name: _keep_of_task(old.tasks.get(name), task, keeps_cores=keeps_cores)
        for name, task in new.tasks.items()
    }
    shared = replace(new.shared, networks=old.shared.networks, ports=old.shared.ports)
    return replace(new, tasks=tasks, shared=shared)


def _keep_of_task(old: AllocatedTask | None, new: AllocatedTask, *, keeps_cores: bool) -> AllocatedTask:
    if old is None:
        return replace(new, networks=(), devices=())
    cpu = replace(new.cpu, reserved_cores=old.cpu.reserved_cores) if keeps_cores else new.cpu
    return replace(new, cpu=cpu, networks=old.networks, devices=old.devices)


def _list_task_resources(resources: AllocatedResources) -> Mapping[str, Resources]:
    return {
        name: Resources(
            cpu_mhz=task.cpu.cpu_shares,
            cores=len(task.cpu.reserved_cores),
            memory_mb=task.memory.memory_mb,
            memory_max_mb=task.memory.memory_max_mb,
            networks=task.networks,
        )
        for name, task in resources.tasks.items()
    }
