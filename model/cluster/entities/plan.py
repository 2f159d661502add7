"""A plan, and what the applier answers."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from msgspec import Struct

from nomadspec.model.cluster.entities.allocation import Allocation
from nomadspec.model.cluster.entities.annotation import PlanAnnotations
from nomadspec.model.cluster.entities.deployment import Deployment, DeploymentStatusUpdate
from nomadspec.model.cluster.entities.job import Job
from nomadspec.model.cluster.entities.scalar import Uint64


class NamespacedId(Struct, frozen=True, kw_only=True):
    """A namespace and an ID, which together name a job."""

    namespace: str = ""
    id: str = ""


class Plan(Struct, frozen=True, kw_only=True):
    """What a scheduler wants to change, by node.

    Spec: PLAN-01.
    """

    eval_id: str = ""
    eval_token: str = ""
    priority: int = 0
    all_at_once: bool = False
    job: Job | None = None
    job_info: NamespacedId | None = None
    node_update: Mapping[str, tuple[Allocation, ...]] = {}
    node_allocation: Mapping[str, tuple[Allocation, ...]] = {}
    annotations: PlanAnnotations | None = None
    deployment: Deployment | None = None
    deployment_updates: tuple[DeploymentStatusUpdate, ...] = ()
    node_preemptions: Mapping[str, tuple[Allocation, ...]] = {}
    snapshot_index: Uint64 = 0


class PlanResult(Struct, frozen=True, kw_only=True):
    """What the applier took of a plan."""

    node_update: Mapping[str, tuple[Allocation, ...]] = {}
    node_allocation: Mapping[str, tuple[Allocation, ...]] = {}
    deployment: Deployment | None = None
    deployment_updates: tuple[DeploymentStatusUpdate, ...] = ()
    node_preemptions: Mapping[str, tuple[Allocation, ...]] = {}
    rejected_nodes: tuple[str, ...] = ()
    ineligible_nodes: tuple[str, ...] = ()
    refresh_index: Uint64 = 0
    alloc_index: Uint64 = 0


class Changes(Protocol):
    """What a plan changes, whether it is still being made, submitted, or committed in part."""

    @property
    def node_update(self) -> Mapping[str, Sequence[Allocation]]:
        """What is stopped, by node."""

    @property
    def node_allocation(self) -> Mapping[str, Sequence[Allocation]]:
        """What is placed or updated, by node."""

    @property
    def deployment(self) -> Deployment | None:
        """The deployment that is made or changed."""

    @property
    def deployment_updates(self) -> Sequence[DeploymentStatusUpdate]:
        """The deployments whose status changes."""


def is_no_op(plan: Changes) -> bool:
    """True if a plan changes nothing; evictions alone do not count.

    Spec: OBJ-281, PLAN-02, GENERIC-22.
    """
    has_changes = plan.node_update or plan.node_allocation or plan.deployment_updates
    return not has_changes and plan.deployment is None


def count_placements(by_node: Mapping[str, Sequence[Allocation]]) -> int:
    """Count the allocations that are placed or updated, over all nodes."""
    return sum(len(allocs) for allocs in by_node.values())


def is_full_commit(plan: Plan, result: PlanResult | None) -> bool:
    """True if all placements and updates of a plan were taken; stops and the rest do not count.

    Spec: PLAN-05, OBJ-282, GENERIC-06, SYSTEM-35.
    """
    taken = result.node_allocation if result else {}
    return count_placements(plan.node_allocation) == sum(
        len(taken.get(node_id, ())) for node_id in plan.node_allocation
    )
