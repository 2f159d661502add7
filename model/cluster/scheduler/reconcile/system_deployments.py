"""The deployments of a job that runs on every node, while its nodes are visited one after the other."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from msgspec.structs import replace

from nomadspec.model.cluster.constraints.versions import compare_versions, parse_version
from nomadspec.model.cluster.entities import (
    Allocation,
    Deployment,
    DeploymentDescription,
    DeploymentState,
    DeploymentStatus,
    DeploymentStatusUpdate,
    Job,
    Node,
    TaskGroup,
)
from nomadspec.model.cluster.entities.deployment import is_active
from nomadspec.model.cluster.entities.group import has_update_strategy
from nomadspec.model.cluster.entities.job import is_stopped
from nomadspec.model.cluster.scheduler.choices import Choices, IdKind
from nomadspec.model.cluster.scheduler.reconcile.deployments import make_deployment
from nomadspec.model.lifecycle.deployment import HELD
from nomadspec.model.specification.profiles import Profile
from nomadspec.model.specification.quirks import STUCK_DEPLOYMENT

FIRST_VERSION: Final = "1.11.0"
"""Clients older than this know nothing of deployments of such jobs."""
VERSION_ATTRIBUTE: Final = "nomad.version"


@dataclass(slots=True)
class Visited:
    """What is known of the node that is being visited."""

    live: tuple[Allocation, ...] = ()
    ended: tuple[Allocation, ...] = ()
    """Of each name that ended there the last allocation."""
    updates: int = 0
    """How many updates the visit has found so far."""


@dataclass(slots=True)
class SystemDeployments:
    """The deployments of a job, as far as the visit of its nodes has come.

    Spec: SYSDEP-01, SYSDEP-02.
    """

    job: Job | None
    start: Deployment | None
    """The latest deployment of the job, whatever its status; none for jobs that run once."""
    now_ns: int
    choices: Choices
    profile: Profile = field(kw_only=True)
    current: Deployment | None = field(init=False)
    old: Deployment | None = None
    updates: list[DeploymentStatusUpdate] = field(default_factory=list)
    has_kept_some: bool = False
    """Whether an allocation was seen that stays as it is.

    Spec: NODE-29.
    """

    def __post_init__(self) -> None:
        """Begin with the latest deployment as the current one."""
        self.current = self.start

    def retire(self) -> None:
        """End what goes on for no reason; asked anew at each node until the current deployment changes.

        Spec: SYSDEP-05, 05/S2.
        """
        job, current = self.job, self.current
        if current is None:
            return
        if job is None or is_stopped(job):
            if is_active(current):
                self._set_status(current, DeploymentStatus.CANCELLED, DeploymentDescription.JOB_STOPPED)
            return
        is_of_job = (current.job_create_index, current.job_version) == (job.create_index, job.version)
        is_outdated = not is_of_job and is_active(current)
        if is_outdated:
            self._set_status(current, DeploymentStatus.CANCELLED, DeploymentDescription.NEWER_VERSION)
        is_stuck = is_of_job or self.profile.has(STUCK_DEPLOYMENT)
        if is_outdated or not is_stuck or current.status == DeploymentStatus.SUCCESSFUL:
            self.old, self.current = current, None

    def is_unpromoted(self, group: TaskGroup) -> bool:
        """True while an update of a group is that of a canary, as far as can be told at this node.

        Spec: NODE-17.
        """
        update = group.update
        if update is None or not has_update_strategy(group) or update.canary <= 0:
            return False
        if self.current is None:
            return True
        state = self.current.task_groups.get(group.name)
        return state is not None and not state.promoted

    def join(self, group: TaskGroup, visited: Visited) -> None:
        """Let a group take part in the current deployment if it has a new version; make one if need be.

        Spec: SYSDEP-03, SYSDEP-06, SYSDEP-07, NODE-28.
        """
        job = self.job
        if job is None or not self._may_join(job, group) or self._is_settled(job, visited):
            return
        if self.current is None:
            self.current = self._make(job)
            self._set_status(self.current, DeploymentStatus.RUNNING, DeploymentDescription.RUNNING)
        groups = {**self.current.task_groups, group.name: begin_state(group)}
        self.current = replace(self.current, task_groups=groups)

    def settle(self, eligible: Iterable[Node]) -> Deployment | None:
        """Give the deployment that the scheduler goes on with, once all nodes were visited.

        Spec: SYSDEP-08, SYSDEP-09, NODE-29, 05/S16.
        """
        if self.start is None and (self.has_kept_some or any(map(has_old_client, eligible))):
            self.current = None
            self.updates.clear()
        return self.current or self.start

    def _may_join(self, job: Job, group: TaskGroup) -> bool:
        if not has_update_strategy(group):
            return False
        if self.current is not None:
            is_held = self.current.status in HELD
            if is_held or group.name in self.current.task_groups:
                return False
        return self.old is None or self.old.job_version != job.version

    def _is_settled(self, job: Job, visited: Visited) -> bool:
        """True while the node has this version already, and nothing of it is to be updated."""
        is_live_same = any(_is_same_version(alloc, job) for alloc in visited.live)
        self.has_kept_some |= is_live_same
        is_same = is_live_same or any(_is_same_version(alloc, job) for alloc in visited.ended)
        return is_same and not visited.updates

    def _set_status(self, deployment: Deployment, status: str, description: str) -> None:
        self.updates.append(
            DeploymentStatusUpdate(deployment_id=deployment.id, status=status, status_description=description)
        )

    def _make(self, job: Job) -> Deployment:
        """Make the deployment of a system job, whose evaluations have the priority of the job.

        Spec: SYSDEP-07, OBJ-277.
        """
        new_id = self.choices.next_id(IdKind.DEPLOYMENT)
        return make_deployment(job, new_id, job.priority, self.now_ns)


def is_trying(job: Job, group: TaskGroup, deployment: Deployment | None) -> bool:
    """True if a group tries a version on some nodes first, if it has anything to replace.

    Spec: SYSDEP-12.
    """
    state = deployment.task_groups.get(group.name) if deployment else None
    if state is None or group.update is None or not has_update_strategy(group):
        return False
    return group.update.canary > 0 and not state.promoted and job.version != 0


def begin_state(group: TaskGroup) -> DeploymentState:
    """Give the state with which a group joins a deployment.

    Spec: SYSDEP-07, DEP-05.
    """
    update = group.update
    if update is None:
        return DeploymentState()
    return DeploymentState(
        auto_revert=update.auto_revert,
        auto_promote=update.auto_promote,
        progress_deadline_ns=update.progress_deadline_ns,
    )


def has_old_client(node: Node) -> bool:
    """True if the client of a node is too old for such deployments; what cannot be read is not.

    Spec: SYSDEP-08, OBJ-277.
    """
    version, first = parse_version(node.attributes.get(VERSION_ATTRIBUTE, "")), parse_version(FIRST_VERSION)
    return version is not None and first is not None and compare_versions(version, first) < 0


def _is_same_version(alloc: Allocation, job: Job) -> bool:
    own = alloc.job
    if own is None:
        return False
    return (alloc.job_id, own.version, own.create_index) == (job.id, job.version, job.create_index)
