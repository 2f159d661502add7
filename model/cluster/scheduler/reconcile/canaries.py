"""Canaries: those that are not needed any more, those that count, and those that are missing."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Set as AbstractSet

from msgspec.structs import replace

from nomadspec.model.cluster.entities import Allocation, AllocClient, Deployment, DesiredDescription
from nomadspec.model.cluster.entities.group import has_update_strategy
from nomadspec.model.cluster.scheduler.reconcile.buckets import Bucket, sort_into_buckets
from nomadspec.model.cluster.scheduler.reconcile.group_run import GroupRun
from nomadspec.model.cluster.scheduler.reconcile.inputs import AllocSet
from nomadspec.model.cluster.scheduler.requests import PlacementRequest
from nomadspec.model.specification.quirks import UNDEPLOYED_CANARY, UNREPLACED_CANARY


def end_canaries(run: GroupRun) -> None:
    """Stop canaries that nobody waits for, and those whose nodes are lost; find the ones that count.

    Spec: REC-66, REC-67, REC-68, DISC-16.
    """
    _stop_unneeded(run)
    current = run.deployments.current
    placed = frozenset(_list_placed(current, only_unpromoted=False)) if current else frozenset[str]()
    canaries = _pick(run.allocs, placed)
    buckets = sort_into_buckets(run.call, canaries, is_noted=False)
    for alloc in run.call.visit(buckets[Bucket.MIGRATE]):
        run.done.stop(alloc, DesiredDescription.MIGRATING)
        del run.allocs[alloc.id]
    for alloc in run.call.visit(buckets[Bucket.LOST]):
        run.done.stop(alloc, DesiredDescription.LOST, AllocClient.LOST)
        del run.allocs[alloc.id]
    for bucket in (Bucket.MIGRATE, Bucket.LOST):
        run.call.note(buckets[bucket].values(), bucket, "REC-67", "a canary that cannot stay on its node")
    run.canaries = buckets[Bucket.UNTAINTED]


def _stop_unneeded(run: GroupRun) -> None:
    """Stop the canaries of the old deployment, and those of a current one that failed.

    Spec: REC-66.
    """
    deployments = run.deployments
    ended = (deployments.old, deployments.current if deployments.is_failed else None)
    unneeded = {
        canary
        for deployment in ended
        if deployment is not None
        for canary in _list_placed(deployment, only_unpromoted=True)
    }
    found = _pick(run.allocs, unneeded)
    for alloc in run.call.visit(found):
        run.done.stop(alloc, DesiredDescription.NOT_NEEDED)
        del run.allocs[alloc.id]
    run.done.counts["stop"] += len(found)
    run.call.note(found.values(), "unneeded canary", "REC-66", "its deployment has ended, or will")


def _pick(allocs: AllocSet, wanted: AbstractSet[str]) -> dict[str, Allocation]:
    """Pick some allocations: mostly none are wanted, and none has to be looked at."""
    return {alloc_id: alloc for alloc_id, alloc in allocs.items() if alloc_id in wanted} if wanted else {}


def _list_placed(deployment: Deployment, *, only_unpromoted: bool) -> Iterable[str]:
    for state in deployment.task_groups.values():
        if state is not None and not (only_unpromoted and state.promoted):
            yield from state.placed_canaries


def request_canaries(run: GroupRun) -> None:
    """Ask for the canaries that are missing.

    Spec: REC-69, REC-70, REC-71, REC-72, 04/S-18, X-71, X-76.
    """
    update = run.group.update
    if not has_update_strategy(run.group) and not run.call.profile.has(UNDEPLOYED_CANARY):
        return
    has_room = update is not None and len(run.canaries) < update.canary
    replaced = run.destructive or _list_moving(run)
    run.needs_canaries = bool(has_room and (run.destructive or _is_awaited(run)) and not run.state.promoted)
    if update is None or not run.needs_canaries:
        return
    run.state = replace(run.state, desired_canaries=update.canary)
    if run.is_existing:
        run.deployments.put_state(run.group.name, run.state)
    if run.deployments.is_paused or run.deployments.is_failed:
        return
    missing = update.canary - len(run.canaries)
    run.done.counts["canary"] += missing
    names, run.names = run.names.with_next_canaries(
        missing,
        (canary.name for canary in run.canaries.values()),
        (alloc.name for alloc in replaced.values()),
    )
    run.done.placements += [PlacementRequest(name=name, group=run.group, is_canary=True) for name in names]


def _is_awaited(run: GroupRun) -> bool:
    """True while the group waits for a promotion, whatever is left of the version before.

    Spec: REC-69, X-71.
    """
    return run.is_canarying() and not run.call.profile.has(UNREPLACED_CANARY)


def _list_moving(run: GroupRun) -> AllocSet:
    """List what is placed elsewhere before it can be replaced by a new version."""
    return run.lost | run.migrate | run.now
