"""What must be true, at rest, of nodes that were drained or made ineligible."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from nomadspec.invariants.cluster.world.registry import Step, at_rest
from nomadspec.model.cluster.acts.node_requests import DRAIN_SET, MARKED_INELIGIBLE
from nomadspec.model.cluster.components.drain_look import is_drained, is_held_back, look_at_job
from nomadspec.model.cluster.entities import Allocation, Node
from nomadspec.model.cluster.entities.allocation import is_server_terminal, is_terminal
from nomadspec.model.cluster.entities.job import GENERIC_TYPES
from nomadspec.model.cluster.entities.node import DrainStatus, Eligibility, is_draining
from nomadspec.model.cluster.store.state import State
from nomadspec.model.cluster.store.tables import ALLOCS


@at_rest(
    "DRAIN-06", "DRAIN-12", "DRAIN-13", "PLAN-51", because="A node could never be taken away for repair."
)
def drained_node_is_empty(step: Step) -> Iterator[str]:
    """After a drain, nothing that it was to move is left on its node, and nothing was placed there since."""
    state = step.after.state
    for node in _list_ineligible(state):
        if not _is_drained(node):
            continue
        late = frozenset(alloc.id for alloc in _list_late(state, node))
        for alloc in _list_live(state, node):
            if alloc.id in late or _was_left(node, alloc):
                yield f"alloc {alloc.id} is {alloc.client_status} on {node.id}, which was drained"


@at_rest("NODEST-16", "PLAN-51", because="A node that is to be repaired would be filled again.")
def ineligible_node_gets_no_alloc(step: Step) -> Iterator[str]:
    """No running allocation was placed on its node after the node became ineligible."""
    state = step.after.state
    for node in _list_ineligible(state):
        for alloc in () if _is_drained(node) else _list_late(state, node):
            yield f"alloc {alloc.id} was placed on {node.id}, which was ineligible"


@at_rest("DRAIN-04", "DRAIN-12", because="An operator would wait for a drain that has nothing left to do.")
def drain_of_empty_node_ends(step: Step) -> Iterator[str]:
    """A node drains only as long as something runs there that has to leave."""
    state = step.after.state
    for node in state.nodes.values():
        if is_draining(node) and is_drained(state, node):
            yield f"node {node.id} drains, and nothing is left to wait for"


@at_rest("DRAIN-06", "DRAIN-09", "DRAIN-10", because="An operator would wait for a drain that stands still.")
def drain_tells_allocs_to_leave(step: Step) -> Iterator[str]:
    """An allocation that may leave a draining node now was told to; one that is to stop needs not be."""
    state = step.after.state
    for job in state.jobs.values():
        if is_held_back(job):
            continue
        for alloc_id in look_at_job(state, job, state.index_of(ALLOCS)).chosen:
            alloc = state.allocs[alloc_id]
            if not is_server_terminal(alloc):
                yield f"alloc {alloc_id} may leave {alloc.node_id}, and nothing tells it to"


def _list_ineligible(state: State) -> Iterator[Node]:
    return (node for node in state.nodes.values() if node.scheduling_eligibility == Eligibility.INELIGIBLE)


def _is_drained(node: Node) -> bool:
    return node.last_drain is not None and node.last_drain.status == DrainStatus.COMPLETE


def _list_live(state: State, node: Node) -> Iterator[Allocation]:
    return (alloc for alloc in state.list_allocs_of_node(node.id) if not is_terminal(alloc))


def _list_late(state: State, node: Node) -> Iterator[Allocation]:
    """List what was placed after a node became ineligible, if its events still say when that was."""
    indexes = [
        event.create_index
        for event in node.events
        if event.message == DRAIN_SET or event.message.startswith(MARKED_INELIGIBLE)
    ]
    if indexes:
        yield from (alloc for alloc in _list_live(state, node) if alloc.create_index > indexes[-1])


def _was_left(node: Node, alloc: Allocation) -> bool:
    """True if an allocation was there before a drain ended that was to move it."""
    last = node.last_drain
    is_moved = alloc.job is not None and alloc.job.type in GENERIC_TYPES
    return last is not None and is_moved and alloc.create_time_ns < last.updated_at_ns


DRAIN_PROPERTIES: Final = (
    drained_node_is_empty,
    ineligible_node_gets_no_alloc,
    drain_of_empty_node_ends,
    drain_tells_allocs_to_leave,
)
