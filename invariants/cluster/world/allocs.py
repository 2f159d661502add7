"""What must be true of allocations: none comes back, and none is rewritten by the wrong side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final

from nomadspec.invariants.cluster.world.missing_allocs import is_halted
from nomadspec.invariants.cluster.world.registry import Step, always, list_changed, list_new, on_step
from nomadspec.model.cluster.acts import MissHeartbeat, ReportAllocs, SetHealth
from nomadspec.model.cluster.entities import (
    Allocation,
    AllocClient,
    EvalStatus,
    Job,
    NodeStatus,
    Trigger,
)
from nomadspec.model.cluster.entities.allocation import (
    has_reschedule_failed,
    is_canary,
    is_reported_end,
    is_server_terminal,
    is_terminal,
)
from nomadspec.model.cluster.entities.evaluation import is_terminal as has_ended
from nomadspec.model.cluster.entities.group import find_lost_after_ns
from nomadspec.model.cluster.entities.job import BATCH_TYPES, GENERIC_TYPES, find_group
from nomadspec.model.cluster.policy.disconnect import has_expired
from nomadspec.model.cluster.policy.reschedule import find_own_group
from nomadspec.model.cluster.resources.amounts import compute_amounts
from nomadspec.model.cluster.resources.capacity import compute_capacity
from nomadspec.model.cluster.world import World

_IDENTITY: Final = (
    "namespace",
    "job_id",
    "task_group",
    "node_id",
    "name",
    "create_index",
    "create_time_ns",
    "previous_allocation",
)
_OF_SERVERS: Final = ("desired_status", "desired_transition", "next_allocation", "alloc_modify_index")


@on_step("OBJ-230", reads="allocs", because="An allocation that an operator has stopped would run again.")
def stopped_alloc_stays_stopped(step: Step) -> Iterator[str]:
    """An allocation that is to stop is never wanted again."""
    for was, now in list_changed(step.before.state.allocs, step.after.state.allocs):
        if is_server_terminal(was) and not is_server_terminal(now):
            yield f"alloc {now.id} was to {was.desired_status} and is to {now.desired_status}"


@on_step("OBJ-231", "ALLOC-10", reads="allocs", because="A task that was replaced would be counted twice.")
def ended_alloc_stays_ended(step: Step) -> Iterator[str]:
    """An allocation that is complete or failed keeps that client status."""
    for was, now in list_changed(step.before.state.allocs, step.after.state.allocs):
        if is_reported_end(was.client_status) and not is_reported_end(now.client_status):
            yield f"alloc {now.id} was {was.client_status} and is {now.client_status}"


@on_step("ALLOC-06", reads="allocs", because="An allocation's ID would come to mean another allocation.")
def identity_of_alloc_never_changes(step: Step) -> Iterator[str]:
    """No write changes where an allocation belongs, where it runs, and when it was made."""
    for was, now in list_changed(step.before.state.allocs, step.after.state.allocs):
        for name in _IDENTITY:
            if getattr(was, name) != getattr(now, name):
                yield f"alloc {now.id}: {name} was {getattr(was, name)} and is {getattr(now, name)}"


@on_step("ALLOC-11", "ALLOC-12", reads="allocs", because="A client could undo an operator's stop or update.")
def client_report_leaves_fields_of_servers(step: Step) -> Iterator[str]:
    """A report of a client changes nothing of what the servers want of its allocations.

    Entries of plans in flight come before the report, so a step with such entries shows nothing of it.
    """
    if not isinstance(step.act, ReportAllocs) or step.before.leader.in_flight:
        return
    for was, now in list_changed(step.before.state.allocs, step.after.state.allocs):
        for name in _OF_SERVERS:
            if getattr(was, name) != getattr(now, name) and not is_terminal(now):
                yield f"alloc {now.id}: a client changed {name} to {getattr(now, name)}"


@on_step("DISC-02", "DISC-05", reads="nodes", because="A lost allocation would count as running.")
def live_alloc_on_disconnected_node_becomes_unknown(step: Step) -> Iterator[str]:
    """An alloc on a disconnected node is unknown, or its job is about to be evaluated."""
    for alloc in _list_unattended(step):
        if alloc.client_status == AllocClient.RUNNING:
            yield f"alloc {alloc.id} is running on {alloc.node_id}, which is disconnected"


@on_step("DISC-11", "TRIG-17", reads="nodes", because="A lost allocation would be replaced too late.")
def unknown_alloc_is_lost_after_its_time(step: Step) -> Iterator[str]:
    """No alloc is unknown past its lost_after, unless its job is about to be evaluated.

    Its end is planned when it becomes unknown (DISC-06). A later version with another lost_after changes
    nothing of that, so a job is left out whose versions disagree, or are no longer all kept.
    """
    for alloc in _list_unattended(step):
        if has_expired(alloc, step.before.now_ns) and not _is_lost_after_changed(step.before, alloc):
            yield f"alloc {alloc.id} on {alloc.node_id} is unknown, though its time is over"


def _is_lost_after_changed(world: World, alloc: Allocation) -> bool:
    """True while the versions of a job disagree for how long an allocation may be unknown, or may have."""
    kept = world.state.list_job_versions(alloc.namespace, alloc.job_id)
    if kept and kept[0].version >= len(kept):
        return True
    groups = (find_own_group(alloc), *(find_group(job, alloc.task_group) for job in kept))
    return len({find_lost_after_ns(group) if group is not None else 0 for group in groups}) > 1


def _list_unattended(step: Step) -> Iterator[Allocation]:
    """List the allocs on a disconnected node that misses heartbeats again, of jobs without a due eval."""
    state, node = step.before.state, None
    if isinstance(step.act, MissHeartbeat):
        node = state.find_node(step.act.node)
    if node is None or node.status != NodeStatus.DISCONNECTED:
        return
    for alloc in state.list_allocs_of_node(node.id):
        job = state.find_job(alloc.namespace, alloc.job_id)
        if job is None or job.type not in GENERIC_TYPES or is_terminal(alloc):
            continue
        if not _is_about_to_be_evaluated(step.before, job):
            yield alloc


def _is_about_to_be_evaluated(world: World, job: Job) -> bool:
    """True while an evaluation of a job is pending, and waits for nothing but its turn."""
    evals = world.state.list_evals_of_job(job.namespace, job.id)
    return any(each.status == EvalStatus.PENDING and each.wait_until_ns <= world.now_ns for each in evals)


@on_step("PLAN-70", "JOB-12", reads="allocs", because="A stopped job would get more allocations.")
def stopped_job_gets_no_new_alloc(step: Step) -> Iterator[str]:
    """No allocation is made for a job that was stopped or forgotten before the plan's entry."""
    for alloc in list_new(step.before.state.allocs, step.after.state.allocs):
        job = step.before.state.find_job(alloc.namespace, alloc.job_id)
        if job is None or job.stop:
            yield f"alloc {alloc.id} was made for {alloc.job_id}, which was {'stopped' if job else 'unknown'}"


@always("OBJ-259", "PLAN-54", reads="allocs nodes", because="Tasks would starve each other or be killed.")
def no_node_is_oversubscribed(step: Step) -> Iterator[str]:
    """The allocations of a node that have not ended take no more of it than it has to give."""
    state = step.after.state
    for node in state.nodes.values():
        taken = [
            compute_amounts(alloc.allocated_resources)
            for alloc in _list_of_node(step, node.id)
            if not is_terminal(alloc)
        ]
        if not taken or node.node_resources is None:
            continue
        there = compute_capacity(node)
        for kind, used, limit in (
            ("MHz", sum(each.cpu_mhz for each in taken), there.cpu_mhz),
            ("MB of memory", sum(each.memory_mb for each in taken), there.memory_mb),
        ):
            if used > limit:
                yield f"node {node.id} has {limit} {kind}, and its allocations take {used}"


def _list_of_node(step: Step, node_id: str) -> Iterator[Allocation]:
    allocs = step.after.state.allocs
    return (allocs[alloc_id] for alloc_id in step.after.state.allocs_by_node.get(node_id, ()))


@on_step(
    "ALLOC-15", "OBJ-215", reads="allocs", because="An operator's stop of an allocation would be forgotten."
)
def alloc_keeps_its_desired_transition(step: Step) -> Iterator[str]:
    """What was asked of an allocation, as to migrate, stays asked until it is asked otherwise."""
    for was, now in list_changed(step.before.state.allocs, step.after.state.allocs):
        before, after = was.desired_transition, now.desired_transition
        for name in before.__struct_fields__ if before is not after else ():
            if getattr(before, name) and getattr(after, name) is None:
                yield f"alloc {now.id} was to {name}, and is not any more"


@always(
    "DISC-08", "REC-78", reads="allocs evals", because="A service would run nowhere until lost_after is over."
)
def unknown_alloc_takes_no_place_of_a_lost_one(step: Step) -> Iterator[str]:
    """If the replacement of an unknown allocation is lost and its group is short, its job is evaluated again.

    The evaluation for the end of lost_after does not count: until then the group would be short.
    """
    state = step.after.state
    for alloc in state.allocs.values():
        if alloc.client_status != AllocClient.UNKNOWN or is_server_terminal(alloc):
            continue
        successor = state.find_alloc(alloc.next_allocation) if alloc.next_allocation else None
        if successor is None or successor.client_status != AllocClient.LOST or successor.next_allocation:
            continue
        job = state.find_job(alloc.namespace, alloc.job_id)
        if job is not None and _is_short_for_good(step.after, job, alloc):
            yield f"alloc {successor.id}, in place of {alloc.id}, is lost and not replaced"


@always(
    "DISC-08",
    "RESCHED-18",
    reads="allocs evals",
    because="A service would wait for hours although there is room.",
)
def unplaced_unknown_alloc_has_an_eval(step: Step) -> Iterator[str]:
    """If an unknown allocation found no room for a replacement it lacks, its job is evaluated again.

    The evaluation for the end of lost_after does not count: until then the group would be short.
    """
    state = step.after.state
    for alloc in state.allocs.values():
        is_unknown = alloc.client_status == AllocClient.UNKNOWN and not is_server_terminal(alloc)
        if not (is_unknown and has_reschedule_failed(alloc)) or alloc.next_allocation:
            continue
        job = state.find_job(alloc.namespace, alloc.job_id)
        if job is not None and _is_short_for_good(step.after, job, alloc):
            yield f"alloc {alloc.id} of {job.id} found no room, and is not looked at again"


def _is_short_for_good(world: World, job: Job, unknown: Allocation) -> bool:
    """True while the group of an unknown allocation runs too few until the end of lost_after.

    One whose node is back is about to be looked at, and a deployment may halt placements (REC-82).
    """
    state = world.state
    node = state.find_node(unknown.node_id)
    if node is None or node.status != NodeStatus.DISCONNECTED:
        return False
    group = find_group(job, unknown.task_group)
    if job.stop or group is None or is_halted(world, job, group):
        return False
    open_evals = (each for each in state.list_evals_of_job(job.namespace, job.id) if not has_ended(each))
    own = (each for each in state.list_allocs_of_job(job.namespace, job.id) if each.task_group == group.name)
    kept = (each for each in own if each.id != unknown.id and not is_server_terminal(each))
    counted = sum(each.client_status != AllocClient.UNKNOWN or not each.next_allocation for each in kept)
    return counted < group.count and all(
        each.triggered_by == Trigger.MAX_DISCONNECT_TIMEOUT for each in open_evals
    )


@always("ALLOC-08", "REC-50", reads="allocs", because="One failure would be replaced twice.")
def alloc_has_one_live_successor(step: Step) -> Iterator[str]:
    """At most one living allocation replaces another, but for canaries and those that wait for a node.

    What was replaced while it was unknown is replaced once more if its group is short then: when it is lost
    (DISC-11), updated (DISC-12), or moves.
    """
    previous = Counter(
        alloc.previous_allocation
        for alloc in step.after.state.allocs.values()
        if alloc.previous_allocation and not is_terminal(alloc) and alloc.client_status != AllocClient.UNKNOWN
    )
    for alloc_id, count in previous.items():
        old = step.after.state.find_alloc(alloc_id)
        if count > 1 and not (old and _was_short(step, old)):
            yield f"alloc {alloc_id} has {count} living successors"


def _was_short(step: Step, old: Allocation) -> bool:
    """True if an allocation has not failed, and its group has no more living ones than its count.

    Canaries run beside them. The job may have been scaled down while a plan was in flight, so the versions
    that live have counts as well.
    """
    state = step.after.state
    group = find_group(state.find_job(old.namespace, old.job_id), old.task_group)
    if old.client_status == AllocClient.FAILED or group is None:
        return False
    allocs = state.list_allocs_of_job(old.namespace, old.job_id)
    living = [each for each in allocs if each.task_group == old.task_group and not is_terminal(each)]
    planned = (own.count for own in map(find_own_group, living) if own is not None)
    known = sum(each.client_status != AllocClient.UNKNOWN and not is_canary(each) for each in living)
    return known <= max((group.count, *planned))


@always("ALLOC-08", reads="allocs", because="A reader who follows the links would go in circles.")
def chain_of_replacements_has_no_cycle(step: Step) -> Iterator[str]:
    """An allocation replaces one that was made before it."""
    for alloc in step.after.state.allocs.values():
        old = step.after.state.allocs.get(alloc.previous_allocation)
        if old is not None and old.create_index >= alloc.create_index:
            yield f"alloc {alloc.id} of index {alloc.create_index} replaces {old.id} of {old.create_index}"


@on_step("HEALTH-01", reads="allocs", because="Work that is to end would pass for a service that runs well.")
def batch_alloc_gets_no_health(step: Step) -> Iterator[str]:
    """A batch or sysbatch alloc gets health only where it has failed (HEALTH-17), or from an operator."""
    before, after = step.before.state.allocs, step.after.state.allocs
    changes = [*list_changed(before, after), *((None, new) for new in list_new(before, after))]
    for was, now in changes if not isinstance(step.act, SetHealth) else ():
        health = _read_health(now)
        is_news = health is not None and (was is None or _read_health(was) != health)
        has_failed = health is False and now.client_status == AllocClient.FAILED
        if is_news and not has_failed and now.job is not None and now.job.type in BATCH_TYPES:
            yield f"alloc {now.id} of {now.job.type} job {now.job_id}: {now.client_status}, healthy {health}"


def _read_health(alloc: Allocation) -> bool | None:
    return alloc.deployment_status.healthy if alloc.deployment_status else None


ALLOC_PROPERTIES: Final = (
    stopped_alloc_stays_stopped,
    ended_alloc_stays_ended,
    identity_of_alloc_never_changes,
    client_report_leaves_fields_of_servers,
    live_alloc_on_disconnected_node_becomes_unknown,
    unknown_alloc_is_lost_after_its_time,
    stopped_job_gets_no_new_alloc,
    no_node_is_oversubscribed,
    alloc_keeps_its_desired_transition,
    unknown_alloc_takes_no_place_of_a_lost_one,
    unplaced_unknown_alloc_has_an_eval,
    alloc_has_one_live_successor,
    batch_alloc_gets_no_health,
    chain_of_replacements_has_no_cycle,
)
