"""Counts of a deployment, moved by every write of an allocation that belongs to it."""

from typing import NamedTuple

from msgspec.structs import replace

from nomadspec.model.cluster.entities import Allocation, AllocDeploymentStatus, DeploymentState
from nomadspec.model.cluster.store.deployment_writes import write_deployment
from nomadspec.model.cluster.store.draft import Draft
from nomadspec.model.specification.profiles import Profile
from nomadspec.model.specification.quirks import COUNTED_ANEW, COUNTED_ONCE


class _Moves(NamedTuple):
    placed: int = 0
    healthy: int = 0
    unhealthy: int = 0


_NONE = _Moves()


def count_in_deployment(draft: Draft, alloc: Allocation, before: Allocation | None) -> Allocation:
    """Count a write of an allocation in its deployment; return the allocation with its health dated.

    Spec: OBJ-410, OBJ-421, OBJ-422, DEP-24, DEP-25, DEP-26, PLAN-75.
    """
    deployment = draft.deployments.get(alloc.deployment_id) if alloc.deployment_id else None
    state = deployment.task_groups.get(alloc.task_group) if deployment is not None else None
    if deployment is None or state is None:
        return alloc
    moves = _compute_moves(alloc, before, draft.profile)
    if moves == _NONE:
        return alloc
    groups = {**deployment.task_groups, alloc.task_group: _move(state, moves, alloc)}
    counted = replace(deployment, task_groups=groups, modify_time_ns=alloc.modify_time_ns)
    write_deployment(draft, counted)
    if alloc.deployment_status is not None and moves.healthy + moves.unhealthy:
        return replace(alloc, deployment_status=replace(alloc.deployment_status, modify_index=draft.index))
    return alloc


def _compute_moves(alloc: Allocation, before: Allocation | None, profile: Profile) -> _Moves:
    if before is None or before.deployment_id != alloc.deployment_id:
        return _Moves(placed=1)
    was, now = _health(before.deployment_status), _health(alloc.deployment_status)
    if now is None and not profile.has(COUNTED_ANEW):
        return _Moves(healthy=-(was is True), unhealthy=-(was is False))
    if now is None or was == now:
        return _NONE
    if was is None:
        return _Moves(healthy=1) if now else _Moves(unhealthy=1)
    if was:
        return _Moves(healthy=-1, unhealthy=1)
    return _NONE if profile.has(COUNTED_ONCE) else _Moves(healthy=1, unhealthy=-1)


def _health(status: AllocDeploymentStatus | None) -> bool | None:
    return None if status is None else status.healthy


def _move(state: DeploymentState, moves: _Moves, alloc: Allocation) -> DeploymentState:
    canaries = state.placed_canaries
    status = alloc.deployment_status
    if status is not None and status.canary and alloc.id not in canaries:
        canaries = (*canaries, alloc.id)
    return replace(
        state,
        placed_allocs=state.placed_allocs + moves.placed,
        healthy_allocs=state.healthy_allocs + moves.healthy,
        unhealthy_allocs=state.unhealthy_allocs + moves.unhealthy,
        placed_canaries=canaries,
        require_progress_by_ns=_compute_progress(state, moves, alloc),
    )


def _compute_progress(state: DeploymentState, moves: _Moves, alloc: Allocation) -> int:
    due = state.require_progress_by_ns
    if not state.progress_deadline_ns:
        return due
    if moves.placed and not due:
        return alloc.modify_time_ns + state.progress_deadline_ns
    if moves.healthy and alloc.deployment_status is not None:
        return max(due, alloc.deployment_status.timestamp_ns + state.progress_deadline_ns)
    return due
