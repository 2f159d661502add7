"""How many allocations of a group count as healthy for its deployment."""

from __future__ import annotations

from collections.abc import Iterable

from nomadspec.model.cluster.entities import Allocation, DeploymentState
from nomadspec.model.cluster.entities.allocation import is_healthy, is_terminal
from nomadspec.model.specification.profiles import Profile
from nomadspec.model.specification.quirks import SUCCESS_OF_THE_ENDED


def count_healthy(
    state: DeploymentState, deployment_id: str, group: str, allocs: Iterable[Allocation], *, profile: Profile
) -> int:
    """Count what a group's deployment has that is healthy; the release counts what was ever so.

    Spec: REC-89, SYSDEP-20, DEP-42, X-50.
    """
    if profile.has(SUCCESS_OF_THE_ENDED):
        return state.healthy_allocs
    return count_live_healthy(deployment_id, group, allocs)


def count_live_healthy(deployment_id: str, group: str, allocs: Iterable[Allocation]) -> int:
    """Count what a group's deployment has that is healthy and has not ended.

    Spec: DEP-41.
    """
    return sum(
        alloc.deployment_id == deployment_id
        and alloc.task_group == group
        and is_healthy(alloc)
        and not is_terminal(alloc)
        for alloc in allocs
    )
