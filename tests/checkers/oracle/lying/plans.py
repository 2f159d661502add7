"""Lies about plans: what is placed where, what is stopped, who is evicted, what deployments become."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from nomadspec.model.cluster.entities import AllocatedResources, Allocation, AllocDeploymentStatus
from nomadspec.model.cluster.store import State
from nomadspec.model.cluster.store.requests import ApplyPlanResults
from tests.checkers.oracle.lying.telling import SILENCE, Twist, given, on, with_first, without_first

ODD = "00000000-0000-0000-0000-00000000beef"


def is_new(alloc: Allocation) -> bool:
    return not alloc.create_index and alloc.allocated_resources is not None


def _new(**changes: Any) -> Twist:
    return on(
        ApplyPlanResults,
        lambda request, _: given(
            request, allocs_updated=with_first(request.allocs_updated, is_new, **changes)
        ),
    )


def _new_where(pick: Callable[[Allocation], bool], **changes: Any) -> Twist:
    return on(
        ApplyPlanResults,
        lambda request, _: given(
            request,
            allocs_updated=with_first(
                request.allocs_updated, lambda each: is_new(each) and pick(each), **changes
            ),
        ),
    )


def _plan(change: Callable[[ApplyPlanResults, State], ApplyPlanResults | None]) -> Twist:
    return on(ApplyPlanResults, change)


def _move(request: ApplyPlanResults, state: State) -> ApplyPlanResults | None:
    """Place something on a node that is there and takes nothing."""
    closed = [
        node.id
        for node in state.list_nodes()
        if node.status != "ready" or node.scheduling_eligibility != "eligible"
    ]
    return (
        given(request, allocs_updated=with_first(request.allocs_updated, is_new, node_id=closed[0]))
        if closed
        else None
    )


def _move_datacenter(request: ApplyPlanResults, state: State) -> ApplyPlanResults | None:
    """Place something on a node of which its job wants nothing."""
    job = request.job
    away = [
        node.id
        for node in state.list_nodes()
        if job is not None and (node.datacenter not in job.datacenters and "*" not in job.datacenters)
    ]
    return (
        given(request, allocs_updated=with_first(request.allocs_updated, is_new, node_id=away[0]))
        if away
        else None
    )


def _twice(request: ApplyPlanResults, _: State) -> ApplyPlanResults | None:
    found = next(filter(is_new, request.allocs_updated), None)
    return (
        replace(request, allocs_updated=(*request.allocs_updated, replace(found, id=ODD))) if found else None
    )


def _stop_another(request: ApplyPlanResults, state: State) -> ApplyPlanResults | None:
    job, known = request.job, {each.id for each in (*request.allocs_stopped, *request.allocs_updated)}
    allocs = state.list_allocs_of_job(job.namespace, job.id) if job else ()
    other = next((each for each in allocs if each.id not in known and each.desired_status == "run"), None)
    if other is None:
        return None
    stop = Allocation(id=other.id, desired_description="alloc not needed as node is tainted")
    return replace(request, allocs_stopped=(*request.allocs_stopped, stop))


def _evict_another(request: ApplyPlanResults, state: State) -> ApplyPlanResults | None:
    found = next(filter(is_new, request.allocs_updated), None)
    job = request.job
    victims = state.list_allocs_of_node(found.node_id) if found else ()
    gone = {each.id for each in (*request.allocs_preempted, *request.allocs_stopped)}
    other = next(
        (
            each
            for each in victims
            if job and each.job_id != job.id and each.desired_status == "run" and each.id not in gone
        ),
        None,
    )
    if other is None or found is None:
        return None
    evicted = Allocation(id=other.id, preempted_by_allocation=found.id)
    return replace(request, allocs_preempted=(*request.allocs_preempted, evicted))


def _stopped(**changes: Any) -> Twist:
    return _plan(
        lambda request, _: given(
            request, allocs_stopped=with_first(request.allocs_stopped, lambda _: True, **changes)
        )
    )


def _deployed(**changes: Any) -> Twist:
    def change(request: ApplyPlanResults, _: State) -> ApplyPlanResults | None:
        deployment = request.deployment
        return replace(request, deployment=replace(deployment, **changes)) if deployment else None

    return _plan(change)


def _grouped(**changes: Any) -> Twist:
    def change(request: ApplyPlanResults, _: State) -> ApplyPlanResults | None:
        deployment = request.deployment
        if deployment is None or not deployment.task_groups:
            return None
        groups = {name: group and replace(group, **changes) for name, group in deployment.task_groups.items()}
        return replace(request, deployment=replace(deployment, task_groups=groups))

    return _plan(change)


def give_more(**changes: Any) -> Callable[[Allocation], AllocatedResources]:
    """Make the change that gives each task so much, and the group so much disk."""

    def change(alloc: Allocation) -> AllocatedResources:
        resources = alloc.allocated_resources or AllocatedResources()
        tasks = {
            name: replace(
                task,
                cpu=replace(task.cpu, cpu_shares=changes.get("cpu", task.cpu.cpu_shares)),
                memory=replace(task.memory, memory_mb=changes.get("memory", task.memory.memory_mb)),
            )
            for name, task in resources.tasks.items()
        }
        shared = replace(resources.shared, disk_mb=changes.get("disk", resources.shared.disk_mb))
        return replace(resources, tasks=tasks, shared=shared)

    return change


def _has_previous(alloc: Allocation) -> bool:
    return bool(alloc.previous_allocation)


def _has_tracker(alloc: Allocation) -> bool:
    return alloc.reschedule_tracker is not None and bool(alloc.reschedule_tracker.events)


def _drop(name: str, pick: Callable[[Any], bool] = lambda _: True) -> Twist:
    return _plan(lambda request, _: given(request, **{name: without_first(getattr(request, name), pick)}))


def _other_update(request: ApplyPlanResults, _: State) -> ApplyPlanResults | None:
    return given(
        request,
        deployment_updates=with_first(
            request.deployment_updates,
            lambda _: True,
            status=lambda each: "cancelled" if each.status == "successful" else "successful",
        ),
    )


PLANS: Mapping[str, Twist] = {
    "plan: a million MHz": _new(allocated_resources=give_more(cpu=1_000_000)),
    "plan: one MHz": _new(allocated_resources=give_more(cpu=1)),
    "plan: no memory": _new(allocated_resources=give_more(memory=0)),
    "plan: more memory than any node": _new(allocated_resources=give_more(memory=10_000_000)),
    "plan: another disk": _new(allocated_resources=give_more(disk=7)),
    "plan: no task": _new(allocated_resources=lambda each: replace(each.allocated_resources, tasks={})),
    "plan: a name of another group": _new(name=lambda each: f"x.{each.name}"),
    "plan: a name with another number": _new(name=lambda each: f"{each.name.partition('[')[0]}[77]"),
    "plan: a group that is not there": _new(task_group="odd"),
    "plan: a node that is not there": _new(node_id="odd"),
    "plan: a node that takes nothing": _plan(_move),
    "plan: a node of another datacenter": _plan(_move_datacenter),
    "plan: one placed twice": _plan(_twice),
    "plan: one not placed": _drop("allocs_updated", is_new),
    "plan: forgets whom it replaces": _new_where(_has_previous, previous_allocation=""),
    "plan: replaces somebody else": _new_where(_has_previous, previous_allocation=ODD),
    "plan: another canary": _new(
        deployment_status=lambda each: AllocDeploymentStatus(canary=not _is_canary(each))
    ),
    "plan: another deployment of an alloc": _new(
        deployment_id=lambda each: "" if each.deployment_id else ODD
    ),
    "plan: placed to be stopped": _new(desired_status="stop"),
    "plan: runs at once": _new(client_status="running"),
    "plan: of another evaluation": _new(eval_id=ODD),
    "plan: forgets how often it failed": _new_where(_has_tracker, reschedule_tracker=None),
    "plan: stops one more": _plan(_stop_another),
    "plan: stops one less": _drop("allocs_stopped"),
    "plan: stops for another reason": _stopped(
        desired_description="alloc was rescheduled because it failed, twice"
    ),
    "plan: stops as lost or not": _stopped(client_status=lambda each: "" if each.client_status else "lost"),
    "plan: waits for nothing that is there": _stopped(followup_eval_id=ODD),
    "plan: evicts one more": _plan(_evict_another),
    "plan: evicts one less": _drop("allocs_preempted"),
    "plan: evicts for another": _plan(
        lambda request, _: given(
            request,
            allocs_preempted=with_first(
                request.allocs_preempted, lambda _: True, preempted_by_allocation=ODD
            ),
        )
    ),
    "plan: a follow-up of an eviction is missing": _drop("preemption_evals"),
    "plan: no deployment": _plan(
        lambda request, _: replace(request, deployment=None) if request.deployment else None
    ),
    "plan: a deployment that succeeds at once": _deployed(status="successful"),
    "plan: a deployment in other words": _deployed(status_description="all is well"),
    "plan: a deployment of another version": _deployed(job_version=77),
    "plan: a deployment of another total": _grouped(desired_total=77),
    "plan: a deployment with other canaries": _grouped(desired_canaries=7),
    "plan: a deployment that is promoted": _grouped(promoted=True, desired_canaries=1),
    "plan: a deployment that never reverts": _grouped(auto_revert=True),
    "plan: a deployment with another deadline": _grouped(progress_deadline_ns=77),
    "plan: a deployment is not ended": _drop("deployment_updates"),
    "plan: a deployment ends otherwise": _plan(_other_update),
    "plan: none at all": _plan(lambda *_: SILENCE),  # type: ignore[arg-type]  # an entry less
}


def _is_canary(alloc: Allocation) -> bool:
    return alloc.deployment_status is not None and alloc.deployment_status.canary
