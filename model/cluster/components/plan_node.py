"""What the plan applier says of one node of a plan: everything for it is taken, or nothing."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from nomadspec.model.cluster.entities import Allocation, AllocClient, Eligibility, Node, NodeStatus, Plan
from nomadspec.model.cluster.entities.allocation import is_client_terminal, is_terminal
from nomadspec.model.cluster.policy.disconnect import is_replaced_on_disconnect
from nomadspec.model.cluster.resources.fit import judge_fit
from nomadspec.model.cluster.store.state import State
from nomadspec.model.specification.profiles import Profile
from nomadspec.model.specification.quirks import NOTED_AS_NEW, UNCHECKED_UPDATE


class NodeVerdict(msgspec.Struct, frozen=True):
    """Whether a node can take what a plan has for it, and if not, why."""

    fits: bool = True
    reason: str = ""
    error: str = ""
    """Why there is no verdict; it fails the whole plan."""


FITS = NodeVerdict()


def judge_node(state: State, plan: Plan, node_id: str, *, profile: Profile) -> NodeVerdict:
    """Judge one node by a state: its status first, then what is new, then what it has left.

    What only changes allocations in place is judged by what it leaves where it is meant to be (03/S8), and
    what is only noted of one that has ended is no matter of its node (X-56).

    Spec: PLAN-43, PLAN-51, PLAN-52, 03/S8, X-56.
    """
    placed = plan.node_allocation.get(node_id, ())
    if not profile.has(NOTED_AS_NEW):
        placed = tuple(alloc for alloc in placed if not _is_noted(state, alloc))
    if not placed:
        return FITS
    node = state.find_node(node_id)
    if node is None:
        return NodeVerdict(fits=False, reason="node does not exist")
    if node.status != NodeStatus.READY:
        return _judge_by_status(node, placed)
    living = [alloc for alloc in state.list_allocs_of_node(node_id) if not is_terminal(alloc)]
    is_in_place = {alloc.id for alloc in placed} <= {alloc.id for alloc in living}
    if is_in_place and profile.has(UNCHECKED_UPDATE):
        return FITS
    if not is_in_place and node.scheduling_eligibility == Eligibility.INELIGIBLE:
        return NodeVerdict(fits=False, reason="node is not eligible")
    fit = judge_fit(node, propose(living, plan, node_id))
    return NodeVerdict(fit.fits, fit.dimension, fit.error)


def _is_noted(state: State, alloc: Allocation) -> bool:
    """True if something is only noted of an allocation that has ended."""
    stored = state.allocs.get(alloc.id)
    return stored is not None and is_client_terminal(stored) and is_client_terminal(alloc)


def _judge_by_status(node: Node, placed: Iterable[Allocation]) -> NodeVerdict:
    match node.status:
        case NodeStatus.DISCONNECTED:
            admits = all(alloc.client_status == AllocClient.UNKNOWN for alloc in placed)
        case NodeStatus.DOWN:
            admits = all(_may_be_on_down_node(alloc) for alloc in placed)
        case _:
            return NodeVerdict(fits=False, reason="node is not ready for placements")
    return (
        FITS
        if admits
        else NodeVerdict(fits=False, reason=f"node is {node.status} and contains invalid updates")
    )


def _may_be_on_down_node(alloc: Allocation) -> bool:
    is_lost = alloc.client_status == AllocClient.LOST
    return is_lost or (alloc.client_status == AllocClient.UNKNOWN and not is_replaced_on_disconnect(alloc))


def propose(living: Iterable[Allocation], plan: Plan, node_id: str) -> list[Allocation]:
    """List what would be on a node after a plan: what lives there, less what goes, and what comes.

    Spec: PLAN-53, OBJ-261, PREEMPT-27.
    """
    placed = plan.node_allocation.get(node_id, ())
    replaced = {alloc.id for alloc in placed}
    replaced.update(alloc.id for alloc in plan.node_update.get(node_id, ()))
    replaced.update(alloc.id for alloc in plan.node_preemptions.get(node_id, ()))
    return [*(alloc for alloc in living if alloc.id not in replaced), *placed]
