"""Nodes: the entries that register, drain, open, close and remove them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from msgspec.structs import replace

from nomadspec.model.cluster.entities import (
    DrainMetadata,
    DrainStatus,
    DrainStrategy,
    Eligibility,
    Node,
    NodeEvent,
    NodePool,
    NodeStatus,
)
from nomadspec.model.cluster.entities.node import RESPONSIVE
from nomadspec.model.cluster.entities.scalar import NS_PER_S
from nomadspec.model.cluster.store.canonical import canonicalize_node, canonicalize_node_pool
from nomadspec.model.cluster.store.draft import Draft
from nomadspec.model.cluster.store.handed_to_leader import Unblock, UnblockNode
from nomadspec.model.cluster.store.node_events import add_node_event
from nomadspec.model.cluster.store.requests import (
    BatchNodeUpdateDrain,
    NodeBatchDeregister,
    NodeDeregister,
    NodeRegister,
    NodeUpdateDrain,
    NodeUpdateEligibility,
    NodeUpdateStatus,
    UpsertNodeEvents,
)
from nomadspec.model.cluster.store.run import RefusedError, Run
from nomadspec.model.cluster.store.tables import CSI_PLUGINS, NODES
from nomadspec.model.specification.quirks import STALE_REGISTRATION

STILL_DRAINS: Final = "can not set node's scheduling eligibility to eligible while it is draining"
REGISTERED: Final = "Node registered"
REGISTERED_AGAIN: Final = "Node re-registered"


def register_node(run: Run, request: NodeRegister) -> None:
    """Write a node as its client describes it; what servers decided about it stays.

    Spec: OBJ-026a, OBJ-159, OBJ-163, NODEST-02, NODEST-03, FSM-03.
    """
    draft = run.begin()
    node = canonicalize_node(request.node)
    if request.create_node_pool and node.node_pool not in draft.node_pools:
        pool = NodePool(name=node.node_pool, create_index=draft.index, modify_index=draft.index)
        draft.put(canonicalize_node_pool(pool))
    before = draft.nodes.get(node.id)
    written = _make_new(draft, node) if before is None else _renew(draft, node, before)
    draft.put(add_node_event(written, request.node_event, draft.index))
    draft.touch(NODES, CSI_PLUGINS)
    run.commit(draft)
    if request.node.status == NodeStatus.READY:
        run.hand(Unblock(node.computed_class, run.index))


def deregister_node(run: Run, request: NodeDeregister) -> None:
    """Delete one node.

    Spec: NODEST-15, GC-64.
    """
    _delete_nodes(run, (request.node_id,))


def deregister_nodes(run: Run, request: NodeBatchDeregister) -> None:
    """Delete nodes, all or none of them; that one is missing is not told.

    Spec: NODEST-15, GC-64, 09/S7, 10/S2.
    """
    _delete_nodes(run, request.node_ids)


def update_node_status(run: Run, request: NodeUpdateStatus) -> None:
    """Give a node the status that is asked for, whatever it was.

    Spec: OBJ-159, OBJ-161, NODEST-11, NODEST-14, FSM-03.
    """
    draft = run.begin()
    before = _find_node(draft, request.node_id)
    node = add_node_event(before, request.node_event, draft.index)
    written = replace(
        node,
        status=request.status,
        status_updated_at_s=request.updated_at_s,
        identity_signing_key_id=request.identity_signing_key_id or node.identity_signing_key_id,
        last_missed_heartbeat_index=_compute_missed(before, request.status, draft.index),
        modify_index=draft.index,
    )
    draft.put(written)
    draft.touch(NODES)
    run.commit(draft)
    if request.status == NodeStatus.READY:
        run.hand(Unblock(written.computed_class, run.index), UnblockNode(written.id, run.index))


def update_node_drain(run: Run, request: NodeUpdateDrain) -> None:
    """Set, change or remove the drain of a node.

    Spec: OBJ-157, OBJ-158, OBJ-164, NODEST-16, FSM-03, FSM-10.
    """
    draft = run.begin()
    before = _find_node(draft, request.node_id)
    asked = _DrainRequest(
        strategy=request.drain_strategy,
        updated_at_s=request.updated_at_s,
        mark_eligible=request.mark_eligible,
        meta=request.meta,
        accessor_id=request.updated_by,
    )
    _drain(draft, before, asked, request.node_event)
    run.commit(draft)
    if before.scheduling_eligibility == Eligibility.INELIGIBLE and request.mark_eligible:
        run.hand(Unblock(before.computed_class, run.index), UnblockNode(before.id, run.index))


def update_node_drains(run: Run, request: BatchNodeUpdateDrain) -> None:
    """Set, change or remove the drains of nodes, all or none.

    Spec: OBJ-158, OBJ-164, NODEST-16, DRAIN-12, FSM-03.
    """
    draft = run.begin()
    made_eligible: list[Node] = []
    for node_id, update in request.updates.items():
        if update is None:
            continue
        before = _find_node(draft, node_id)
        asked = _DrainRequest(
            strategy=update.drain_strategy,
            updated_at_s=request.updated_at_s,
            mark_eligible=update.mark_eligible,
            completes=True,
        )
        _drain(draft, before, asked, request.node_events.get(node_id))
        if before.scheduling_eligibility == Eligibility.INELIGIBLE and update.mark_eligible:
            made_eligible.append(before)
    run.commit(draft)
    for computed_class in dict.fromkeys(node.computed_class for node in made_eligible):
        run.hand(Unblock(computed_class, run.index))
    for node in made_eligible:
        run.hand(UnblockNode(node.id, run.index))


def update_node_eligibility(run: Run, request: NodeUpdateEligibility) -> None:
    """Make a node eligible or ineligible; a draining node stays ineligible.

    Spec: OBJ-164, NODEST-18, FSM-03, FSM-10.
    """
    draft = run.begin()
    before = _find_node(draft, request.node_id)
    if before.drain_strategy is not None and request.eligibility == Eligibility.ELIGIBLE:
        raise RefusedError(STILL_DRAINS)
    written = replace(
        add_node_event(before, request.node_event, draft.index),
        scheduling_eligibility=request.eligibility,
        status_updated_at_s=request.updated_at_s,
        modify_index=draft.index,
    )
    draft.put(written)
    draft.touch(NODES)
    run.commit(draft)
    was_ineligible = before.scheduling_eligibility == Eligibility.INELIGIBLE
    if was_ineligible and request.eligibility == Eligibility.ELIGIBLE:
        run.hand(Unblock(before.computed_class, run.index), UnblockNode(before.id, run.index))


def add_node_events(run: Run, request: UpsertNodeEvents) -> None:
    """Append what clients tell to the events of their nodes.

    Spec: OBJ-165, OBJ-418.
    """
    draft = run.begin()
    for node_id, events in request.node_events.items():
        node = _find_node(draft, node_id)
        for event in events:
            node = add_node_event(node, event, draft.index)
        draft.put(node)
    if request.node_events:
        draft.touch(NODES)
    run.commit(draft)


def _find_node(draft: Draft, node_id: str) -> Node:
    node = draft.nodes.get(node_id)
    if node is None:
        raise RefusedError("node not found")
    return node


def _make_new(draft: Draft, node: Node) -> Node:
    events = (*node.events, _make_event(node, REGISTERED))
    return replace(node, events=events, create_index=draft.index, modify_index=draft.index)


def _renew(draft: Draft, node: Node, before: Node) -> Node:
    if not draft.profile.has(STALE_REGISTRATION):
        node = replace(node, status=before.status)
    missed = max(node.last_missed_heartbeat_index, before.last_missed_heartbeat_index)
    if before.status in RESPONSIVE and node.status not in RESPONSIVE:
        missed = draft.index
    came_back = before.status == NodeStatus.DOWN and node.status != NodeStatus.DOWN
    event = _make_event(node, REGISTERED_AGAIN) if came_back else None
    renewed = replace(
        node,
        create_index=before.create_index,
        modify_index=draft.index,
        events=before.events,
        scheduling_eligibility=before.scheduling_eligibility,
        drain_strategy=before.drain_strategy,
        last_drain=before.last_drain,
        last_missed_heartbeat_index=missed,
        last_alloc_update_index=max(node.last_alloc_update_index, before.last_alloc_update_index),
    )
    return add_node_event(renewed, event, draft.index)


def _make_event(node: Node, message: str) -> NodeEvent:
    moment_ns = node.status_updated_at_s * NS_PER_S
    return NodeEvent(message=message, subsystem="Cluster", timestamp_ns=moment_ns)


def _compute_missed(before: Node, status: str, index: int) -> int:
    if before.status in RESPONSIVE and status not in RESPONSIVE:
        return index
    if status == NodeStatus.READY and before.status != NodeStatus.READY:
        return 0
    return before.last_missed_heartbeat_index


def _delete_nodes(run: Run, node_ids: Iterable[str]) -> None:
    draft = run.begin()
    names = tuple(dict.fromkeys(node_ids))
    if any(name not in draft.nodes for name in names):
        return  # the error stays in the store (09/S7, 10/S2)
    for name in names:
        draft.delete(NODES, name)
    if names:
        draft.touch(NODES)
    run.commit(draft)


@dataclass(frozen=True, slots=True, kw_only=True)
class _DrainRequest:
    strategy: DrainStrategy | None
    updated_at_s: int
    mark_eligible: bool
    meta: Mapping[str, str] = field(default_factory=dict)
    accessor_id: str = ""
    completes: bool = False
    """Whether it is the drainer that asks, which only removes drains that are done."""


def _drain(draft: Draft, before: Node, asked: _DrainRequest, event: NodeEvent | None) -> None:
    eligibility = before.scheduling_eligibility
    if asked.strategy is not None:
        eligibility = Eligibility.INELIGIBLE.value
    elif asked.mark_eligible:
        eligibility = Eligibility.ELIGIBLE.value
    drained = replace(
        add_node_event(before, event, draft.index),
        drain_strategy=asked.strategy,
        last_drain=_compute_last_drain(before, asked),
        scheduling_eligibility=eligibility,
        status_updated_at_s=asked.updated_at_s,
        modify_index=draft.index,
    )
    draft.put(drained)
    draft.touch(NODES)


def _compute_last_drain(before: Node, asked: _DrainRequest) -> DrainMetadata | None:
    was_draining = before.drain_strategy is not None
    if asked.strategy is None and not was_draining:
        return before.last_drain
    now_ns = asked.updated_at_s * NS_PER_S
    known = before.last_drain if was_draining else None
    last = known or DrainMetadata(started_at_ns=now_ns)
    return replace(
        last,
        updated_at_ns=now_ns,
        status=_compute_drain_status(asked).value,
        meta=asked.meta or last.meta,
        accessor_id=asked.accessor_id or last.accessor_id,
    )


def _compute_drain_status(asked: _DrainRequest) -> DrainStatus:
    if asked.strategy is not None:
        return DrainStatus.DRAINING
    return DrainStatus.COMPLETE if asked.completes else DrainStatus.CANCELED
