"""What must be true of a cluster at rest: nothing that users fear has come to stay.

At rest means that somebody leads, that everything has happened that happens by itself, and that hours passed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final

from nomadspec.invariants.cluster.world.missing_allocs import find_excuse, has_open_eval
from nomadspec.invariants.cluster.world.registry import Step, at_rest
from nomadspec.model.cluster.entities import (
    Allocation,
    AllocClient,
    AllocDesired,
    DeploymentStatus,
    EvalStatus,
    Job,
    JobType,
    NodeStatus,
)
from nomadspec.model.cluster.entities.allocation import is_canary, is_server_terminal, is_terminal
from nomadspec.model.cluster.entities.deployment import is_active, needs_promotion
from nomadspec.model.cluster.entities.group import find_lost_after_ns
from nomadspec.model.cluster.entities.job import GENERIC_TYPES, is_parameterized, is_periodic
from nomadspec.model.cluster.entities.node import Eligibility
from nomadspec.model.cluster.policy.reschedule import find_own_group
from nomadspec.model.cluster.world import World


def _list_own(world: World) -> Iterator[Job]:
    """List the jobs that run allocations of their own."""
    return (job for job in world.state.jobs.values() if not (is_periodic(job) or is_parameterized(job)))


@at_rest(
    "GENERIC-40",
    "GENERIC-44",
    "LEADER-22",
    because="A service would silently run with too few allocations.",
)
def missing_alloc_is_looked_for(step: Step) -> Iterator[str]:
    """If a group lacks allocations, its job will be evaluated again, or a rule says why not."""
    world = step.after
    for job in _list_own(world):
        if job.stop or job.type not in GENERIC_TYPES:
            continue
        for group in job.task_groups:
            if (missing := find_excuse(world, job, group)) is not None:
                yield f"job {job.id}: {missing} of {group.count} of group {group.name} are missing for good"


@at_rest("LEADER-02", "BROKER-09", because="A job would not be evaluated until the next change of leader.")
def pending_eval_is_in_broker(step: Step) -> Iterator[str]:
    """A pending evaluation is in the broker, and a timer or a delivery continues it."""
    broker = step.after.leader.memory.broker
    if not broker.is_enabled:
        return
    timed = {*broker.waits, *(entry.id for entry in broker.delayed), *broker.unack}
    for entry in step.after.state.evals.values():
        if entry.status == EvalStatus.PENDING and entry.id not in timed:
            yield f"eval {entry.id} of {entry.job_id} is pending, and nobody will deliver it"


@at_rest("LEADER-02", "BLOCKED-10", because="Free room would not be offered to the jobs that wait for it.")
def blocked_eval_is_tracked(step: Step) -> Iterator[str]:
    """A blocked evaluation is tracked, so that new capacity unblocks it."""
    blocked_evals = step.after.leader.memory.blocked_evals
    if not blocked_evals.is_enabled:
        return
    for entry in step.after.state.evals.values():
        tracked = any(
            entry.id in table
            for table in (blocked_evals.captured, blocked_evals.escaped, blocked_evals.system)
        )
        if entry.status == EvalStatus.BLOCKED and not tracked:
            yield f"eval {entry.id} of {entry.job_id} is blocked, and nothing will wake it"


@at_rest(
    "REC-60", "REC-12", because="A job with count three would run four, and a singleton would run twice."
)
def no_more_allocs_than_count(step: Step) -> Iterator[str]:
    """A group has no more living allocations than its count, canaries and unknown ones aside.

    A canary is one that its version's deployment can promote or stop; without one it runs like the others.
    """
    world = step.after
    for job in _list_own(world):
        if job.type not in GENERIC_TYPES:
            continue
        living = Counter(
            alloc.task_group
            for alloc in world.state.list_allocs_of_job(job.namespace, job.id)
            if not is_terminal(alloc)
            and not _is_tried(world, alloc)
            and alloc.client_status != AllocClient.UNKNOWN
        )
        for group in job.task_groups:
            if not job.stop and living[group.name] > group.count:
                yield f"job {job.id}: {living[group.name]} of {group.count} of group {group.name} live"


def _is_tried(world: World, alloc: Allocation) -> bool:
    """True while an allocation is a canary of a deployment of its own version."""
    deployment = world.state.find_deployment(alloc.deployment_id) if is_canary(alloc) else None
    own = alloc.job
    return deployment is not None and own is not None and deployment.job_version == own.version


@at_rest("REC-12", "JOB-12", because="A stopped job would run on.")
def stopped_job_has_no_live_alloc(step: Step) -> Iterator[str]:
    """Nothing of a job that was stopped or purged is still to run."""
    state = step.after.state
    for alloc in state.allocs.values():
        job = state.find_job(alloc.namespace, alloc.job_id)
        if (job is None or job.stop) and not is_terminal(alloc):
            how = "stopped" if job else "gone"
            yield f"alloc {alloc.id} of {alloc.job_id} is {alloc.client_status}, its job is {how}"


@at_rest("NODEST-12", "REC-33", because="A service would count on allocations that are long dead.")
def no_live_alloc_on_down_node(step: Step) -> Iterator[str]:
    """Nothing on a node that is down, or gone, is still to run."""
    state = step.after.state
    for alloc in state.allocs.values():
        node = state.find_node(alloc.node_id)
        if (node is None or node.status == NodeStatus.DOWN) and not is_terminal(alloc):
            how = "down" if node else "gone"
            yield f"alloc {alloc.id} is {alloc.client_status} on {alloc.node_id}, which is {how}"


@at_rest("DISC-01", "DISC-08", because="A service would wait for ever for a node that does not come back.")
def no_alloc_stays_unknown_past_lost_after(step: Step) -> Iterator[str]:
    """No allocation stays unknown after its lost_after, except for system jobs, which nothing evaluates then.

    Their schedulers make no evaluation for the end of the wait, so a node that stays away keeps them.
    """
    for alloc in step.after.state.allocs.values():
        group = find_own_group(alloc)
        waits = group is not None and find_lost_after_ns(group) > 0
        if waits and alloc.job is not None and alloc.job.type not in GENERIC_TYPES:
            continue
        if alloc.client_status == AllocClient.UNKNOWN and alloc.desired_status == AllocDesired.RUN:
            yield f"alloc {alloc.id} on {alloc.node_id} is still unknown"


@at_rest("DEP-41", "DEP-42", because="A deployment would hang, and the next version wait for it.")
def deployment_ends_or_waits_for_operator(step: Step) -> Iterator[str]:
    """A running deployment has its deadline ahead, waits for its promotion, or its job is evaluated again.

    The deadline of a group begins with its first placement (DEP-26), for which an evaluation waits; and one
    whose healthy allocations were lost goes on while its job waits for room (DEP-42). A system job without a
    node places nothing, and is evaluated once there is one (NODE-04).
    """
    for each in step.after.state.deployments.values():
        job = step.after.state.find_job(each.namespace, each.job_id)
        if each.status != DeploymentStatus.RUNNING or needs_promotion(each):
            continue
        if job is not None and has_open_eval(step.after, job):
            continue
        groups = [group for group in each.task_groups.values() if group]
        deadlines = [group.require_progress_by_ns for group in groups]
        if any(0 < deadline_ns <= step.after.now_ns for deadline_ns in deadlines):
            yield f"deployment {each.id} of {each.job_id} is still running"
        elif job is None or _lacks_node(step.after, job):
            continue
        elif not any(deadlines) and any(group.progress_deadline_ns for group in groups):
            yield f"deployment {each.id} of {each.job_id} has no deadline, and nothing looks at it again"


@at_rest("REC-69", "DEP-27", because="An operator could not promote a version that waits for just that.")
def deployment_to_be_promoted_has_its_canaries(step: Step) -> Iterator[str]:
    """A running deployment that waits for a promotion has its canaries, or an evaluation will place them.

    One that has placed nothing has no deadline yet (DEP-26). Where a system job has no node to look at, its
    scheduler does not look at its deployment (NODE-04).
    """
    state = step.after.state
    for each in state.deployments.values():
        job = state.find_job(each.namespace, each.job_id)
        if each.status != DeploymentStatus.RUNNING or job is None or has_open_eval(step.after, job):
            continue
        if _lacks_node(step.after, job):
            continue
        for name, group in each.task_groups.items():
            if group is None or group.promoted or not group.placed_allocs:
                continue
            canaries = map(state.find_alloc, group.placed_canaries)
            kept = sum(alloc is not None and not is_server_terminal(alloc) for alloc in canaries)
            if kept < group.desired_canaries:
                what = f"{kept} of {group.desired_canaries} canaries of group {name}"
                yield f"deployment {each.id} waits for its promotion with {what}"


@at_rest("DEP-20", "REC-10", because="A version that is no longer the job's would be deployed.")
def active_deployment_is_of_current_version(step: Step) -> Iterator[str]:
    """An active deployment is of the current version of a job that is not stopped.

    Where a system job has no node to look at, its scheduler does not look at its deployment (NODE-04).
    """
    state = step.after.state
    for each in state.deployments.values():
        job = state.find_job(each.namespace, each.job_id)
        if job is not None and _lacks_node(step.after, job):
            continue
        if is_active(each) and (job is None or job.stop or job.version != each.job_version):
            yield f"deployment {each.id} of version {each.job_version} of {each.job_id} is {each.status}"


def _lacks_node(world: World, job: Job) -> bool:
    """True while a job is a system job without an allocation that lives, or a node that may get one."""
    open_nodes = (
        node.status == NodeStatus.READY and node.scheduling_eligibility == Eligibility.ELIGIBLE
        for node in world.state.nodes.values()
    )
    allocs = world.state.list_allocs_of_job(job.namespace, job.id)
    has_node = any(open_nodes) or any(not is_terminal(alloc) for alloc in allocs)
    return job.type == JobType.SYSTEM and not has_node


@at_rest("CLIENT-02", "CLIENT-04", because="Tasks of stopped allocations would keep running.")
def client_runs_only_wanted_allocs(step: Step) -> Iterator[str]:
    """A reachable client runs only allocations that the servers want."""
    for client in step.after.clients.values():
        for runner in client.runners.values() if client.is_connected else ():
            stored = step.after.state.find_alloc(runner.alloc.id)
            runs = runner.status == AllocClient.RUNNING
            if runs and (stored is None or stored.desired_status != AllocDesired.RUN):
                yield f"alloc {runner.alloc.id} runs on {client.node_id}, and nobody wants it"


@at_rest("CLIENT-05", "CLIENT-07", because="An allocation shown as placed would never have started.")
def placed_alloc_is_reported(step: Step) -> Iterator[str]:
    """A reachable client has reported on each allocation that it is to run."""
    for client in step.after.clients.values():
        for alloc in step.after.state.list_allocs_of_node(client.node_id) if client.is_connected else ():
            runner = client.runners.get(alloc.id)
            if is_terminal(alloc) or (runner is not None and runner.status == alloc.client_status):
                continue
            seen = runner.status if runner else "not known"
            yield f"alloc {alloc.id} on {client.node_id} is {alloc.client_status}, on its client {seen}"


@at_rest("NODEST-09", "NODEST-10", because="A machine would be idle while jobs wait for room.")
def reachable_node_is_ready(step: Step) -> Iterator[str]:
    """A node with a reachable client is ready."""
    for client in step.after.clients.values():
        node = step.after.state.find_node(client.node_id)
        if client.is_connected and node is not None and node.status != NodeStatus.READY:
            yield f"node {node.id} is {node.status}, and its client is in reach"


@at_rest("WORKER-03", "WORKER-05", because="A job would be locked by a worker that does nothing.")
def no_worker_is_stuck(step: Step) -> Iterator[str]:
    """No worker holds an evaluation."""
    for worker in step.after.workers.values():
        if worker.held is not None:
            yield f"{worker.id} still holds {worker.held.eval.id}"


REST_PROPERTIES: Final = (
    missing_alloc_is_looked_for,
    pending_eval_is_in_broker,
    blocked_eval_is_tracked,
    no_more_allocs_than_count,
    stopped_job_has_no_live_alloc,
    no_live_alloc_on_down_node,
    no_alloc_stays_unknown_past_lost_after,
    deployment_ends_or_waits_for_operator,
    deployment_to_be_promoted_has_its_canaries,
    active_deployment_is_of_current_version,
    client_runs_only_wanted_allocs,
    placed_alloc_is_reported,
    reachable_node_is_ready,
    no_worker_is_stuck,
)
