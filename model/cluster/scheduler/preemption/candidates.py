"""Which allocations may have to go, the least important first, and what makes one of them costly."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from msgspec.structs import replace

from nomadspec.model.cluster.entities import AllocatedResources, Allocation, Job
from nomadspec.model.cluster.entities.job import find_group
from nomadspec.model.cluster.scheduler.choices import Choices, order_map
from nomadspec.model.cluster.scheduler.plan_builder import PlanBuilder

PRIORITY_GAP: Final = 10
"""How much less important than the placement a job must be to lose an allocation."""
PARALLEL_PENALTY: Final = 50.0


def list_candidates(working: Iterable[Allocation], job: Job) -> tuple[Allocation, ...]:
    """List the allocations on a node that are not of the job that is placed.

    Spec: PREEMPT-03, PREEMPT-04, PREEMPT-05.
    """
    own = (job.namespace, job.id)
    return tuple(alloc for alloc in working if (alloc.namespace, alloc.job_id) != own)


def is_eligible(alloc: Allocation, job: Job) -> bool:
    """True if an allocation is so much less important than a job that it may have to go for it.

    Spec: PREEMPT-06.
    """
    return alloc.job is not None and job.priority - alloc.job.priority >= PRIORITY_GAP


def find_priority(alloc: Allocation) -> int:
    """Find the priority of an allocation's job."""
    return alloc.job.priority if alloc.job else 0


def list_classes(candidates: Iterable[Allocation], job: Job) -> list[tuple[Allocation, ...]]:
    """List the allocations that may have to go by priority, the least important first.

    Spec: PREEMPT-06, PREEMPT-11.
    """
    classes: dict[int, list[Allocation]] = {}
    for alloc in candidates:
        if is_eligible(alloc, job):
            classes.setdefault(find_priority(alloc), []).append(alloc)
    return [tuple(classes[priority]) for priority in sorted(classes)]


def compute_penalty(alloc: Allocation, plan: PlanBuilder) -> float:
    """Compute what is added to the cost of an allocation whose group loses too many at once.

    What the plan says of evictions does not name groups, so that none is ever found.

    Spec: PREEMPT-13, PREEMPT-24, 07/S-11.
    """
    group = find_group(alloc.job, alloc.task_group)
    allowed = group.migrate.max_parallel if group and group.migrate else 0
    return penalise(allowed, count_evicted(alloc, plan))


def penalise(allowed: int, evicted: int) -> float:
    """Compute the penalty of a group that allows so many at once and has lost so many.

    Spec: PREEMPT-13.
    """
    return float(evicted + 1 - allowed) * PARALLEL_PENALTY if 0 < allowed <= evicted else 0.0


def count_evicted(alloc: Allocation, plan: PlanBuilder) -> int:
    """Count the evictions in a plan that name the group of an allocation.

    Spec: PREEMPT-13.
    """
    group = (alloc.namespace, alloc.job_id, alloc.task_group)
    entries = (entry for entries in plan.node_preemptions.values() for entry in entries)
    return sum((entry.namespace, entry.job_id, entry.task_group) == group for entry in entries)


def without(working: Sequence[Allocation], preempted: Iterable[Allocation]) -> tuple[Allocation, ...]:
    """Leave out the allocations that have to go."""
    gone = {alloc.id for alloc in preempted}
    return tuple(alloc for alloc in working if alloc.id not in gone)


def order_tasks(given: AllocatedResources, choices: Choices) -> AllocatedResources:
    """Put the tasks into the order in which a map of them is visited."""
    return replace(given, tasks=dict(order_map(choices, given.tasks)))
