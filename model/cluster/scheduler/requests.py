"""What a reconciler asks for, and how a node is asked for: the words between the stages of a scheduler."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from nomadspec.model.cluster.entities import AllocatedResources, Allocation, Node, TaskGroup


class PlacementRequest(Struct, frozen=True, kw_only=True):
    """A placement that the reconciler of services and batches asks for.

    Spec: REC-78, REC-70, REC-86.
    """

    name: str
    group: TaskGroup
    previous: Allocation | None = None
    """The allocation that it replaces or continues; none for a new name or a canary."""
    is_reschedule: bool = False
    is_canary: bool = False
    is_downgrade: bool = False
    """Whether an older, stable version of the job is placed while canaries are out."""
    min_version: int = 0
    """The oldest version that a downgrade may lead to."""


class DestructiveRequest(Struct, frozen=True, kw_only=True):
    """An allocation that has to be stopped so that another can follow its job.

    Spec: REC-85, GENERIC-33.
    """

    name: str
    group: TaskGroup
    alloc: Allocation


class SelectOptions(Struct, frozen=True, kw_only=True):
    """What a search for a node depends on beside the group.

    Spec: RANK-10.
    """

    alloc_name: str
    penalty_nodes: frozenset[str] = frozenset()
    preferred_nodes: tuple[Node, ...] = ()
    preempt: bool = False


class Selected(Struct, frozen=True, kw_only=True):
    """The node that a search found, and what the allocation gets on it.

    Spec: RANK-75.
    """

    node: Node
    resources: AllocatedResources
    """Of all tasks, with their lifecycles, and what they share."""
    preempted: tuple[Allocation, ...] = ()
    """The allocations that have to go, in the order in which they were chosen."""
    scores: Mapping[str, float] = {}
    norm_score: float = 0.0
