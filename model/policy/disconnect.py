"""Allocations whose client is out of reach: how long they are unknown, and what happens then."""

from itertools import dropwhile, takewhile
from typing import Final

from nomadspec.model.entities.allocation import Allocation, AllocClient, AllocState
from nomadspec.model.entities.group import TaskGroup
from nomadspec.model.entities.policy import Reconcile
from nomadspec.model.entities.scalar import NS_PER_S
from nomadspec.model.policy.reschedule import find_own_group

SHORTEST_KILL_NS: Final = 5 * NS_PER_S
"""So long a client is given at least to stop its tasks."""
_CLIENT_STATUS: Final = 0
"""The field whose changes are written down."""
_MAY_RECONNECT: Final = frozenset({AllocClient.UNKNOWN, AllocClient.RUNNING, AllocClient.FAILED})


def find_lost_after_ns(group: TaskGroup | None) -> int:
    """Find how long an allocation of the group may be unknown.

    Spec: OBJ-071.
    """
    return group.disconnect.lost_after_ns if group and group.disconnect else 0


def find_stop_after_ns(group: TaskGroup | None) -> int | None:
    """Find after which time a client that is out of reach stops the group by itself; None is never.

    Spec: OBJ-071.
    """
    return group.disconnect.stop_on_client_after_ns if group and group.disconnect else None


def find_reconcile(group: TaskGroup | None) -> str:
    """Find which allocation stays when a client comes back.

    Spec: OBJ-071.
    """
    chosen = group.disconnect.reconcile if group and group.disconnect else ""
    return chosen or Reconcile.BEST_SCORE


def is_replaced_on_disconnect(alloc: Allocation) -> bool:
    """Whether a replacement is placed while the allocation is unknown.

    Spec: OBJ-071, REC-39.
    """
    group = find_own_group(alloc)
    return group is None or group.disconnect is None or group.disconnect.replace is not False


def _list_newest_first(alloc: Allocation) -> list[AllocState]:
    return [state for state in reversed(alloc.alloc_states) if state.field == _CLIENT_STATUS]


def find_last_unknown_ns(alloc: Allocation) -> int:
    """Find when the allocation last became unknown: the first entry of its newest run of that status.

    Spec: OBJ-222.
    """
    states = _list_newest_first(alloc)
    since = dropwhile(lambda state: state.value != AllocClient.UNKNOWN, states)
    run = list(takewhile(lambda state: state.value == AllocClient.UNKNOWN, since))
    return run[-1].time_ns if run else 0


def has_to_reconnect(alloc: Allocation) -> bool:
    """Whether the newest status that was written down is that the allocation is unknown.

    Spec: OBJ-222.
    """
    newest = next((state.value for state in _list_newest_first(alloc) if state.value), "")
    return newest == AllocClient.UNKNOWN


def is_awaiting_reconnect(alloc: Allocation) -> bool:
    """Whether an allocation that was unknown may still run: what the reconciler means by it.

    Spec: REC-20, REC-32.
    """
    return alloc.client_status in _MAY_RECONNECT and has_to_reconnect(alloc)


def compute_disconnect_timeout_ns(alloc: Allocation, now_ns: int) -> int:
    """Compute until when an allocation that is out of reach now may stay unknown.

    Spec: OBJ-247.
    """
    return now_ns + find_lost_after_ns(find_own_group(alloc))


def has_expired(alloc: Allocation, now_ns: int) -> bool:
    """Whether an allocation has been unknown for too long.

    Spec: OBJ-247.
    """
    group, since_ns = find_own_group(alloc), find_last_unknown_ns(alloc)
    if alloc.client_status != AllocClient.UNKNOWN or group is None or since_ns == 0:
        return False
    return since_ns + find_lost_after_ns(group) <= now_ns


def should_client_stop(alloc: Allocation) -> bool:
    """Whether a client out of reach stops the allocation by itself; after no time at all means never.

    Spec: OBJ-246.
    """
    return bool(find_stop_after_ns(find_own_group(alloc)))


def compute_client_stop_ns(alloc: Allocation, now_ns: int) -> int:
    """Compute when a client out of reach has certainly stopped the allocation.

    Spec: OBJ-246, DISC-09.
    """
    group = find_own_group(alloc)
    lost_ns = next((state.time_ns for state in alloc.alloc_states if _is_lost(state)), now_ns)
    kill_ns = max((task.kill_timeout_ns for task in group.tasks), default=0) if group else 0
    return lost_ns + (find_stop_after_ns(group) or 0) + max(kill_ns, SHORTEST_KILL_NS)


def _is_lost(state: AllocState) -> bool:
    return state.field == _CLIENT_STATUS and state.value == AllocClient.LOST
