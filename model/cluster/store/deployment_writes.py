"""The writes that change deployments, whatever entry asks for them."""

from typing import Final

from msgspec.structs import replace

from nomadspec.model.cluster.entities import (
    Deployment,
    DeploymentState,
    DeploymentStatus,
    DeploymentStatusUpdate,
)
from nomadspec.model.cluster.entities.deployment import is_terminal
from nomadspec.model.cluster.store.draft import Draft
from nomadspec.model.cluster.store.job_writes import write_stability
from nomadspec.model.cluster.store.run import RefusedError
from nomadspec.model.cluster.store.state import NOBODY
from nomadspec.model.cluster.store.tables import DEPLOYMENTS, JobKey
from nomadspec.model.specification.quirks import STALE_DEPLOYMENT

CANCELLED_NEWER: Final = "Cancelled due to newer version of job"

_RESTARTS_CLOCK: Final = frozenset({DeploymentStatus.RUNNING.value, DeploymentStatus.PAUSED.value})


def write_deployment(draft: Draft, deployment: Deployment) -> None:
    """Write a deployment; its promotions cannot be undone, and success makes its job version stable.

    Spec: DEP-19, DEP-62.
    """
    before = draft.deployments.get(deployment.id)
    if before is not None:
        for name, state in deployment.task_groups.items():
            known = before.task_groups.get(name)
            if known is not None and known.promoted and state is not None and not state.promoted:
                raise RefusedError("deployment promotion cannot be undone")
    created = draft.index if before is None else before.create_index
    written = replace(deployment, create_index=created, modify_index=draft.index)
    draft.put(written)
    draft.touch(DEPLOYMENTS)
    _mark_if_successful(draft, written)


def update_deployment_status(draft: Draft, update: DeploymentStatusUpdate) -> None:
    """Give an active deployment a new status; running and paused ones get new deadlines.

    Spec: DEP-20, DEP-21, OBJ-414, DEP-62, SYSDEP-25.
    """
    deployment = find_active_deployment(draft, update.deployment_id)
    groups = deployment.task_groups
    if update.status in _RESTARTS_CLOCK:
        groups = {name: _restart_clock(state, update.updated_at_ns) for name, state in groups.items()}
    written = replace(
        deployment,
        status=update.status,
        status_description=update.status_description,
        task_groups=groups,
        modify_index=draft.index,
        modify_time_ns=update.updated_at_ns,
    )
    draft.put(written)
    draft.touch(DEPLOYMENTS)
    _mark_if_successful(draft, written)


def find_active_deployment(draft: Draft, deployment_id: str) -> Deployment:
    """Find a deployment that may still change its status, or refuse.

    Spec: DEP-20, DEP-27, DEP-29.
    """
    deployment = draft.deployments.get(deployment_id)
    if deployment is None:
        raise RefusedError(f'Deployment ID "{deployment_id}" couldn\'t be updated as it does not exist')
    if is_terminal(deployment):
        raise RefusedError(f'Deployment "{deployment_id}" has terminal status "{deployment.status}":')
    return deployment


def cancel_active_deployments(draft: Draft, key: JobKey, modify_time_ns: int) -> None:
    """Cancel the active deployments of a job that is registered together with a new one.

    Spec: DEP-17.
    """
    for member in sorted(draft.deployments_by_job.get(key, NOBODY)):
        deployment = draft.deployments[member]
        if not is_terminal(deployment):
            draft.put(
                replace(
                    deployment,
                    status=DeploymentStatus.CANCELLED.value,
                    status_description=CANCELLED_NEWER,
                    modify_index=draft.index,
                    modify_time_ns=modify_time_ns,
                )
            )
            draft.touch(DEPLOYMENTS)


def merge_planned(draft: Draft, planned: Deployment) -> Deployment:
    """Merge a plan's deployment with the stored one, which owns what the clients moved.

    Spec: OBJ-423, DEP-22, PLAN-70.
    """
    stored = draft.deployments.get(planned.id)
    if stored is None:
        return planned
    groups = dict(planned.task_groups)
    for name, known in stored.task_groups.items():
        state = groups.get(name)
        if known is not None:
            groups[name] = known if state is None else _keep_counts(state, known)
    merged = replace(planned, task_groups=groups)
    if _is_decided(stored, planned) and not draft.profile.has(STALE_DEPLOYMENT):
        return replace(merged, status=stored.status, status_description=stored.status_description)
    return merged


def _is_decided(stored: Deployment, planned: Deployment) -> bool:
    """True if a plan would undo what was decided of a deployment: its end, or that it is paused."""
    is_halted = stored.status == DeploymentStatus.PAUSED and planned.status == DeploymentStatus.RUNNING
    return is_terminal(stored) or is_halted


def _keep_counts(state: DeploymentState, known: DeploymentState) -> DeploymentState:
    return replace(
        state,
        healthy_allocs=known.healthy_allocs,
        unhealthy_allocs=known.unhealthy_allocs,
        placed_allocs=known.placed_allocs,
        require_progress_by_ns=known.require_progress_by_ns,
    )


def _restart_clock(state: DeploymentState | None, now_ns: int) -> DeploymentState | None:
    if state is None or not state.progress_deadline_ns:
        return state
    return replace(state, require_progress_by_ns=now_ns + state.progress_deadline_ns)


def _mark_if_successful(draft: Draft, deployment: Deployment) -> None:
    if deployment.status == DeploymentStatus.SUCCESSFUL:
        key = (deployment.namespace, deployment.job_id)
        write_stability(draft, key, deployment.job_version, stable=True)
