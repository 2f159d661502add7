"""One group of a running job, stage by stage."""

from __future__ import annotations

from nomadspec.model.cluster.entities import Allocation, DeploymentState, Job, JobType, TaskGroup
from nomadspec.model.cluster.entities.allocation import (
    is_server_terminal,
    is_terminal,
    should_reschedule_by_request,
)
from nomadspec.model.cluster.entities.group import has_update_strategy
from nomadspec.model.cluster.policy.health import count_healthy
from nomadspec.model.cluster.policy.names import index_names
from nomadspec.model.cluster.policy.reconnect import is_older
from nomadspec.model.cluster.scheduler.reconcile.buckets import Bucket, sort_into_buckets
from nomadspec.model.cluster.scheduler.reconcile.canaries import end_canaries, request_canaries
from nomadspec.model.cluster.scheduler.reconcile.deployments import JobDeployments, attach_state
from nomadspec.model.cluster.scheduler.reconcile.excess import stop_excess, stop_lost
from nomadspec.model.cluster.scheduler.reconcile.followups import (
    await_changed_timeouts,
    await_client_stops,
    await_reschedules,
)
from nomadspec.model.cluster.scheduler.reconcile.group_run import Decisions, GroupRun
from nomadspec.model.cluster.scheduler.reconcile.inputs import AllocSet, ReconcileInput
from nomadspec.model.cluster.scheduler.reconcile.placements import (
    find_budget,
    keep_within_count,
    migrate,
    place,
    replace_destructively,
    request_placements,
)
from nomadspec.model.cluster.scheduler.reconcile.reconnecting import reconnect
from nomadspec.model.cluster.scheduler.reconcile.rescheduling import disconnect, find_reschedules
from nomadspec.model.cluster.scheduler.reconcile.updates import judge_updates
from nomadspec.model.specification.quirks import DEPLOYED_AGAIN


def list_visible(call: ReconcileInput, allocs: AllocSet) -> dict[str, Allocation]:
    """List what a running job sees of its allocations: stopped ones only where finished work counts.

    Spec: REC-14, BATCH-02, BATCH-12, DISC-10.
    """
    visible = {
        alloc_id: alloc
        for alloc_id, alloc in allocs.items()
        if not is_server_terminal(alloc) or _has_finished_work(alloc)
    }
    call.note(
        (alloc for alloc in allocs.values() if alloc.id not in visible),
        "not looked at",
        "REC-14",
        "the servers stopped it, and what it has done does not count",
    )
    return visible


def _has_finished_work(alloc: Allocation) -> bool:
    is_batch = alloc.job is not None and alloc.job.type == JobType.BATCH
    return is_batch and not should_reschedule_by_request(alloc)


def reconcile_group(
    call: ReconcileInput, job: Job, group: TaskGroup, deployments: JobDeployments, allocs: AllocSet
) -> Decisions:
    """Decide all that has to be done for a group.

    Spec: REC-14, REC-16, REC-17, REC-89.
    """
    run = begin_run(call, job, group, deployments, list_visible(call, allocs))
    ignore_finished(run)
    end_canaries(run)
    fill_buckets(run)
    find_reschedules(run)
    reconnect(run)
    run.lost |= run.expiring
    disconnect(run)
    await_client_stops(run)
    await_reschedules(run)
    begin_names(run)
    stop_lost(run)
    stop_excess(run)
    judge_updates(run)
    await_changed_timeouts(run)
    hold_canaries_back(run)
    request_canaries(run)
    budget = find_budget(run)
    request_placements(run)
    budget = place(run, budget)
    replace_destructively(run, budget)
    migrate(run)
    join_deployment(run)
    keep_within_count(run)
    run.done.names = run.names
    run.done.is_complete = is_complete(run)
    return run.done


def begin_run(
    call: ReconcileInput,
    job: Job,
    group: TaskGroup,
    deployments: JobDeployments,
    allocs: dict[str, Allocation],
) -> GroupRun:
    """Begin with what the current deployment knows of the group.

    Spec: REC-15.
    """
    state = deployments.find_state(group.name)
    is_existing = state is not None
    if state is None:
        state, update = DeploymentState(), group.update
        if update is not None and has_update_strategy(group):
            state = DeploymentState(
                auto_revert=update.auto_revert,
                auto_promote=update.auto_promote,
                progress_deadline_ns=update.progress_deadline_ns,
            )
    return GroupRun(call, job, group, deployments, state, is_existing, allocs)


def ignore_finished(run: GroupRun) -> None:
    """Leave out what an earlier version of a batch job has finished.

    Spec: REC-16, BATCH-05.
    """
    if not run.call.is_batch:
        return
    finished = [alloc for alloc in run.allocs.values() if is_terminal(alloc) and is_older(alloc, run.job)]
    for alloc in finished:
        del run.allocs[alloc.id]
    run.done.counts["ignore"] += len(finished)
    run.call.note(finished, Bucket.IGNORE, "REC-16", "it has ended, and ran an earlier version of the job")


def fill_buckets(run: GroupRun) -> None:
    """Sort what is left of the group.

    Spec: REC-19, REC-40.
    """
    buckets = sort_into_buckets(run.call, run.allocs)
    run.untainted = buckets[Bucket.UNTAINTED]
    run.migrate = buckets[Bucket.MIGRATE]
    run.lost = buckets[Bucket.LOST]
    run.disconnecting = buckets[Bucket.DISCONNECTING]
    run.reconnecting = buckets[Bucket.RECONNECTING]
    run.expiring = buckets[Bucket.EXPIRING]
    run.done.counts["ignore"] += len(buckets[Bucket.IGNORE])


def begin_names(run: GroupRun) -> None:
    """Count which names are in use.

    Spec: REC-56, REC-60, X-69.
    """
    used = run.untainted | run.migrate | run.now | run.lost
    names = [alloc.name for alloc in used.values() if not run.is_replaced(alloc)]
    run.names = index_names(run.job.id, run.group.name, run.group.count, names, profile=run.call.profile)


def hold_canaries_back(run: GroupRun) -> None:
    """Let canaries that are not promoted count for nothing else.

    Spec: REC-18.
    """
    if run.is_canarying():
        for alloc_id in run.canaries:
            run.untainted.pop(alloc_id, None)


def join_deployment(run: GroupRun) -> None:
    """Add the group to the current deployment, or to a new one, if something of it changes.

    Spec: REC-87, X-74.
    """
    has_updates = bool(run.destructive or run.done.in_place_updates)
    is_known = not has_updates and any(map(run.is_of_present_version, run.allocs.values()))
    if run.is_existing or not has_update_strategy(run.group) or not run.state.desired_total or is_known:
        return
    if run.deployments.has_succeeded(run.job) and not run.call.profile.has(DEPLOYED_AGAIN):
        return
    attach_state(run.deployments, run.call, run.job, run.group.name, run.state)


def is_complete(run: GroupRun) -> bool:
    """True where nothing of the group keeps the deployment from being complete.

    Spec: REC-89, X-50.
    """
    done = run.done
    has_work = run.destructive or done.in_place_updates or done.placements or run.migrate
    if has_work or run.now or run.later or run.needs_canaries or run.deployments.current is None:
        return False
    state = run.deployments.find_state(run.group.name)
    if state is None:
        return True
    current, call = run.deployments.current, run.call
    healthy = count_healthy(state, current.id, run.group.name, call.allocs, profile=call.profile)
    has_enough = healthy >= max(state.desired_total, state.desired_canaries)
    return has_enough and (state.promoted or state.desired_canaries == 0)
