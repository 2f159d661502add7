"""The metrics of groups that could not be placed."""

from __future__ import annotations

from msgspec.structs import replace

from nomadspec.model.cluster.entities import AllocMetric, Resources, TaskGroup


def note_exhausted(metrics: AllocMetric, group: TaskGroup) -> AllocMetric:
    """Add what the tasks of a group ask for where processors or memory ran out.

    Spec: FEAS-88, OBJ-264.
    """
    exhausted = metrics.dimension_exhausted
    if not exhausted:
        return metrics
    lacks_memory, lacks_cpu = exhausted.get("memory", 0) > 0, exhausted.get("cpu", 0) > 0
    totals = dict(metrics.resources_exhausted)
    for task in group.tasks:
        known, asked = totals.get(task.name, Resources()), task.resources or Resources()
        totals[task.name] = replace(
            known,
            memory_mb=known.memory_mb + (asked.memory_mb if lacks_memory else 0),
            cpu_mhz=known.cpu_mhz + (asked.cpu_mhz if lacks_cpu else 0),
        )
    return replace(metrics, resources_exhausted=totals)


def coalesce(metrics: AllocMetric, group: TaskGroup) -> AllocMetric:
    """Count one more placement of a group that failed before and is not tried again.

    Spec: FEAS-89, GENERIC-30, SYSTEM-29, EVAL-42.
    """
    counted = replace(metrics, coalesced_failures=metrics.coalesced_failures + 1)
    return note_exhausted(counted, group)
