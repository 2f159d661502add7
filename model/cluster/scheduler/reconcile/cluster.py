"""The reconciler of services and batches: what is compared with what shall be, group by group."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

from nomadspec.model.cluster.entities import Allocation
from nomadspec.model.cluster.entities.job import find_group
from nomadspec.model.cluster.scheduler.reconcile.deployments import (
    JobDeployments,
    find_deployments,
    settle_deployments,
)
from nomadspec.model.cluster.scheduler.reconcile.group import reconcile_group
from nomadspec.model.cluster.scheduler.reconcile.group_run import Decisions
from nomadspec.model.cluster.scheduler.reconcile.inputs import AllocSet, Reconciled, ReconcileInput
from nomadspec.model.cluster.scheduler.reconcile.stopping import end_group, end_job

__all__ = ["ReconcileInput", "Reconciled", "reconcile"]

_Item = TypeVar("_Item")


def reconcile(call: ReconcileInput) -> Reconciled:
    """Decide what has to be done for a job.

    Spec: REC-01, REC-02, REC-03, REC-12, REC-13, REC-90, REC-94.
    """
    deployments = find_deployments(call)
    allocs = _group_allocs(call)
    decided: dict[str, Decisions] = {}
    for name in call.choices.ordered(allocs):
        decided[name] = _decide(call, deployments, name, allocs[name])
    is_running = call.job is not None and not call.job.stop
    is_complete = is_running and all(done.is_complete for done in decided.values())
    deployment = settle_deployments(deployments, is_complete=is_complete)
    return Reconciled(
        deployment=deployment,
        deployment_updates=tuple(deployments.updates),
        placements=_join(decided, lambda done: done.placements),
        destructive=_join(decided, lambda done: done.destructive),
        in_place_updates=_join(decided, lambda done: done.in_place_updates),
        stops=_join(decided, lambda done: done.stops),
        attribute_updates=_merge(call, (done.attribute_updates for done in decided.values())),
        disconnect_updates=_merge(call, (done.disconnect_updates for done in decided.values())),
        reconnect_updates=_merge(call, (done.reconnect_updates for done in decided.values())),
        desired_updates={name: done.build_counters() for name, done in decided.items()},
        followup_evals=_join(decided, lambda done: done.followup_evals),
        name_indexes={name: done.names for name, done in decided.items() if done.names is not None},
    )


def _group_allocs(call: ReconcileInput) -> dict[str, dict[str, Allocation]]:
    """Put allocations by group; a group of the job is there even without any.

    Spec: REC-03.
    """
    groups: dict[str, dict[str, Allocation]] = {
        group.name: {} for group in (call.job.task_groups if call.job else ())
    }
    names = {alloc.task_group for alloc in call.allocs}
    if len(names) == 1:  # as most jobs are
        groups[names.pop()] = {alloc.id: alloc for alloc in call.allocs}
    else:
        for alloc in call.allocs:
            groups.setdefault(alloc.task_group, {})[alloc.id] = alloc
    return groups


def _decide(call: ReconcileInput, deployments: JobDeployments, name: str, allocs: AllocSet) -> Decisions:
    job = call.job
    if job is None or job.stop:
        return end_job(call, allocs)
    group = find_group(job, name)
    if group is None or group.count == 0:
        return end_group(call, allocs)
    return reconcile_group(call, job, group, deployments, allocs)


def _join(decided: dict[str, Decisions], pick: Callable[[Decisions], list[_Item]]) -> tuple[_Item, ...]:
    return tuple(item for done in decided.values() for item in pick(done))


def _merge(call: ReconcileInput, updates: Iterable[AllocSet]) -> tuple[Allocation, ...]:
    """List updates of all groups as they are visited: together, not group by group."""
    merged = {alloc_id: alloc for each in updates for alloc_id, alloc in each.items()}
    return tuple(call.visit(merged))
