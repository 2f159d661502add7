"""What a plan says that it would do: the counters of each group, and whom it would evict."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from msgspec.structs import asdict, replace

from nomadspec.model.cluster.entities import (
    Allocation,
    AllocationStub,
    DesiredUpdates,
    PlanAnnotations,
)

_SHARED_FIELDS: Final = frozenset(AllocationStub.__struct_fields__) & frozenset(Allocation.__struct_fields__)


_UPDATE_NAMES: Final[Mapping[str, str]] = {
    "ignore": "ignore",
    "place": "create",
    "migrate": "migrate",
    "stop": "destroy",
    "canary": "canary",
    "in_place_update": "in-place update",
    "destructive_update": "create/destroy update",
}
"""What people are told of the counters of a group; the other counters are not shown to them."""


def make_stub(alloc: Allocation) -> AllocationStub:
    """Make the short form of an allocation, without its resources.

    Spec: WIRE-040.
    """
    fields = {name: value for name, value in asdict(alloc).items() if name in _SHARED_FIELDS}
    job = alloc.job
    return AllocationStub(
        **fields | {"allocated_resources": None},
        job_type=job.type if job else "",
        job_version=job.version if job else 0,
    )


def annotate(desired: Mapping[str, DesiredUpdates], evicted: Iterable[Allocation] = ()) -> PlanAnnotations:
    """Sum up a plan: the counters by group, and the allocations that it evicts in the order of its choices.

    Spec: GENERIC-23, OBJ-284, PREEMPT-25.
    """
    return PlanAnnotations(
        desired_tg_updates=desired, preempted_allocs=tuple(make_stub(alloc) for alloc in evicted)
    )


def count_preemptions(
    desired: Mapping[str, DesiredUpdates], group: str, count: int
) -> Mapping[str, DesiredUpdates]:
    """Count allocations that a group evicts.

    Spec: GENERIC-34, PREEMPT-25.
    """
    counters = desired.get(group)
    if counters is None or not count:
        return desired
    return {**desired, group: replace(counters, preemptions=counters.preemptions + count)}


def describe_updates(desired: DesiredUpdates) -> Mapping[str, int]:
    """Name what happens to a group as people are told it who try a job out; what does not happen is left out.

    Spec: GENERIC-58.
    """
    counted = ((name, getattr(desired, field)) for field, name in _UPDATE_NAMES.items())
    return {name: count for name, count in counted if count}
