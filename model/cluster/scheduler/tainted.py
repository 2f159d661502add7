"""Nodes that allocations cannot simply stay on, and allocations lost while they were being stopped."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from nomadspec.model.cluster.entities import Allocation, AllocClient, DesiredDescription, Node
from nomadspec.model.cluster.entities.allocation import is_server_terminal
from nomadspec.model.cluster.entities.node import is_down, is_tainted
from nomadspec.model.cluster.memo import remember_last
from nomadspec.model.cluster.scheduler.plan_builder import PlanBuilder
from nomadspec.model.cluster.scheduler.snapshot import Snapshot

_ALIVE: Final = frozenset({AllocClient.PENDING, AllocClient.RUNNING})

Tainted = Mapping[str, Node | None]
"""The nodes that something is wrong with; None stands for one that is gone."""


def find_tainted(snapshot: Snapshot, allocs: Iterable[Allocation]) -> Tainted:
    """Find the tainted ones among the nodes of allocations.

    Spec: GENERIC-13, NODE-02.
    """
    there = {alloc.node_id for alloc in allocs}
    tainted = there & _list_tainted(snapshot.other_nodes)
    gone = there - snapshot.state.sort_nodes().ids
    return {node_id: snapshot.find_node(node_id) for node_id in sorted(tainted | gone)}


@remember_last
def _list_tainted(others: tuple[Node, ...]) -> frozenset[str]:
    """List the tainted ones among the nodes that are not ready: no other is."""
    return frozenset(node.id for node in others if is_tainted(node))


def stop_lost(plan: PlanBuilder, allocs: Iterable[Allocation], tainted: Tainted) -> None:
    """Mark as lost what was being stopped on nodes that are gone or down.

    Spec: GENERIC-14, SYSTEM-13.
    """
    for alloc in allocs:
        if alloc.node_id not in tainted:
            continue
        if not is_server_terminal(alloc) or alloc.client_status not in _ALIVE:
            continue
        node = tainted[alloc.node_id]
        if node is None or is_down(node):
            plan.append_stop(alloc, DesiredDescription.LOST, AllocClient.LOST)
