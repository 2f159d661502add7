"""The deployment watcher of the leader: it fails, promotes and nudges deployments by what their allocs do.

The watchers act by themselves through ``react``: each call does one thing that is due, and returns the
request that is to be written, if any. Call it until the watchers are settled, after every change of the state
and whenever the time of ``find_next_due`` has come. The IDs of new evals are arguments.
"""

from __future__ import annotations

import msgspec
from msgspec.structs import replace
from rpds import HashTrieMap

from nomadspec.model.cluster.components.deployment_revert import (
    Revert,
    choose_revert,
    is_as_deployed,
)
from nomadspec.model.cluster.components.deployment_watch import (
    UNSEEN,
    Batch,
    Seen,
    Watcher,
    Watchers,
    can_promote_itself,
    compute_cutoff_ns,
    list_late_groups,
    look_at_allocs,
    wants_late_rollback,
)
from nomadspec.model.cluster.components.new_eval import make_eval
from nomadspec.model.cluster.entities import (
    Allocation,
    Deployment,
    DeploymentStatus,
    DeploymentStatusUpdate,
    DesiredTransition,
    Evaluation,
    Job,
    Trigger,
)
from nomadspec.model.cluster.entities.deployment import is_active
from nomadspec.model.cluster.entities.scalar import NS_PER_S
from nomadspec.model.cluster.memo import remember_last
from nomadspec.model.cluster.store.requests import (
    AllocUpdateDesiredTransition,
    DeploymentPromote,
    DeploymentUpdateStatus,
    Request,
)
from nomadspec.model.cluster.store.state import State
from nomadspec.model.cluster.store.tables import DEPLOYMENTS
from nomadspec.model.specification.profiles import Profile
from nomadspec.model.specification.quirks import SUCCESS_OF_THE_ENDED, UNASKED_REVERT

BATCH_NS = NS_PER_S
"""So long a watcher collects before it asks for an eval."""
CROSS_BATCH_NS = 250_000_000
"""So long the wishes of all watchers are collected before they are written."""

FAILED_HEALTH = "Failed due to unhealthy allocations"
FAILED_DEADLINE = "Failed due to progress deadline"


class _Moment(msgspec.Struct, frozen=True, gc=False):
    """What the watchers look at, and what comes of it if one of them acts."""

    state: State
    now_ns: int
    eval_id: str
    profile: Profile

    def make_entry(self, watcher: Watcher, deployment: Deployment) -> Evaluation:
        """Make the eval that a watcher asks for."""
        return make_watcher_eval(deployment, watcher.job, self.eval_id, self.now_ns)


class Reaction(msgspec.Struct, frozen=True):
    """What the watchers are after one thing that they did, and what they want to be written."""

    watchers: Watchers
    request: Request | None = None
    is_settled: bool = False
    """Nothing was left to do."""


def enable(watchers: Watchers) -> Watchers:
    """Let the watchers work; they begin anew from the state.

    Spec: DEP-31.
    """
    return watchers if watchers.is_enabled else Watchers(is_enabled=True)


def disable() -> Watchers:
    """Forget all watchers and what they have not written yet.

    Spec: DEP-31.
    """
    return Watchers()


def make_watcher_eval(deployment: Deployment, job: Job, eval_id: str, now_ns: int) -> Evaluation:
    """Make an eval of the watcher or of a call about a deployment.

    Spec: DEP-40.
    """
    entry = make_eval(job, Trigger.DEPLOYMENT_WATCHER, eval_id, now_ns)
    priority = deployment.eval_priority or job.priority
    return replace(entry, priority=priority, deployment_id=deployment.id)


def watch(watchers: Watchers, state: State, deployment: Deployment) -> Watchers:
    """Begin to watch a deployment, unless it is watched already or its job is gone.

    Spec: DEP-31.
    """
    job = state.find_job(deployment.namespace, deployment.job_id)
    if job is None or deployment.id in watchers.watchers:
        return watchers
    watcher = Watcher(deployment_id=deployment.id, job=job)
    return replace(watchers, watchers=watchers.watchers.insert(deployment.id, watcher))


def find_next_due(watchers: Watchers) -> int:
    """Find when something happens by itself; 0 is never."""
    times = [watchers.batch.due_ns]
    for watcher in watchers.watchers.values():
        times += [] if watcher.has_ended else [watcher.batch_at_ns, watcher.deadline_ns]
    return min(filter(None, times), default=0)


def react(watchers: Watchers, state: State, now_ns: int, eval_id: str, *, profile: Profile) -> Reaction:
    """Do one thing that is due.

    Spec: DEP-31, DEP-36, DEP-37.
    """
    if not watchers.is_enabled:
        return Reaction(watchers, is_settled=True)
    watchers = _follow_table(watchers, state)
    moment = _Moment(state, now_ns, eval_id, profile)
    for _, watcher in sorted(watchers.watchers.items()):
        deployment = state.find_deployment(watcher.deployment_id)
        if deployment is None or watcher.has_ended:
            continue
        reaction = _step(watchers, watcher, deployment, moment)
        if reaction is not None:
            return reaction
    if 0 < watchers.batch.due_ns <= now_ns:
        return _write_batch(watchers)
    return Reaction(watchers, is_settled=True)


def _follow_table(watchers: Watchers, state: State) -> Watchers:
    """Watch what is active, and nothing else (DEP-31)."""
    active = _list_active(state.deployments)
    if len(active) == len(watchers.watchers) and all(each.id in watchers.watchers for each in active):
        return watchers
    names = {deployment.id for deployment in active}
    kept = {name: watcher for name, watcher in watchers.watchers.items() if name in names}
    if len(kept) < len(watchers.watchers):
        watchers = replace(watchers, watchers=HashTrieMap(kept))
    for deployment in active:
        watchers = watch(watchers, state, deployment)
    return watchers


@remember_last
def _list_active(deployments: HashTrieMap[str, Deployment]) -> tuple[Deployment, ...]:
    return tuple(each for each in State(deployments=deployments).list_deployments() if is_active(each))


def _step(watchers: Watchers, watcher: Watcher, deployment: Deployment, moment: _Moment) -> Reaction | None:
    """Do what a watcher has to do first; None where that is nothing.

    Spec: DEP-36, DEP-41, DEP-42, X-50.
    """
    state, now_ns, seen = moment.state, moment.now_ns, _see_allocs(moment.state, deployment)
    if seen != watcher.seen_allocs:
        known_index = watcher.seen_index if moment.profile.has(SUCCESS_OF_THE_ENDED) else UNSEEN
        watcher = replace(watcher, seen_allocs=seen, seen_index=known_index)
        return _scan(watchers, watcher, deployment, moment)
    index = state.index_of(DEPLOYMENTS)
    if index != watcher.seen_index:
        cutoff_ns = compute_cutoff_ns(state, deployment)
        deadline_ns = cutoff_ns if cutoff_ns != watcher.cutoff_ns else watcher.deadline_ns
        return _keep(
            watchers, replace(watcher, seen_index=index, cutoff_ns=cutoff_ns, deadline_ns=deadline_ns)
        )
    if 0 < watcher.batch_at_ns <= now_ns:
        return _hand_over(watchers, watcher, moment.make_entry(watcher, deployment))
    if 0 < watcher.deadline_ns <= now_ns:
        return _meet_deadline(watchers, watcher, deployment, moment)
    return None


def _see_allocs(state: State, deployment: Deployment) -> Seen:
    return state.recall(_see, "allocs_by_deployment", deployment.id)


def _see(allocs: tuple[Allocation, ...]) -> Seen:
    return len(allocs), max((alloc.modify_index for alloc in allocs), default=0)


def _keep(watchers: Watchers, watcher: Watcher, request: Request | None = None) -> Reaction:
    known = watchers.watchers.insert(watcher.deployment_id, watcher)
    return Reaction(replace(watchers, watchers=known), request)


def _scan(watchers: Watchers, watcher: Watcher, deployment: Deployment, moment: _Moment) -> Reaction:
    """Fail the deployment, or promote it, and see to a batch if one is needed.

    Spec: DEP-33, DEP-34, DEP-35, DEP-45.
    """
    state, now_ns = moment.state, moment.now_ns
    found = look_at_allocs(state, watcher, deployment, now_ns)
    if found.has_failed:
        return _fail(watchers, watcher, deployment, moment, wants_rollback=found.wants_rollback)
    if found.wants_eval or found.replaceable:
        watcher = replace(
            watcher,
            replaceable=watcher.replaceable | found.replaceable,
            batch_at_ns=watcher.batch_at_ns or now_ns + BATCH_NS,
        )
    if can_promote_itself(state, deployment):
        entry = moment.make_entry(watcher, deployment)
        return _keep(watchers, watcher, DeploymentPromote(deployment_id=deployment.id, all=True, eval=entry))
    return _keep(watchers, watcher)


def _fail(
    watchers: Watchers, watcher: Watcher, deployment: Deployment, moment: _Moment, *, wants_rollback: bool
) -> Reaction:
    """End the deployment, and the watcher with it even if the write fails (DEP-43, 08/S3, 08/S5)."""
    description = FAILED_DEADLINE if watcher.is_overdue else FAILED_HEALTH
    revert = Revert(description)
    is_asked = moment.profile.has(UNASKED_REVERT) or is_as_deployed(moment.state, watcher.job)
    if wants_rollback and is_asked:
        revert = choose_revert(moment.state, watcher.job, description)
    entry = moment.make_entry(watcher, deployment)
    request = make_status_request(watcher.deployment_id, DeploymentStatus.FAILED, revert, entry)
    return _keep(watchers, replace(watcher, has_ended=True), request)


def make_status_request(
    deployment_id: str, status: DeploymentStatus, revert: Revert, entry: Evaluation
) -> DeploymentUpdateStatus:
    """Make the entry that gives a deployment a status, together with an eval and the job to go back to.

    Spec: DEP-43, DEP-49, DEP-51.
    """
    update = DeploymentStatusUpdate(
        deployment_id=deployment_id,
        status=status.value,
        status_description=revert.description,
        updated_at_ns=entry.create_time_ns,
    )
    return DeploymentUpdateStatus(deployment_update=update, eval=entry, job=revert.target)


def _meet_deadline(watchers: Watchers, watcher: Watcher, deployment: Deployment, moment: _Moment) -> Reaction:
    """Fail a deployment that has made no progress for too long; a paused one may rest (DEP-42)."""
    watcher = replace(watcher, deadline_ns=0, is_overdue=True)
    late = list_late_groups(moment.state, deployment, profile=moment.profile)
    if not late:
        return _keep(watchers, watcher)
    wants_rollback = wants_late_rollback(watcher.job, late)
    return _fail(watchers, watcher, deployment, moment, wants_rollback=wants_rollback)


def _hand_over(watchers: Watchers, watcher: Watcher, entry: Evaluation) -> Reaction:
    """Hand what a watcher collected to the batch of all.

    Spec: DEP-36, DEP-37, DEP-39.
    """
    batch = watchers.batch
    joined = Batch(
        evals=batch.evals.insert(watcher.deployment_id, entry),
        replaceable=batch.replaceable | watcher.replaceable,
        due_ns=batch.due_ns or entry.create_time_ns + CROSS_BATCH_NS,
    )
    rested = replace(watcher, replaceable=frozenset(), batch_at_ns=0)
    return _keep(replace(watchers, batch=joined), rested)


def _write_batch(watchers: Watchers) -> Reaction:
    """Write the transitions and evals of all watchers as one entry.

    Spec: DEP-37, DEP-38.
    """
    batch = watchers.batch
    request = AllocUpdateDesiredTransition(
        allocs={alloc_id: DesiredTransition(reschedule=True) for alloc_id in sorted(batch.replaceable)},
        evals=tuple(entry for _, entry in sorted(batch.evals.items())),
    )
    return Reaction(replace(watchers, batch=Batch()), request)
