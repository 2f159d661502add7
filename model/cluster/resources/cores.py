"""Cores that a task has for itself: which it gets, and what speed they add up to."""

from __future__ import annotations

from nomadspec.model.cluster.entities import CpuTopology
from nomadspec.model.cluster.resources.capacity import compute_core_mhz, list_usable_cores


def choose_cores(
    topology: CpuTopology | None, taken: frozenset[int], count: int
) -> tuple[tuple[int, ...], int] | None:
    """Choose the lowest cores that nobody has, with their speed in MHz; None where they are too few.

    Cores that the node keeps for itself are not looked at here, only those that are switched off. A node that
    lists its cores out of order is told another core than the one that is free: the one in its place.

    Spec: RANK-38, RANK-39, RANK-40, 07/S-17.
    """
    free = sorted(list_usable_cores(topology) - taken)
    if topology is None or len(free) < count:
        return None
    places = sorted(core.id for core in topology.cores)
    chosen = tuple(topology.cores[places.index(core_id)] for core_id in free[:count])
    return tuple(core.id for core in chosen), sum(compute_core_mhz(core) for core in chosen)
