"""What a node has and what a set of allocations takes of it, measured together."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from nomadspec.model.cluster.entities import Allocation, Node
from nomadspec.model.cluster.resources.amounts import Amounts
from nomadspec.model.cluster.resources.capacity import compute_capacity
from nomadspec.model.cluster.resources.load import Load, compute_load
from nomadspec.model.cluster.resources.port_index import BadNodePortsError, PortIndex, add_allocs, index_node
from nomadspec.model.cluster.resources.port_text import PORT_LIMIT
from nomadspec.model.errors import NomadSpecError

INVALID_NODE: Final = "network: invalid node"
PORT_COLLISION: Final = "network: port collision"


class PortBeyondLastError(NomadSpecError):
    """A node keeps the number just above the last port for itself: the scheduler's attempt is aborted."""


class Use(Struct, frozen=True, gc=False):
    """What a node has, and what a set of allocations takes of it."""

    node: Node
    allocs: tuple[Allocation, ...]
    capacity: Amounts
    load: Load
    index: PortIndex
    """The ports in use; whoever offers some marks them in a copy."""
    problem: str = ""
    """Why nothing can be placed there at all, whoever is evicted.

    Spec: NET-04, NET-07, PREEMPT-07.
    """


def has_same(node: Node, other: Node) -> bool:
    """True if two rows of a node have the same resources: a report of its client makes another row."""
    return node.node_resources is other.node_resources and node.reserved_resources is other.reserved_resources


def measure_use(node: Node, allocs: tuple[Allocation, ...], before: Use | None = None) -> Use:
    """Measure what is used of a node; what was known of the node itself is taken over.

    Spec: NET-01, NET-04, NET-07, RANK-24, RANK-26, 06/S-15.
    """
    problem = ""
    if before is not None and has_same(before.node, node):
        capacity, index = before.capacity, PortIndex(before.index.kept)
        problem = INVALID_NODE if before.problem == INVALID_NODE else ""
    else:
        capacity = compute_capacity(node)
        try:
            index = index_node(node)
        except BadNodePortsError:
            index, problem = PortIndex({}), INVALID_NODE
        if any(PORT_LIMIT in ports for ports in index.kept.values()):
            raise PortBeyondLastError(f"Node {node.id} keeps port {PORT_LIMIT}, which is none: keep another.")
    if not problem and allocs and add_allocs(index, allocs):
        problem = PORT_COLLISION
    return Use(node, allocs, capacity, compute_load(allocs), index, problem)
