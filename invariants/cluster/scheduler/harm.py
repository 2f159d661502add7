"""What users fear of a decision: work that nobody looks for, and wishes of operators that do not stand."""

from __future__ import annotations

from collections.abc import Iterator

from nomadspec.invariants.cluster.scheduler.decision import Decision
from nomadspec.model.cluster.entities import (
    Allocation,
    AllocClient,
    AllocDesired,
    Deployment,
    DeploymentStatus,
    DesiredDescription,
    Job,
    JobType,
    TaskGroup,
)
from nomadspec.model.cluster.entities.allocation import is_healthy, is_terminal
from nomadspec.model.cluster.entities.deployment import is_active
from nomadspec.model.cluster.entities.evaluation import is_open
from nomadspec.model.cluster.entities.job import GENERIC_TYPES
from nomadspec.model.cluster.policy.reschedule import is_allowed, list_events
from nomadspec.model.lifecycle.deployment import HELD


def successful_deployments_are_healthy(decision: Decision) -> Iterator[str]:
    """Say which deployments a call ends well although less lives and is healthy than they desire.

    Of a job that runs on every node all that it has placed has to be healthy: nothing else takes its place.

    Spec: REC-90, DEP-24, SYSDEP-20.
    """
    for was, now in _list_deployments(decision):
        if now.status != DeploymentStatus.SUCCESSFUL or (was and was.status == now.status):
            continue
        allocs = decision.after.state.list_allocs_of_deployment(now.id)
        for name, group in now.task_groups.items():
            healthy = sum(
                alloc.task_group == name and is_healthy(alloc) and not is_terminal(alloc) for alloc in allocs
            )
            desired = group.desired_total if group is not None else 0
            if decision.evaluation.type == JobType.SYSTEM:
                own = sum(alloc.task_group == name and not is_terminal(alloc) for alloc in allocs)
                desired = max(desired, own)
            if healthy < desired:
                yield f"{now.job_id} is deployed with {healthy} of {desired} of {name} healthy"


def stopped_jobs_are_emptied(decision: Decision) -> Iterator[str]:
    """Say which jobs that were stopped are to run on.

    Spec: REC-12, JOB-12.
    """
    job = decision.job
    if job is None or not job.stop or decision.has_used_up_attempts:
        return
    left = [alloc for alloc in decision.after.list_allocs_of_job(job.namespace, job.id) if _is_wanted(alloc)]
    if left:
        yield f"{job.id} was stopped and keeps {len(left)}"


def finished_work_is_done_once(decision: Decision) -> Iterator[str]:
    """Say which work of a batch job is begun again although its version has done it.

    Spec: BATCH-01, BATCH-02.
    """
    job = decision.job
    if job is None or job.type != JobType.BATCH:
        return
    allocs = decision.before.list_allocs_of_job(job.namespace, job.id)
    done = {alloc.name for alloc in allocs if _is_done(alloc, job)}
    for alloc in decision.list_placed():
        if alloc.name in done:
            yield f"{alloc.name} is done and is placed again"


def halted_deployments_stand_still(decision: Decision) -> Iterator[str]:
    """Say what a call replaces by a newer version although its deployment is paused or has failed.

    Spec: REC-11, DEP-49.
    """
    job = decision.job
    if job is None:
        return
    for was in decision.before.state.list_deployments_of_job(job.namespace, job.id):
        if was.status in HELD and was.job_version == job.version and _is_latest(decision, was):
            for alloc in decision.list_stopped(DesiredDescription.UPDATING):
                yield f"{alloc.name} is replaced though its deployment is {was.status}"


def lacking_work_is_looked_for(decision: Decision) -> Iterator[str]:
    """Say which groups lack allocations that nothing will look for again.

    A deployment that goes on is looked after; one that failed, and attempts that are used up, leave those
    missing on purpose.

    Spec: GENERIC-40, GENERIC-44, RESCHED-18.
    """
    job = decision.job
    if job is None or job.stop or job.type not in GENERIC_TYPES:
        return
    if decision.has_used_up_attempts or _is_operated(decision, job):
        return
    evals = decision.after.state.list_evals_of_job(job.namespace, job.id)
    if any(is_open(each) and each.id != decision.evaluation.id for each in evals):
        return
    for group in job.task_groups:
        lacking = _count_lacking(decision, job, group)
        if lacking > 0:
            yield f"{job.id} lacks {lacking} of {group.name}, and nothing will look for it"


def _count_lacking(decision: Decision, job: Job, group: TaskGroup) -> int:
    """Count what a group lacks, without what has used up its attempts."""
    allocs = [
        alloc
        for alloc in decision.after.list_allocs_of_job(job.namespace, job.id)
        if alloc.task_group == group.name
    ]
    there = sum(not is_terminal(alloc) or _is_done(alloc, job) for alloc in allocs)
    exhausted = sum(_is_exhausted(alloc, group, decision.now_ns) for alloc in allocs)
    return group.count - there - exhausted


def _is_exhausted(alloc: Allocation, group: TaskGroup, now_ns: int) -> bool:
    has_failed = alloc.client_status == AllocClient.FAILED and not alloc.next_allocation
    events = list_events(alloc.reschedule_tracker)
    return has_failed and not is_allowed(group.reschedule_policy, events, now_ns)


def _is_operated(decision: Decision, job: Job) -> bool:
    """True while a deployment of the present version goes on, or halts what is missing."""
    return any(
        each.job_version == job.version and (is_active(each) or each.status in HELD)
        for each in decision.after.state.list_deployments_of_job(job.namespace, job.id)
    )


def _is_latest(decision: Decision, deployment: Deployment) -> bool:
    others = decision.before.state.list_deployments_of_job(deployment.namespace, deployment.job_id)
    return all(each.create_index <= deployment.create_index for each in others)


def _list_deployments(decision: Decision) -> Iterator[tuple[Deployment | None, Deployment]]:
    before = decision.before.state.deployments
    for deployment_id, deployment in decision.after.state.deployments.items():
        yield before.get(deployment_id), deployment


def _is_wanted(alloc: Allocation) -> bool:
    return alloc.desired_status == AllocDesired.RUN and not is_terminal(alloc)


def _is_done(alloc: Allocation, job: Job) -> bool:
    is_batch = job.type == JobType.BATCH
    is_own = alloc.job is not None and alloc.job.version == job.version
    return (
        is_batch
        and is_own
        and alloc.client_status == AllocClient.COMPLETE
        and alloc.desired_status == AllocDesired.RUN
    )
