"""What becomes of one allocation of a job that runs on every node: the first row that applies says it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple

from nomadspec.model.cluster.entities import Allocation, AllocClient, AllocDesired, JobType, Node, NodeStatus
from nomadspec.model.cluster.entities.allocation import (
    has_run_successfully,
    needs_to_reconnect,
    should_migrate,
)
from nomadspec.model.cluster.entities.group import find_lost_after_ns
from nomadspec.model.cluster.entities.node import is_down
from nomadspec.model.cluster.policy.disconnect import has_expired
from nomadspec.model.cluster.policy.reschedule import find_own_group
from nomadspec.model.specification.profiles import Profile
from nomadspec.model.specification.quirks import LINGERING_UNKNOWN, UNASKED_GRACE

_MAY_RECONNECT: Final = frozenset({AllocClient.UNKNOWN, AllocClient.RUNNING})


class NodeBucket(StrEnum):
    """What has to be done for an allocation, or for a name that has none.

    Spec: NODE-01.
    """

    PLACE = "place"
    UPDATE = "update"
    MIGRATE = "migrate"
    STOP = "stop"
    IGNORE = "ignore"
    LOST = "lost"
    DISCONNECTING = "disconnecting"
    RECONNECTING = "reconnecting"


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveCase:
    """A live allocation, and all that its bucket depends on."""

    alloc: Allocation
    now_ns: int
    is_required: bool
    """Whether the job wants an allocation of this name on every node."""
    is_tainted: bool
    node: Node | None
    """Its node if that is tainted; none if it is gone."""
    is_not_ready: bool
    """Whether its node is in the pool of the job and not ready."""
    is_eligible: bool
    is_outdated: bool
    """Whether it runs another specification than that of the job now."""
    profile: Profile

    def is_reconnect_pending(self) -> bool:
        """True if it was unknown the last time, and its client may come back."""
        return self.alloc.client_status in _MAY_RECONNECT and needs_to_reconnect(self.alloc)

    def has_expired(self) -> bool:
        """True if it has been unknown for too long."""
        return self.is_reconnect_pending() and has_expired(self.alloc, self.now_ns)

    def is_client(self, status: AllocClient) -> bool:
        """True if its client status is this one."""
        return self.alloc.client_status == status

    def is_waiting(self) -> bool:
        """True while it is unknown and may come back; the release waits even where its node is gone or down.

        Spec: NODE-08, X-43.
        """
        is_unknown = self.is_client(AllocClient.UNKNOWN) and self.alloc.desired_status == AllocDesired.RUN
        return is_unknown and (not self.is_node_lost() or self.profile.has(LINGERING_UNKNOWN))

    def has_finished(self) -> bool:
        """True while it is one that runs once, and has done so."""
        is_run_once = self.alloc.job is not None and self.alloc.job.type == JobType.SYSBATCH
        return is_run_once and has_run_successfully(self.alloc)

    def is_cut_off(self) -> bool:
        """True while it runs on a node that is out of reach."""
        is_node_cut_off = self.node is not None and self.node.status == NodeStatus.DISCONNECTED
        return self.is_tainted and is_node_cut_off and self.is_client(AllocClient.RUNNING)

    def has_grace(self) -> bool:
        """True if it may become unknown instead of lost.

        Spec: NODE-11, 05/S13.
        """
        group = find_own_group(self.alloc)
        return self.profile.has(UNASKED_GRACE) or (group is not None and find_lost_after_ns(group) > 0)

    def is_node_lost(self) -> bool:
        """True while its node is gone or down."""
        return self.is_tainted and (self.node is None or is_down(self.node))


class LiveRow(NamedTuple):
    """One row of the table: which rule it is, when it applies, where it leads, and why."""

    rule: str
    applies: Callable[[LiveCase], bool]
    bucket: NodeBucket
    why: str
    """What it asks for, in words."""


TABLE: Final = (
    LiveRow(
        "NODE-05", lambda case: not case.is_required, NodeBucket.STOP, "the job wants nothing of this name"
    ),
    LiveRow("NODE-06", lambda case: should_migrate(case.alloc), NodeBucket.MIGRATE, "it was asked to move"),
    LiveRow("NODE-07", lambda case: case.has_expired(), NodeBucket.LOST, "it has been unknown for too long"),
    LiveRow(
        "NODE-08",
        lambda case: case.is_waiting(),
        NodeBucket.IGNORE,
        "it is unknown, and may come back",
    ),
    LiveRow(
        "NODE-09",
        lambda case: not case.is_tainted and case.is_reconnect_pending(),
        NodeBucket.RECONNECTING,
        "it was unknown, and its node is back",
    ),
    LiveRow(
        "NODE-10",
        lambda case: case.is_tainted and case.has_finished(),
        NodeBucket.IGNORE,
        "it has finished what it was there for",
    ),
    LiveRow(
        "NODE-11",
        lambda case: case.is_cut_off() and case.has_grace(),
        NodeBucket.DISCONNECTING,
        "its node is out of reach",
    ),
    LiveRow(
        "NODE-12",
        lambda case: case.is_node_lost() or case.is_cut_off(),
        NodeBucket.LOST,
        "its node is gone or down",
    ),
    LiveRow(
        "NODE-13",
        lambda case: case.is_tainted,
        NodeBucket.IGNORE,
        "its node drains, or is out of reach before it began",
    ),
    LiveRow(
        "NODE-14",
        lambda case: case.is_not_ready and case.is_outdated,
        NodeBucket.STOP,
        "its node is not ready, and the job has changed",
    ),
    LiveRow("NODE-14", lambda case: case.is_not_ready, NodeBucket.IGNORE, "its node is not ready"),
    LiveRow(
        "NODE-15", lambda case: not case.is_eligible, NodeBucket.STOP, "its node is none that the job may use"
    ),
    LiveRow("NODE-16", lambda case: case.is_outdated, NodeBucket.UPDATE, "the job has changed"),
    LiveRow("NODE-18", lambda _: True, NodeBucket.IGNORE, "it is as it should be"),
)
"""Which bucket a live allocation falls into: that of the first row that applies.

Spec: NODE-05, NODE-06, NODE-07, NODE-08, NODE-09, NODE-10, NODE-11, NODE-12, NODE-13, NODE-14, NODE-15,
NODE-16, NODE-18.
"""

KEEPING_ROWS: Final = frozenset({"NODE-10", "NODE-13", "NODE-14", "NODE-18"})
"""The rows that count as having seen an allocation that stays when they ignore it.

Spec: NODE-29.
"""


def classify_live(case: LiveCase) -> LiveRow:
    """Find the row of the table for a live allocation.

    Spec: NODE-05, NODE-06, NODE-07, NODE-08, NODE-09, NODE-10, NODE-11, NODE-12, NODE-13, NODE-14, NODE-15,
    NODE-16, NODE-18.
    """
    return next(row for row in TABLE if row.applies(case))
