"""Stops and preemptions travel as the few fields that they change; the applier fills in the rest."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from nomadspec.model.cluster.components.plan_error import UnknownAllocError
from nomadspec.model.cluster.entities import Allocation
from nomadspec.model.cluster.store.plans import expand_eviction, expand_stop
from nomadspec.model.cluster.store.state import State


def expand(state: State, by_node: Mapping[str, Iterable[Allocation]]) -> dict[str, tuple[Allocation, ...]]:
    """Replace each change by the allocation as it would be after it.

    Spec: PLAN-40, 03/S9.
    """
    return {
        node: tuple(_expand_one(state, change) for change in changes) for node, changes in by_node.items()
    }


def _expand_one(state: State, change: Allocation) -> Allocation:
    stored = state.find_alloc(change.id)
    if stored is None:
        raise UnknownAllocError(change.id)
    return expand_eviction(stored, change) if change.preempted_by_allocation else expand_stop(stored, change)
