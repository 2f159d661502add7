"""Host volumes that only one allocation may claim."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from nomadspec.model.cluster.entities import AccessMode, Allocation, Job, VolumeRequest, VolumeType
from nomadspec.model.cluster.entities.allocation import is_client_terminal
from nomadspec.model.cluster.memo import remember_each


def has_conflicting_claims(allocs: Sequence[Allocation]) -> bool:
    """True if a host volume that one member wants for itself is claimed more than once.

    An allocation without a job of its own claims nothing here.

    Spec: PLAN-54, RANK-31, 03/S6.
    """
    if not any(asks_for_volumes(alloc.job) for alloc in allocs if alloc.job is not None):
        return False
    claims: Counter[str] = Counter()
    exclusive: set[str] = set()
    for alloc in allocs:
        if alloc.job is None or is_client_terminal(alloc):
            continue
        for request in list_host_volumes(alloc):
            claims[request.source] += 1
            if request.access_mode == AccessMode.SINGLE_NODE_SINGLE_WRITER:
                exclusive.add(request.source)
    return any(claims[source] > 1 for source in exclusive)


@remember_each
def asks_for_volumes(job: Job) -> bool:
    """True if some group of a job asks for volumes: most jobs have none."""
    return any(group.volumes for group in job.task_groups)


def list_host_volumes(alloc: Allocation) -> Iterator[VolumeRequest]:
    """List the host volumes that the group of an allocation asks for, by the job that it carries."""
    for group in alloc.job.task_groups if alloc.job else ():
        if group.name == alloc.task_group:
            yield from (each for each in group.volumes.values() if each.type == VolumeType.HOST)
            return
