"""Things that meet: what a plan brings together in the state of a cluster, whoever drew it.

Most defects need two things at a time. Walks and histories are counted by what meets in them, so that a
change of how they are drawn does not lose a kind of meeting without anybody noticing.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum

from nomadspec.model.cluster.entities import Allocation, AllocClient, Job, NodeStatus
from nomadspec.model.cluster.entities.allocation import is_terminal
from nomadspec.model.cluster.policy.reschedule import find_own_group
from nomadspec.model.cluster.store.state import State


class Meeting(StrEnum):
    """What can meet."""

    SEVERAL_EVENTS = "several events of a job before one look"
    REDELIVERY = "an evaluation is delivered again"
    COLLECTOR = "the collector deletes something while a worker plans"
    WATCHER = "the deployment watcher writes while a worker plans for the job"
    PAUSED = "a deployment is paused while it runs"
    FAILED = "a deployment is failed while it runs"
    TWO_SCHEDULERS = "two schedulers plan on one snapshot"
    SEVERAL_GROUPS = "a plan places allocations of several groups"
    LIMITED_ATTEMPTS = "an allocation fails that was rescheduled, its attempts being limited"
    BACK_BESIDE_REPLACEMENT = "a node is back whose unknown allocation was replaced"
    CANARIES_OF_TWO_GROUPS = "a deployment has canaries of two groups"
    VOLUME = "an allocation is placed with a volume"
    PREEMPTED_BY_OWN_KIND = "an allocation preempts one of its own type of job"
    SPREAD_TARGET = "an allocation is placed by the targets of a spread"


def list_met(before: State, after: State) -> Iterator[Meeting]:
    """List what meets in the allocations that changed, and in the deployments."""
    if after.allocs is not before.allocs:
        changed = [alloc for alloc in after.allocs.values() if before.find_alloc(alloc.id) is not alloc]
        placed = [alloc for alloc in changed if before.find_alloc(alloc.id) is None]
        yield from _list_placed(after, placed)
        for alloc in changed:
            was = before.find_alloc(alloc.id)
            if was is not None:
                yield from _list_of_change(was, alloc)
    if after.nodes is not before.nodes:
        yield from _list_of_nodes(before, after)
    if after.deployments is not before.deployments:
        yield from _list_of_deployments(before, after)


def _list_placed(after: State, placed: list[Allocation]) -> Iterator[Meeting]:
    if len({(alloc.job_id, alloc.task_group) for alloc in placed}) > len({alloc.job_id for alloc in placed}):
        yield Meeting.SEVERAL_GROUPS
    if any(group is not None and group.volumes for group in map(find_own_group, placed)):
        yield Meeting.VOLUME
    if any(map(_has_targets, placed)):
        yield Meeting.SPREAD_TARGET
    preempted = ((alloc, after.find_alloc(each)) for alloc in placed for each in alloc.preempted_allocations)
    if any(one is not None and _find_type(one.job) == _find_type(alloc.job) for alloc, one in preempted):
        yield Meeting.PREEMPTED_BY_OWN_KIND


def _has_targets(alloc: Allocation) -> bool:
    group = find_own_group(alloc)
    spreads = (*(alloc.job.spreads if alloc.job else ()), *(group.spreads if group else ()))
    return any(spread.spread_target for spread in spreads)


def _find_type(job: Job | None) -> str:
    return job.type if job is not None else ""


def _list_of_change(was: Allocation, now: Allocation) -> Iterator[Meeting]:
    group, tracker = find_own_group(now), now.reschedule_tracker
    policy = group.reschedule_policy if group is not None else None
    is_limited = policy is not None and policy.attempts and not policy.unlimited
    has_failed = now.client_status == AllocClient.FAILED != was.client_status
    if has_failed and is_limited and tracker and tracker.events:
        yield Meeting.LIMITED_ATTEMPTS


def _list_of_nodes(before: State, after: State) -> Iterator[Meeting]:
    for was in before.nodes.values():
        now = after.find_node(was.id)
        is_back = now is not None and was.status == NodeStatus.DISCONNECTED != now.status
        for alloc in before.list_allocs_of_node(was.id) if is_back else ():
            if alloc.client_status == AllocClient.UNKNOWN and _has_replacement(before, alloc):
                yield Meeting.BACK_BESIDE_REPLACEMENT


def _has_replacement(state: State, alloc: Allocation) -> bool:
    of_job = state.list_allocs_of_job(alloc.namespace, alloc.job_id)
    return any(each.previous_allocation == alloc.id and not is_terminal(each) for each in of_job)


def _list_of_deployments(before: State, after: State) -> Iterator[Meeting]:
    for deployment in after.deployments.values():
        was = before.find_deployment(deployment.id)
        groups = [group for group in deployment.task_groups.values() if group is not None]
        if was is not deployment and sum(bool(group.placed_canaries) for group in groups) > 1:
            yield Meeting.CANARIES_OF_TWO_GROUPS
