"""Sorts allocations by what their statuses, their node and their own policy say of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple

from nomadspec.model.cluster.entities import (
    Allocation,
    AllocClient,
    AllocDesired,
    DesiredTransition,
    NodeStatus,
)
from nomadspec.model.cluster.entities.allocation import (
    is_canary,
    is_client_terminal,
    is_server_terminal,
    should_migrate,
    should_migrate_without_replacement,
)
from nomadspec.model.cluster.entities.group import find_lost_after_ns
from nomadspec.model.cluster.policy.disconnect import (
    has_expired,
    is_awaiting_reconnect,
    is_replaced_on_disconnect,
)
from nomadspec.model.cluster.policy.reschedule import find_own_group
from nomadspec.model.cluster.scheduler.reconcile.inputs import AllocSet, ReconcileInput
from nomadspec.model.cluster.scheduler.tainted import Tainted
from nomadspec.model.specification.profiles import Profile
from nomadspec.model.specification.quirks import HASTY_RETURN


class Bucket(StrEnum):
    """What an allocation is to the reconciler.

    Spec: REC-19.
    """

    UNTAINTED = "untainted"
    MIGRATE = "migrate"
    LOST = "lost"
    DISCONNECTING = "disconnecting"
    RECONNECTING = "reconnecting"
    IGNORE = "ignore"
    EXPIRING = "expiring"


class NodeState(StrEnum):
    """What is wrong with the node of an allocation, as far as it matters here.

    Spec: GENERIC-13.
    """

    FINE = "fine"
    """Nothing, or it drains while it is ready."""
    GONE = "gone"
    DOWN = "down"
    DISCONNECTED = "disconnected"
    OTHER = "other"


_STATES: Final[Mapping[str, NodeState]] = {
    NodeStatus.READY: NodeState.FINE,
    NodeStatus.DOWN: NodeState.DOWN,
    NodeStatus.DISCONNECTED: NodeState.DISCONNECTED,
}


@dataclass(frozen=True, slots=True)
class Case:
    """An allocation, and all that its bucket depends on."""

    alloc: Allocation
    node: NodeState
    now_ns: int
    is_awaiting: bool
    """Whether it was unknown the last time and may still run."""
    profile: Profile

    def is_settled(self) -> bool:
        """True if the servers or its client have done with it, and nobody waits for its client."""
        return not self.is_awaiting and (is_server_terminal(self.alloc) or is_client_terminal(self.alloc))

    def is_client(self, status: AllocClient) -> bool:
        """True if its client status is this one."""
        return self.alloc.client_status == status

    def is_back(self) -> bool:
        """True while its client is back, as far as its node shows.

        Spec: REC-32, 04/S-22.
        """
        has_reported = not self.is_client(AllocClient.UNKNOWN) or self.profile.has(HASTY_RETURN)
        return self.node is NodeState.FINE and self.is_awaiting and has_reported

    def is_cut_off(self) -> bool:
        """True while its node is out of reach."""
        return self.node is NodeState.DISCONNECTED

    def has_grace(self) -> bool:
        """True if its group lets it be unknown for a while."""
        group = find_own_group(self.alloc)
        return group is not None and find_lost_after_ns(group) != 0

    def is_waited_for(self) -> bool:
        """True while its node is down, and its group wants no replacement meanwhile."""
        return self.node is NodeState.DOWN and not is_replaced_on_disconnect(self.alloc)


class Row(NamedTuple):
    """One row of the table: which rule it is, when it applies, where it leads, and why."""

    rule: str
    applies: Callable[[Case], bool]
    bucket: Bucket
    why: str
    """What it asks for, in words."""


TABLE: Final = (
    Row(
        "REC-20",
        lambda case: (
            case.is_awaiting
            and case.alloc.desired_status == AllocDesired.RUN
            and case.is_client(AllocClient.FAILED)
        ),
        Bucket.RECONNECTING,
        "it was unknown, and comes back failed",
    ),
    Row(
        "REC-21",
        lambda case: (
            case.is_settled()
            and is_server_terminal(case.alloc)
            and should_migrate_without_replacement(case.alloc)
        ),
        Bucket.UNTAINTED,
        "the servers stopped it, and it keeps its place",
    ),
    Row(
        "REC-22",
        lambda case: case.is_settled() and is_server_terminal(case.alloc),
        Bucket.IGNORE,
        "the servers stopped it",
    ),
    Row(
        "REC-23",
        lambda case: case.is_settled() and is_canary(case.alloc) and should_migrate(case.alloc),
        Bucket.MIGRATE,
        "a canary that has ended and was asked to move",
    ),
    Row("REC-24", lambda case: case.is_settled(), Bucket.UNTAINTED, "it has ended"),
    Row(
        "REC-25",
        lambda case: has_expired(case.alloc, case.now_ns),
        Bucket.EXPIRING,
        "it has been unknown for too long",
    ),
    Row(
        "REC-26",
        lambda case: (
            case.is_awaiting
            and case.is_client(AllocClient.FAILED)
            and case.alloc.desired_status == AllocDesired.STOP
        ),
        Bucket.IGNORE,
        "it was unknown, comes back failed, and is not wanted any more",
    ),
    Row(
        "REC-27",
        lambda case: case.is_cut_off() and case.is_client(AllocClient.UNKNOWN),
        Bucket.UNTAINTED,
        "its node is out of reach, and it is known to be unknown",
    ),
    Row(
        "REC-28",
        lambda case: case.is_cut_off() and case.is_client(AllocClient.PENDING),
        Bucket.LOST,
        "its node is out of reach, and it had not begun",
    ),
    Row(
        "REC-29",
        lambda case: case.is_cut_off() and not case.has_grace(),
        Bucket.LOST,
        "its node is out of reach, and its group gives no time to come back",
    ),
    Row("REC-30", lambda case: case.is_cut_off(), Bucket.DISCONNECTING, "its node is out of reach"),
    Row("REC-31", lambda case: should_migrate(case.alloc), Bucket.MIGRATE, "it was asked to move"),
    Row("REC-32", lambda case: case.is_back(), Bucket.RECONNECTING, "it was unknown, and its node is back"),
    Row(
        "REC-33", lambda case: case.node is NodeState.FINE, Bucket.UNTAINTED, "nothing is wrong with its node"
    ),
    Row("REC-34", lambda case: case.node is NodeState.GONE, Bucket.LOST, "its node is gone"),
    Row(
        "REC-35",
        lambda case: case.is_waited_for() and case.is_client(AllocClient.UNKNOWN),
        Bucket.UNTAINTED,
        "its node is down, it is unknown, and its group waits for it",
    ),
    Row(
        "REC-36",
        lambda case: case.is_waited_for() and case.is_client(AllocClient.RUNNING),
        Bucket.DISCONNECTING,
        "its node is down, it ran, and its group waits for it",
    ),
    Row("REC-37", lambda case: case.node is NodeState.DOWN, Bucket.LOST, "its node is down"),
    Row("REC-38", lambda _: True, Bucket.UNTAINTED, "its node drains and is not ready yet"),
)
"""Which bucket an allocation falls into: that of the first row that applies.

Spec: REC-19.
"""

_UNDISTURBED: Final = next(row for row in TABLE if row.rule == "REC-33")
_RUN: Final = str(AllocDesired.RUN)
_ALIVE: Final = frozenset({str(AllocClient.PENDING), str(AllocClient.RUNNING)})
_NOTHING_ASKED: Final = DesiredTransition()


def is_undisturbed(alloc: Allocation) -> bool:
    """True while an allocation lives as it should, and nothing was asked of it or noted about its client.

    Most are, and all that is asked of them afterwards has one answer: tests compare it with the long way.
    """
    return (
        alloc.desired_status == _RUN
        and alloc.client_status in _ALIVE
        and not alloc.alloc_states
        and alloc.desired_transition == _NOTHING_ASKED
    )


def classify(alloc: Allocation, tainted: Tainted, now_ns: int, *, profile: Profile) -> Row:
    """Find the row of the table for an allocation, at once if it lives undisturbed on a fine node.

    Spec: REC-19, REC-33, DISC-03, BATCH-07, DISC-14.
    """
    if alloc.node_id not in tainted and is_undisturbed(alloc):
        return _UNDISTURBED
    return find_row(alloc, tainted, now_ns, profile=profile)


def find_row(alloc: Allocation, tainted: Tainted, now_ns: int, *, profile: Profile) -> Row:
    """Find the row of the table for an allocation.

    Spec: REC-19, REC-20, REC-21, REC-22, REC-23, REC-24, REC-25, REC-26, REC-27, REC-28, REC-29, REC-30,
    REC-31, REC-32, REC-33, REC-34, REC-35, REC-36, REC-37, REC-38.
    """
    case = Case(alloc, _find_node_state(alloc, tainted), now_ns, is_awaiting_reconnect(alloc), profile)
    return next(row for row in TABLE if row.applies(case))


def _find_node_state(alloc: Allocation, tainted: Tainted) -> NodeState:
    if alloc.node_id not in tainted:
        return NodeState.FINE
    node = tainted[alloc.node_id]
    return NodeState.GONE if node is None else _STATES.get(node.status, NodeState.OTHER)


def sort_into_buckets(
    call: ReconcileInput, allocs: AllocSet, *, is_noted: bool = True
) -> dict[Bucket, dict[str, Allocation]]:
    """Put each allocation of a set into its bucket.

    Spec: REC-19.
    """
    buckets: dict[Bucket, dict[str, Allocation]] = {bucket: {} for bucket in Bucket}
    tainted, is_noted = call.tainted, is_noted and call.reasons.is_on
    for alloc_id, alloc in allocs.items():
        row = classify(alloc, tainted, call.now_ns, profile=call.profile)
        buckets[row.bucket][alloc_id] = alloc
        if is_noted:
            node = _find_node_state(alloc, call.tainted)
            call.note((alloc,), row.bucket, row.rule, row.why, node=node)
    return buckets
