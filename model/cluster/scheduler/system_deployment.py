"""What becomes of the deployment of a job that runs on every node, once placements were tried."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from msgspec.structs import replace

from nomadspec.model.cluster.entities import (
    Allocation,
    Deployment,
    DeploymentDescription,
    DeploymentState,
    DeploymentStatus,
    DeploymentStatusUpdate,
    Job,
    TaskGroup,
)
from nomadspec.model.cluster.entities.allocation import is_canary
from nomadspec.model.cluster.entities.deployment import (
    has_auto_promote,
    has_unpromoted_canaries,
    needs_promotion,
)
from nomadspec.model.cluster.policy.health import count_healthy
from nomadspec.model.cluster.scheduler.choices import Choices
from nomadspec.model.cluster.scheduler.plan_builder import PlanBuilder
from nomadspec.model.cluster.scheduler.reconcile.deployments import (
    PEERS_BLOCKED,
    PEERS_PENDING,
    waits_for_peers,
)
from nomadspec.model.cluster.scheduler.reconcile.node import NodeEntry
from nomadspec.model.cluster.scheduler.reconcile.system_deployments import is_trying
from nomadspec.model.cluster.scheduler.system_tally import Tally
from nomadspec.model.specification.profiles import Profile
from nomadspec.model.specification.quirks import AWAITED_CANARY, SUCCESS_OF_NOTHING, UNPROMOTED_SUCCESS

PERCENT = 100


@dataclass(slots=True)
class SystemDeployment:
    """The deployment of one pass, and what it depends on."""

    job: Job | None
    deployment: Deployment
    plan: PlanBuilder
    choices: Choices
    tallies: Mapping[str, Tally]
    ignored: tuple[NodeEntry, ...]
    requested: tuple[NodeEntry, ...]
    """All that was to be placed, with what was evicted for an update."""
    placed: tuple[Allocation, ...]
    """The new allocations."""
    profile: Profile
    allocs: Iterable[Allocation] = ()
    """The allocations that the job had before."""
    updates: list[DeploymentStatusUpdate] = field(default_factory=list)
    canaries: dict[str, int] = field(default_factory=dict)
    """Of each group that tries the new version on some nodes first how many these are."""

    def advance(self) -> Deployment | None:
        """Bring totals and canaries up to date, and say how the deployment stands; none if it is empty.

        Spec: SYSDEP-11, SYSDEP-14, SYSDEP-20, SYSDEP-21, SYSDEP-22, SYSDEP-23, SYSDEP-26, X-53.
        """
        is_complete = self.profile.has(SUCCESS_OF_NOTHING) or not self._has_dropped_group()
        for group in self.job.task_groups if self.job else ():
            is_complete &= self._advance_group(group, self.tallies[group.name])
        self._describe(is_complete=is_complete)
        if not any(self.deployment.task_groups.values()):
            self.updates.clear()
            return None
        return self.deployment

    def _has_dropped_group(self) -> bool:
        """True while the deployment desires something of a group that the job has no longer."""
        kept = {group.name for group in self.job.task_groups} if self.job else set[str]()
        return any(
            state is not None and state.desired_total and name not in kept
            for name, state in self.deployment.task_groups.items()
        )

    def _advance_group(self, group: TaskGroup, tally: Tally) -> bool:
        """Bring one group up to date; true if it does not stand in the way of completion.

        Spec: SYSDEP-11, SYSDEP-12, SYSDEP-15, SYSDEP-20, X-53, X-72.
        """
        state = self.deployment.task_groups.get(group.name)
        if tally.candidates < 1:
            if self.deployment.status == DeploymentStatus.SUCCESSFUL:
                self._put(group.name, None)
            return state is None or not state.desired_total or self.profile.has(SUCCESS_OF_NOTHING)
        if state is None:
            return True
        state = replace(state, desired_total=tally.candidates)
        job = self.job or Job()
        tries = is_trying(job, group, self.deployment)
        trying = tries and tally.destructive > 0
        if trying:
            state = self._limit_canaries(group, state, tally)
        elif tries and not self.profile.has(AWAITED_CANARY):
            state = self._forget_canaries(group, state)
        self._put(group.name, state)
        healthy = count_healthy(state, self.deployment.id, group.name, self.allocs, profile=self.profile)
        return not trying and healthy >= state.desired_total

    def _put(self, group: str, state: DeploymentState | None) -> None:
        groups = {**self.deployment.task_groups, group: state}
        self.deployment = replace(self.deployment, task_groups=groups)

    def _limit_canaries(self, group: TaskGroup, state: DeploymentState, tally: Tally) -> DeploymentState:
        """Say how many canaries there shall be, and take back what is too many.

        Spec: SYSDEP-13, SYSDEP-14, SYSDEP-15, SYSDEP-16.
        """
        known = list_known_canaries(self.ignored, group.name)
        desired = compute_canaries(group, tally.destructive + len(known))
        replacing = self._find_replacing_canaries()
        kept = self._keep_canaries(group.name, desired - len(replacing) - len(known), replacing)
        canaries = (*known, *kept)
        self.canaries[group.name] = len(canaries)
        return replace(state, desired_canaries=desired, placed_canaries=canaries)

    def _forget_canaries(self, group: TaskGroup, state: DeploymentState) -> DeploymentState:
        """Wait no longer for the promotion of canaries that are gone.

        Spec: X-72.
        """
        known = list_known_canaries(self.ignored, group.name)
        desired = min(state.desired_canaries, len(known))
        return replace(state, desired_canaries=desired, placed_canaries=tuple(known))

    def _find_replacing_canaries(self) -> frozenset[str]:
        """Find the new allocations, of all groups, that come after a canary.

        Spec: SYSDEP-14, SYSDEP-16.
        """
        earlier = {entry.alloc.id for entry in self.requested if is_canary(entry.alloc)}
        return frozenset(alloc.id for alloc in self.placed if alloc.previous_allocation in earlier)

    def _keep_canaries(self, group: str, need: int, replacing: frozenset[str]) -> list[str]:
        """List the new canaries that stay; the others leave the plan, and what they replace goes on.

        Spec: SYSDEP-14, SYSDEP-17, SYSDEP-18.
        """
        new = {alloc.id for alloc in self.placed if alloc.task_group == group and is_canary(alloc)}
        kept: list[str] = []
        for node_id in self.choices.ordered(self.plan.node_allocation):
            for alloc in tuple(self.plan.node_allocation[node_id]):
                if alloc.id not in new:
                    continue
                if need > 0 or alloc.id in replacing:
                    kept.append(alloc.id)
                    need -= 1
                else:
                    self._take_back(alloc)
        return kept

    def _take_back(self, alloc: Allocation) -> None:
        plan, node_id = self.plan, alloc.node_id
        plan.node_allocation[node_id] = _without(plan.node_allocation[node_id], alloc.id)
        if node_id in plan.node_update:
            plan.node_update[node_id] = _without(plan.node_update[node_id], alloc.previous_allocation)
        plan.forget_proposed(node_id)

    def _describe(self, *, is_complete: bool) -> None:
        """Say how the deployment stands.

        Spec: SYSDEP-20, SYSDEP-21, X-68.
        """
        deployment = self.deployment
        if needs_promotion(deployment):
            is_automatic = has_auto_promote(deployment)
            description = (
                DeploymentDescription.AWAITS_PROMOTION
                if is_automatic
                else DeploymentDescription.NEEDS_PROMOTION
            )
            self.deployment = replace(deployment, status_description=description)
        elif is_complete and (
            self.profile.has(UNPROMOTED_SUCCESS) or not has_unpromoted_canaries(deployment)
        ):
            self._complete()
        if deployment.status == DeploymentStatus.INITIALIZING:
            self._set_status(DeploymentStatus.PENDING, PEERS_PENDING)

    def _complete(self) -> None:
        if waits_for_peers(self.deployment):
            self._set_status(DeploymentStatus.BLOCKED, PEERS_BLOCKED)
        else:
            self._set_status(DeploymentStatus.SUCCESSFUL, DeploymentDescription.SUCCESSFUL)

    def _set_status(self, status: str, description: str) -> None:
        self.updates.append(
            DeploymentStatusUpdate(
                deployment_id=self.deployment.id, status=status, status_description=description
            )
        )


def compute_canaries(group: TaskGroup, nodes: int) -> int:
    """Compute on how many of so many nodes a group tries the new version: a share of them, rounded up.

    Spec: SYSDEP-13.
    """
    update = group.update
    if update is None:
        return 0
    return min(-(-update.canary * nodes // PERCENT), update.max_parallel)


def list_known_canaries(ignored: Iterable[NodeEntry], group: str) -> list[str]:
    """List the canaries of a group that stay as they are.

    Spec: SYSDEP-13.
    """
    return [entry.alloc.id for entry in ignored if entry.group.name == group and is_canary(entry.alloc)]


def _without(allocs: Iterable[Allocation], alloc_id: str) -> list[Allocation]:
    return [alloc for alloc in allocs if alloc.id != alloc_id]
