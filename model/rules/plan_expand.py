"""Stops and preemptions travel as the few fields that they change; the applier fills in the rest."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from nomadspec.model.entities import Allocation, AllocDesired
from nomadspec.model.rules.plan_error import UnknownAllocError
from nomadspec.model.store.state import State


def describe_preemption(by_alloc_id: str) -> str:
    """Say why an allocation is preempted.

    Spec: PLAN-03.
    """
    return f"Preempted by alloc ID {by_alloc_id}"


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
    if change.preempted_by_allocation:
        return replace(
            stored,
            preempted_by_allocation=change.preempted_by_allocation,
            desired_description=describe_preemption(change.preempted_by_allocation),
            desired_status=AllocDesired.EVICT,
        )
    return replace(
        stored,
        desired_status=AllocDesired.STOP,
        desired_description=change.desired_description,
        alloc_states=change.alloc_states,
        client_status=change.client_status or stored.client_status,
        followup_eval_id=change.followup_eval_id or stored.followup_eval_id,
    )
