"""Allocations whose client is out of reach: how long they are unknown, and what happens then."""

from typing import Final

from nomadspec.model.cluster.entities.allocation import (
    Allocation,
    AllocState,
    find_last_unknown_ns,
    needs_to_reconnect,
)
from nomadspec.model.cluster.entities.group import (
    find_lost_after_ns,
    find_stop_timeout_ns,
    is_replaced_while_unknown,
)
from nomadspec.model.cluster.entities.scalar import NS_PER_S
from nomadspec.model.cluster.policy.reschedule import find_own_group
from nomadspec.model.lifecycle.allocation import AllocClient

SHORTEST_KILL_NS: Final = 5 * NS_PER_S
"""So long a client is given at least to stop its tasks."""
_CLIENT_STATUS: Final = 0
"""The field whose changes are written down."""
_MAY_RECONNECT: Final = frozenset({AllocClient.UNKNOWN, AllocClient.RUNNING, AllocClient.FAILED})


def is_replaced_on_disconnect(alloc: Allocation) -> bool:
    """True if a replacement is placed while the allocation is unknown.

    Spec: OBJ-071, REC-39.
    """
    group = find_own_group(alloc)
    return group is None or is_replaced_while_unknown(group)


def is_awaiting_reconnect(alloc: Allocation) -> bool:
    """True if an allocation that was unknown may still run: what the reconciler means by it.

    Spec: REC-20, REC-32.
    """
    return alloc.client_status in _MAY_RECONNECT and needs_to_reconnect(alloc)


def compute_disconnect_timeout_ns(alloc: Allocation, now_ns: int) -> int:
    """Compute until when an allocation that is out of reach now may stay unknown.

    Spec: OBJ-247.
    """
    group = find_own_group(alloc)
    return now_ns + find_lost_after_ns(group) if group else now_ns


def has_expired(alloc: Allocation, now_ns: int) -> bool:
    """True if an allocation has been unknown for too long.

    Spec: OBJ-247.
    """
    group, since_ns = find_own_group(alloc), find_last_unknown_ns(alloc)
    if alloc.client_status != AllocClient.UNKNOWN or group is None or since_ns == 0:
        return False
    return since_ns + find_lost_after_ns(group) <= now_ns


def should_client_stop(alloc: Allocation) -> bool:
    """True while a client out of reach stops the allocation by itself; after no time at all means never.

    Spec: OBJ-246, OBJ-113.
    """
    group = find_own_group(alloc)
    return group is not None and bool(find_stop_timeout_ns(group))


def compute_client_stop_ns(alloc: Allocation, now_ns: int) -> int:
    """Compute when a client out of reach has certainly stopped the allocation.

    Spec: OBJ-246, DISC-09.
    """
    lost_ns = next((state.time_ns for state in alloc.alloc_states if _is_lost(state)), now_ns)
    group = find_own_group(alloc)
    if group is None:
        return lost_ns + SHORTEST_KILL_NS
    kill_ns = max((task.kill_timeout_ns for task in group.tasks), default=0)
    return lost_ns + (find_stop_timeout_ns(group) or 0) + max(kill_ns, SHORTEST_KILL_NS)


def _is_lost(state: AllocState) -> bool:
    return state.field == _CLIENT_STATUS and state.value == AllocClient.LOST
