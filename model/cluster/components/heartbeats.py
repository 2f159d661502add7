"""What the leader makes of heartbeats that come and of those that do not: the status that a node gets."""

from collections.abc import Iterable
from typing import Final

from nomadspec.model.cluster.entities import Allocation, AllocClient, Node, NodeStatus
from nomadspec.model.cluster.entities.allocation import is_terminal
from nomadspec.model.cluster.entities.group import find_lost_after_ns
from nomadspec.model.cluster.entities.pool import POOL_DEFAULT
from nomadspec.model.cluster.entities.scalar import NS_PER_S
from nomadspec.model.cluster.policy.disconnect import has_expired
from nomadspec.model.cluster.policy.reschedule import find_own_group
from nomadspec.model.cluster.store.state import State
from nomadspec.model.lifecycle.allocation import AllocDesired
from nomadspec.model.specification.profiles import Profile
from nomadspec.model.specification.quirks import AWAITED_REPORT

SHORTEST_TTL_NS: Final = 10 * NS_PER_S
MOST_HEARTBEATS_PER_S: Final = 50
GRACE_NS: Final = 10 * NS_PER_S
"""So much later than promised a heartbeat may come."""
NEW_LEADER_TTL_NS: Final = 300 * NS_PER_S
"""So long a new leader waits for the first heartbeat of every node."""

MISSED: Final = "Node heartbeat missed"


def compute_shortest_ttl_ns(timers: int) -> int:
    """Compute within which time a node is asked to come again; it is told that or less than twice as long.

    Spec: NODEST-07.
    """
    return max(SHORTEST_TTL_NS, timers * NS_PER_S // MOST_HEARTBEATS_PER_S)


def compute_expiry_ns(asked_at_ns: int, ttl_ns: int) -> int:
    """Compute when a node is missed that was asked to come again within some time.

    Spec: NODEST-07.
    """
    return asked_at_ns + ttl_ns + GRACE_NS


def compute_first_expiries_ns(nodes: Iterable[Node], elected_at_ns: int) -> dict[str, int]:
    """Compute when a new leader misses each of the nodes that are not down.

    Spec: NODEST-07.
    """
    return {node.id: elected_at_ns + NEW_LEADER_TTL_NS for node in nodes if is_asked_again(node.status)}


def is_asked_again(status: str) -> bool:
    """True if a node of a status has a timer: all do but those that are down.

    Spec: NODEST-07.
    """
    return status != NodeStatus.DOWN


def compute_missed_status(state: State, node: Node, now_ns: int) -> NodeStatus:
    """Compute the status of a node that missed its heartbeat: out of reach if something may wait for it.

    Spec: NODEST-08, CLIENT-10.
    """
    may_wait = node.status in {NodeStatus.READY, NodeStatus.DISCONNECTED} and any(
        _waits(alloc, now_ns) for alloc in state.list_allocs_of_node(node.id)
    )
    return NodeStatus.DISCONNECTED if may_wait else NodeStatus.DOWN


def _waits(alloc: Allocation, now_ns: int) -> bool:
    """True while an allocation is to stay although its client is out of reach, whatever that said of it."""
    group = find_own_group(alloc)
    if group is None or find_lost_after_ns(group) <= 0:
        return False
    return alloc.desired_status == AllocDesired.RUN and not has_expired(alloc, now_ns)


def compute_heartbeat_status(state: State, node: Node, *, profile: Profile) -> NodeStatus:
    """Compute the status of a node whose heartbeat asks that it be ready.

    It waits for a report, and its client reports again only on allocations that are unknown (CLIENT-04).

    Spec: NODEST-09, NODEST-20, X-63.
    """
    if node.status == NodeStatus.DISCONNECTED:
        return NodeStatus.INITIALIZING
    if node.status != NodeStatus.INITIALIZING:
        return NodeStatus.READY
    is_stale = node.last_alloc_update_index <= node.last_missed_heartbeat_index
    living = [alloc for alloc in state.list_allocs_of_node(node.id) if not is_terminal(alloc)]
    awaited = any(alloc.client_status == AllocClient.UNKNOWN for alloc in living)
    has_live = bool(living) if profile.has(AWAITED_REPORT) else awaited
    has_pool = node.node_pool == POOL_DEFAULT or state.find_node_pool(node.node_pool) is not None
    return NodeStatus.INITIALIZING if (has_live and is_stale) or not has_pool else NodeStatus.READY


def is_worth_an_entry(node: Node, status: str, *, has_event: bool, key_id: str = "") -> bool:
    """True if a status update is written; a steady heartbeat is not.

    Spec: NODEST-10.
    """
    has_new_key = bool(key_id) and key_id != node.identity_signing_key_id
    return has_event or status != node.status or has_new_key
