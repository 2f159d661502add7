"""What people ask of a deployment: to pause, go on, promote, fail, or to believe them about its allocs."""

from collections.abc import Iterable
from typing import Final

import msgspec

from nomadspec.model.cluster.components.deployment_revert import Revert, choose_revert
from nomadspec.model.cluster.components.deployment_watch import Watchers
from nomadspec.model.cluster.components.deployment_watcher import (
    FAILED_HEALTH,
    make_status_request,
    make_watcher_eval,
    watch,
)
from nomadspec.model.cluster.entities import Deployment, DeploymentStatus, Job
from nomadspec.model.cluster.entities.deployment import is_terminal
from nomadspec.model.cluster.store.requests import (
    DeploymentAllocHealth,
    DeploymentPromote,
    DeploymentUpdateStatus,
    Request,
)
from nomadspec.model.cluster.store.state import State

PAUSED: Final = "Deployment is paused"
RUNNING: Final = "Deployment is running"
FAILED_BY_USER: Final = "Deployment marked as failed"

NOT_ENABLED: Final = "deployment watcher not enabled"
NO_ID: Final = "missing deployment ID"
NOT_FOUND: Final = "deployment not found"
NO_ALLOCS: Final = "must specify at least one healthy/unhealthy allocation ID"
TERMINAL: Final = 'deployment "{}" is terminal'

REFUSALS: Final = {
    "pause": "can't pause terminal deployment",
    "resume": "can't resume terminal deployment",
    "promote": "can't promote terminal deployment",
    "fail": "can't fail terminal deployment",
    "set-health": "can't set health of allocations for a terminal deployment",
    "run": "can't run terminal deployment",
    "unblock": "can't unblock terminal deployment",
    "cancel": "can't cancel terminal deployment",
}
"""What each call is answered about a deployment that has ended; the last three do nothing to any other."""


class Call(msgspec.Struct, frozen=True):
    """What comes of a call: the request that is to be written, or why there is none."""

    watchers: Watchers
    request: Request | None = None
    error: str = ""
    reverted_to: int | None = None
    """The version whose specification is restored."""


class _Target(msgspec.Struct, frozen=True):
    """The deployment that a call is about, and the job that its watcher knows."""

    watchers: Watchers
    deployment: Deployment
    job: Job


def check_call(state: State, verb: str, deployment_id: str, alloc_ids: Iterable[str] = ()) -> str:
    """Say why the leader refuses a call before any watcher is told; nothing if it does not.

    Spec: DEP-48, DEP-49, DEP-50, DEP-51, DEP-52, DEP-53, DEP-54, DEP-55, DEP-57.
    """
    if not deployment_id:
        return NO_ID
    if verb == "set-health" and not any(alloc_ids):
        return NO_ALLOCS
    deployment = state.find_deployment(deployment_id)
    if deployment is None:
        return NOT_FOUND
    return REFUSALS[verb] if is_terminal(deployment) else ""


def _find_target(watchers: Watchers, state: State, deployment_id: str) -> _Target | Call:
    """Find whom a call is about, and begin to watch it if nobody does."""
    if not watchers.is_enabled:
        return Call(watchers, error=NOT_ENABLED)
    deployment = state.find_deployment(deployment_id)
    if deployment is None:
        return Call(watchers, error=NOT_FOUND)
    if is_terminal(deployment):
        return Call(watchers, error=TERMINAL.format(deployment_id))
    watchers = watch(watchers, state, deployment)
    watcher = watchers.watchers.get(deployment_id)
    if watcher is None:
        return Call(watchers, error=NOT_FOUND)
    return _Target(watchers, deployment, watcher.job)


def pause(
    watchers: Watchers, state: State, deployment_id: str, eval_id: str, now_ns: int, *, is_pause: bool
) -> Call:
    """Pause a deployment, or let it go on; only the latter makes an eval.

    Spec: DEP-48, DEP-49, 08/S11.
    """
    target = _find_target(watchers, state, deployment_id)
    if isinstance(target, Call):
        return target
    entry = make_watcher_eval(target.deployment, target.job, eval_id, now_ns)
    status, description = (
        (DeploymentStatus.PAUSED, PAUSED) if is_pause else (DeploymentStatus.RUNNING, RUNNING)
    )
    request = make_status_request(deployment_id, status, Revert(description), entry)
    if is_pause:
        request = DeploymentUpdateStatus(deployment_update=request.deployment_update)
    return Call(target.watchers, request)


def promote(
    watchers: Watchers,
    state: State,
    deployment_id: str,
    eval_id: str,
    now_ns: int,
    *,
    is_all: bool,
    groups: tuple[str, ...] = (),
) -> Call:
    """Promote the canaries of a deployment; whether they are healthy is for the state to say.

    Spec: DEP-50.
    """
    target = _find_target(watchers, state, deployment_id)
    if isinstance(target, Call):
        return target
    entry = make_watcher_eval(target.deployment, target.job, eval_id, now_ns)
    request = DeploymentPromote(deployment_id=deployment_id, all=is_all, groups=groups, eval=entry)
    return Call(target.watchers, request)


def fail(watchers: Watchers, state: State, deployment_id: str, eval_id: str, now_ns: int) -> Call:
    """Fail a deployment, and go back to a stable version if any group asks for that.

    Spec: DEP-51, DEP-56.
    """
    target = _find_target(watchers, state, deployment_id)
    if isinstance(target, Call):
        return target
    groups = target.deployment.task_groups.values()
    revert = Revert(FAILED_BY_USER)
    if any(group is not None and group.auto_revert for group in groups):
        revert = choose_revert(state, target.job, FAILED_BY_USER)
    entry = make_watcher_eval(target.deployment, target.job, eval_id, now_ns)
    request = make_status_request(deployment_id, DeploymentStatus.FAILED, revert, entry)
    return Call(target.watchers, request, reverted_to=revert.target.version if revert.target else None)


def set_health(
    watchers: Watchers,
    state: State,
    deployment_id: str,
    eval_id: str,
    now_ns: int,
    *,
    healthy: tuple[str, ...] = (),
    unhealthy: tuple[str, ...] = (),
) -> Call:
    """Set the health of allocs; an unhealthy one always fails the deployment.

    Spec: DEP-52, DEP-56.
    """
    target = _find_target(watchers, state, deployment_id)
    if isinstance(target, Call):
        return target
    entry = make_watcher_eval(target.deployment, target.job, eval_id, now_ns)
    revert = Revert(FAILED_HEALTH)
    if _asks_for_revert(state, target.deployment, unhealthy):
        revert = choose_revert(state, target.job, FAILED_HEALTH, says_no_target=False)
    status = make_status_request(deployment_id, DeploymentStatus.FAILED, revert, entry)
    request = DeploymentAllocHealth(
        deployment_id=deployment_id,
        healthy_allocation_ids=healthy,
        unhealthy_allocation_ids=unhealthy,
        timestamp_ns=now_ns,
        deployment_update=status.deployment_update if unhealthy else None,
        job=revert.target,
        eval=entry,
    )
    return Call(target.watchers, request, reverted_to=revert.target.version if revert.target else None)


def _asks_for_revert(state: State, deployment: Deployment, unhealthy: Iterable[str]) -> bool:
    allocs = (state.find_alloc(alloc_id) for alloc_id in unhealthy)
    groups = (deployment.task_groups.get(alloc.task_group) for alloc in allocs if alloc)
    return any(group is not None and group.auto_revert for group in groups)
