"""What the deployment watchers remember, and what a watcher concludes from the state."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

import msgspec
from rpds import HashTrieMap

from nomadspec.model.cluster.entities import (
    Allocation,
    Deployment,
    DeploymentState,
    DeploymentStatus,
    EvalStatus,
    Evaluation,
    Job,
)
from nomadspec.model.cluster.entities.allocation import is_healthy, is_unhealthy
from nomadspec.model.cluster.entities.deployment import has_placed_canaries, is_active, needs_promotion
from nomadspec.model.cluster.entities.job import find_group
from nomadspec.model.cluster.policy.health import count_healthy, count_live_healthy
from nomadspec.model.cluster.policy.reschedule import is_allowed, list_events
from nomadspec.model.cluster.store.state import State
from nomadspec.model.specification.profiles import Profile

Seen = tuple[int, int]
"""How many allocs a deployment had, and when the last of them was written."""

NOTHING_SEEN: Final[Seen] = (-1, -1)
UNSEEN: Final = -1
"""The index of a table that was not looked at yet."""


class Watcher(msgspec.Struct, frozen=True, kw_only=True):
    """What the watcher of one deployment remembers; a time of 0 is none."""

    deployment_id: str
    job: Job
    """The job as it was when the watcher began."""
    cutoff_ns: int = 0
    """When progress was due, as last computed."""
    deadline_ns: int = 0
    """When the timer of the deadline fires; it fires once for each cutoff."""
    is_overdue: bool = False
    """Whether that timer has ever fired."""
    replaceable: frozenset[str] = frozenset()
    """The allocs that are allowed to be replaced with the next batch."""
    batch_at_ns: int = 0
    seen_allocs: Seen = NOTHING_SEEN
    seen_index: int = UNSEEN
    """The index of the table of deployments that was last looked at."""
    has_ended: bool = False
    """It stays known all the same, so that no other one takes its place."""


class Batch(msgspec.Struct, frozen=True, kw_only=True):
    """What the watchers want together, shortly before it is written."""

    evals: HashTrieMap[str, Evaluation] = HashTrieMap()
    """Of each deployment its latest eval."""
    replaceable: frozenset[str] = frozenset()
    due_ns: int = 0


class Watchers(msgspec.Struct, frozen=True, kw_only=True):
    """All deployment watchers of a leader."""

    is_enabled: bool = False
    watchers: HashTrieMap[str, Watcher] = HashTrieMap()
    batch: Batch = Batch()


class Findings(NamedTuple):
    """What a look at all allocs of a deployment shows."""

    has_failed: bool
    wants_rollback: bool
    replaceable: frozenset[str]
    wants_eval: bool


def look_at_allocs(state: State, watcher: Watcher, deployment: Deployment, now_ns: int) -> Findings:
    """Look at all allocs of a deployment, terminal ones too.

    Spec: DEP-33, SYSDEP-27.
    """
    latest = compute_latest_eval_index(state, watcher.job)
    grouped = list(_list_grouped(state, deployment))
    failed = [group for alloc, group in grouped if fails_early(watcher.job, deployment, group, alloc, now_ns)]
    is_live = is_active(deployment)
    unhealthy = (alloc for alloc, _ in grouped if is_unhealthy(alloc) and is_live)
    return Findings(
        has_failed=bool(failed),
        wants_rollback=any(group.auto_revert for group in failed),
        replaceable=frozenset(alloc.id for alloc in unhealthy if not alloc.desired_transition.reschedule),
        wants_eval=any(_is_news(alloc, latest) for alloc, _ in grouped),
    )


def _list_grouped(state: State, deployment: Deployment) -> Iterator[tuple[Allocation, DeploymentState]]:
    for alloc in state.list_allocs_of_deployment(deployment.id):
        group = deployment.task_groups.get(alloc.task_group)
        if group is not None:
            yield alloc, group


def _is_news(alloc: Allocation, latest: int) -> bool:
    status = alloc.deployment_status
    return is_healthy(alloc) and status is not None and status.modify_index > latest


def fails_early(
    job: Job, deployment: Deployment, group: DeploymentState, alloc: Allocation, now_ns: int
) -> bool:
    """True while an alloc ends the deployment at once: it is unhealthy, and nothing can come of it any more.

    Spec: DEP-32, SYSDEP-28.
    """
    if not is_unhealthy(alloc):
        return False
    if not group.progress_deadline_ns:
        return True
    wanted = find_group(job, alloc.task_group)
    policy = wanted.reschedule_policy if wanted else None
    return is_active(deployment) and not is_allowed(policy, list_events(alloc.reschedule_tracker), now_ns)


def compute_latest_eval_index(state: State, job: Job) -> int:
    """Compute up to which index the evals of a job have seen, or will see, the state.

    Spec: DEP-33.
    """
    latest = 0
    for entry in state.list_evals_of_job(job.namespace, job.id):
        if entry.status == EvalStatus.CANCELED:
            continue
        if entry.snapshot_index > latest:
            latest = entry.snapshot_index
        elif entry.create_index > latest:
            latest = entry.create_index
    return latest


def can_promote_itself(state: State, deployment: Deployment) -> bool:
    """True while all canaries of a deployment are healthy, and all promote themselves.

    Spec: DEP-44, SYSDEP-30.
    """
    if not has_placed_canaries(deployment) or not needs_promotion(deployment):
        return False
    groups = [group for group in deployment.task_groups.values() if group and group.desired_canaries >= 1]
    return all(group.auto_promote and _is_ready(state, group) for group in groups)


def _is_ready(state: State, group: DeploymentState) -> bool:
    canaries = (state.find_alloc(alloc_id) for alloc_id in group.placed_canaries)
    healthy = sum(canary is not None and is_healthy(canary) for canary in canaries)
    return len(group.placed_canaries) >= group.desired_canaries == healthy


def compute_cutoff_ns(state: State, deployment: Deployment) -> int:
    """Compute when progress is due: the earliest time of a group that is not done, 0 if there is none.

    Spec: DEP-41.
    """
    due = (
        group.require_progress_by_ns
        for name, group in deployment.task_groups.items()
        if group and group.require_progress_by_ns and not _is_done(state, deployment, name, group)
    )
    return min(due, default=0)


def _is_done(state: State, deployment: Deployment, name: str, group: DeploymentState) -> bool:
    if group.desired_canaries and not group.promoted:
        return False
    allocs = state.list_allocs_of_deployment(deployment.id)
    return count_live_healthy(deployment.id, name, allocs) >= group.desired_total


def list_late_groups(state: State, deployment: Deployment, *, profile: Profile) -> tuple[str, ...]:
    """List the groups that fail a deployment whose time for progress is over.

    Spec: DEP-42, X-50.
    """
    if deployment.status == DeploymentStatus.PAUSED:
        return ()
    allocs = state.list_allocs_of_deployment(deployment.id)
    return tuple(
        name
        for name, group in deployment.task_groups.items()
        if group and _is_late(group, count_healthy(group, deployment.id, name, allocs, profile=profile))
    )


def _is_late(group: DeploymentState, healthy: int) -> bool:
    waits_for_promotion = group.desired_canaries > 0 and not group.promoted
    return healthy < (group.desired_canaries if waits_for_promotion else group.desired_total)


def wants_late_rollback(job: Job, groups: Iterable[str]) -> bool:
    """True if the job of a watcher asks to be rolled back when one of these groups is late.

    Spec: DEP-42.
    """
    found = (find_group(job, name) for name in groups)
    return any(group.update.auto_revert for group in found if group and group.update)
