"""Deployments: the entries that change their status, promote canaries, set health and delete them."""

from collections.abc import Iterable, Iterator
from typing import Final

from msgspec.structs import replace

from nomadspec.model.cluster.entities import (
    Allocation,
    AllocDeploymentStatus,
    Deployment,
    DeploymentState,
    DeploymentStatus,
    Evaluation,
)
from nomadspec.model.cluster.entities.allocation import is_healthy, is_terminal
from nomadspec.model.cluster.store.canonical import canonicalize_job
from nomadspec.model.cluster.store.counters import count_in_deployment
from nomadspec.model.cluster.store.deployment_writes import find_active_deployment, update_deployment_status
from nomadspec.model.cluster.store.draft import Draft
from nomadspec.model.cluster.store.evals import write_evals
from nomadspec.model.cluster.store.job_writes import write_job
from nomadspec.model.cluster.store.requests import (
    DeploymentAllocHealth,
    DeploymentDelete,
    DeploymentPromote,
    DeploymentUpdateStatus,
)
from nomadspec.model.cluster.store.run import RefusedError, Run
from nomadspec.model.cluster.store.tables import ALLOCS, DEPLOYMENTS

RUNNING: Final = "Deployment is running"


def change_deployment_status(run: Run, request: DeploymentUpdateStatus) -> None:
    """Change the status of a deployment, roll the job back if that is asked, then write the evaluation.

    Spec: DEP-20, DEP-21, DEP-30, DEP-61, OBJ-414, FSM-03.
    """
    draft = run.begin()
    if request.deployment_update is not None:
        update_deployment_status(draft, request.deployment_update)
    if request.job is not None:
        write_job(draft, canonicalize_job(request.job))
    _write_eval(draft, request.eval)
    run.commit(draft)
    run.hand_eval(request.eval)


def promote_deployment(run: Run, request: DeploymentPromote) -> None:
    """Make the canaries of groups ordinary allocations, if enough of them are healthy.

    Spec: DEP-27, DEP-28, OBJ-413, DEP-30, SYSDEP-29, DEP-14, 08/S10.
    """
    draft = run.begin()
    deployment = find_active_deployment(draft, request.deployment_id)
    groups = {
        name: state
        for name, state in deployment.task_groups.items()
        if state is not None and (request.all or name in request.groups)
    }
    canaries = [alloc for alloc in _list_healthy_canaries(draft, deployment) if alloc.task_group in groups]
    _demand_healthy(groups, canaries)
    _write_promoted(draft, deployment, groups, request.promoted_at_ns)
    for alloc in canaries:
        _end_canary(draft, alloc)
    draft.touch(ALLOCS)
    _write_eval(draft, request.eval)
    run.commit(draft)
    run.hand_eval(request.eval)


def set_alloc_health(run: Run, request: DeploymentAllocHealth) -> None:
    """Set the health of allocations, then the status, the job and the evaluation that come with it.

    Spec: DEP-29, DEP-30, OBJ-412.
    """
    draft = run.begin()
    find_active_deployment(draft, request.deployment_id)
    for alloc_id in request.healthy_allocation_ids:
        _set_health(draft, request, alloc_id, healthy=True)
    for alloc_id in request.unhealthy_allocation_ids:
        _set_health(draft, request, alloc_id, healthy=False)
    if request.healthy_allocation_ids or request.unhealthy_allocation_ids:
        draft.touch(ALLOCS)
    if request.deployment_update is not None:
        update_deployment_status(draft, request.deployment_update)
    if request.job is not None:
        write_job(draft, canonicalize_job(request.job))
    _write_eval(draft, request.eval)
    run.commit(draft)
    run.hand_eval(request.eval)


def delete_deployments(run: Run, request: DeploymentDelete) -> None:
    """Delete deployments; missing ones are skipped.

    Spec: GC-93, OBJ-420.
    """
    draft = run.begin()
    known = [name for name in dict.fromkeys(request.deployments) if name in draft.deployments]
    for name in known:
        draft.delete(DEPLOYMENTS, name)
    if request.deployments:
        draft.touch(DEPLOYMENTS)
    run.commit(draft)


def _write_eval(draft: Draft, evaluation: Evaluation | None) -> None:
    if evaluation is not None:
        write_evals(draft, (evaluation,))


def _list_healthy_canaries(draft: Draft, deployment: Deployment) -> Iterator[Allocation]:
    placed = (name for state in deployment.task_groups.values() if state for name in state.placed_canaries)
    for name in dict.fromkeys(placed):
        alloc = draft.allocs.get(name)
        if alloc is None or alloc.deployment_id != deployment.id:
            continue
        if is_healthy(alloc) and not is_terminal(alloc):
            yield alloc


def _demand_healthy(groups: dict[str, DeploymentState], canaries: Iterable[Allocation]) -> None:
    healthy = [alloc.task_group for alloc in canaries]
    missing = [
        f'Task group "{name}" has {healthy.count(name)}/{state.desired_canaries} healthy allocations'
        for name, state in sorted(groups.items())
        if healthy.count(name) < state.desired_canaries
    ]
    if missing:
        noun = "error" if len(missing) == 1 else "errors"
        lines = "".join(f"\t* {line}\n" for line in missing)
        raise RefusedError(f"{len(missing)} {noun} occurred:\n{lines}\n")


def _write_promoted(
    draft: Draft, deployment: Deployment, groups: dict[str, DeploymentState], promoted_at_ns: int
) -> None:
    promoted = {name: _promote(state, draft.now_ns) for name, state in groups.items()}
    all_groups = {**deployment.task_groups, **promoted}
    description = deployment.status_description
    if deployment.status == DeploymentStatus.RUNNING and not _waits_for_promotion(all_groups.values()):
        description = RUNNING
    draft.put(
        replace(
            deployment,
            task_groups=all_groups,
            status_description=description,
            modify_index=draft.index,
            modify_time_ns=promoted_at_ns,
        )
    )
    draft.touch(DEPLOYMENTS)


def _promote(state: DeploymentState, now_ns: int) -> DeploymentState:
    due = state.require_progress_by_ns
    if due and state.progress_deadline_ns > 0:
        due = now_ns + state.progress_deadline_ns
    return replace(state, promoted=True, require_progress_by_ns=due)


def _waits_for_promotion(groups: Iterable[DeploymentState | None]) -> bool:
    return any(state is not None and state.desired_canaries and not state.promoted for state in groups)


def _end_canary(draft: Draft, alloc: Allocation) -> None:
    status = alloc.deployment_status or AllocDeploymentStatus()
    draft.put(
        replace(
            alloc,
            deployment_status=replace(status, canary=False, modify_index=draft.index),
            modify_index=draft.index,
            alloc_modify_index=draft.index,
        )
    )


def _set_health(draft: Draft, request: DeploymentAllocHealth, alloc_id: str, *, healthy: bool) -> None:
    before = draft.allocs.get(alloc_id)
    if before is None:
        raise RefusedError(f'unknown alloc "{alloc_id}"')
    if before.deployment_id != request.deployment_id:
        raise RefusedError(f'alloc "{alloc_id}" is not part of deployment "{request.deployment_id}"')
    status = replace(
        before.deployment_status or AllocDeploymentStatus(),
        healthy=healthy,
        timestamp_ns=request.timestamp_ns,
        modify_index=draft.index,
    )
    written = replace(
        before,
        deployment_status=status,
        modify_index=draft.index,
        modify_time_ns=request.timestamp_ns,
    )
    draft.put(count_in_deployment(draft, written, before))
