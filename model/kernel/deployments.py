"""Deployments: counters and status of the current one of each job.

A scheduler begins, goes on with or ends the deployment of its job in a plan, and the store writes it with the
plan. What happens between the two, the plan does not know.
"""

from collections.abc import Callable

from nomadspec.model.kernel.broker import is_system, make_pending
from nomadspec.model.kernel.columns import DeploymentColumns
from nomadspec.model.kernel.ids import AllocNumber, JobId, Placement, WorkerId
from nomadspec.model.kernel.log import note_entry
from nomadspec.model.kernel.records import Plan, PlannedDeployment, Snapshot
from nomadspec.model.kernel.scheduler import Reading
from nomadspec.model.kernel.state import Kernel
from nomadspec.model.kernel.statuses import (
    ACTIVE_DEPLOYMENT,
    AllocPhase,
    DeploymentPart,
    DeploymentPhase,
    Health,
    JobPhase,
    Kind,
)
from nomadspec.model.kernel.verdict import is_stored, updates
from nomadspec.model.language.domain import FLAG, NONE
from nomadspec.model.language.logic import (
    Flag,
    all_of,
    any_of,
    count,
    exists,
    for_all,
    implies,
    ite,
    not_,
    one_of,
)
from nomadspec.model.language.rule import rule, weak, where
from nomadspec.model.specification.quirks import COUNTED_ONCE, ORPHANED_DEPLOYMENT, STALE_DEPLOYMENT


def is_active(status: DeploymentPhase) -> Flag:
    """True while a deployment has not ended."""
    return one_of(status, *ACTIVE_DEPLOYMENT)


def has_unhealthy_alloc(s: Kernel, job: JobId) -> Flag:
    """True while an allocation of the job's deployment is unhealthy, for which the watcher fails it."""
    return exists(
        all_of(s.in_deployment[job, i], s.health[job, i] == Health.UNHEALTHY, is_stored(s, job, i))
        for i in s.allocs
    )


def has_deployments(s: Kernel, job: JobId) -> Flag:
    """True while the job is of a type that has deployments: a service job or a system job."""
    return all_of(s.deployments, one_of(s.kind[job], Kind.SERVICE, Kind.SYSTEM))


def begins_deployment(s: Kernel, worker: WorkerId, job: JobId, reading: Reading) -> Flag:
    """True while a plan begins a deployment: its version has none, and is still to be placed or updated."""
    view = s.seen[worker]
    is_of_version = all_of(
        view.deployment != DeploymentPhase.ABSENT, view.deployment_version == view.job_version
    )
    is_wanted = all_of(view.job_phase == JobPhase.WANTED, has_deployments(s, job))
    has_work = any_of(reading.missing() > 0, exists(reading.updates(i) for i in s.allocs))
    return all_of(is_wanted, not_(is_of_version), has_work)


def is_seen_outdated(view: Snapshot) -> Flag:
    """True while a view shows an active deployment of a stopped job, or of an older version."""
    is_of_version = view.deployment_version == view.job_version
    return all_of(is_active(view.deployment), not_(all_of(view.job_phase == JobPhase.WANTED, is_of_version)))


def is_seen_complete(s: Kernel, worker: WorkerId, job: JobId, reading: Reading) -> Flag:
    """True while a deployment has all the healthy allocations that it is for.

    For a service job nothing may be left to place or update; a system job's can be complete while that is so.
    """
    view = s.seen[worker]
    is_done = for_all(not_(reading.updates(i)) for i in s.allocs)
    is_quiet = any_of(is_system(s, job), all_of(reading.missing() == 0, is_done))
    desired = count(reading.stays(i) for i in s.allocs) + reading.placed()
    return all_of(is_active(view.deployment), not_(is_seen_outdated(view)), is_quiet, view.healthy >= desired)


def plan_deployment(s: Kernel, worker: WorkerId, job: JobId, reading: Reading) -> PlannedDeployment:
    """Say what a plan has of the deployment of its job: it begins one, goes on with it, or ends it.

    The plan of a system job has all of the deployment that it goes on with, that of a service job nothing.
    """
    view = s.seen[worker]
    begins = begins_deployment(s, worker, job, reading)
    carries_all = all_of(is_system(s, job), view.deployment != DeploymentPhase.ABSENT)
    is_known = any_of(carries_all, is_active(view.deployment))
    is_complete = is_seen_complete(s, worker, job, reading)
    success = ite(is_complete, DeploymentPhase.SUCCESSFUL, DeploymentPhase.ABSENT)
    update = ite(is_seen_outdated(view), DeploymentPhase.CANCELLED, success)
    status = ite(is_known, view.deployment, DeploymentPhase.ABSENT)
    part = ite(carries_all, DeploymentPart.WHOLE, DeploymentPart.NOTHING)
    return PlannedDeployment(
        part=ite(begins, DeploymentPart.NEW, part),
        status=ite(begins, DeploymentPhase.RUNNING, status),
        status_update=ite(begins, DeploymentPhase.ABSENT, update),
        version=ite(begins, view.job_version, ite(is_known, view.deployment_version, 0)),
    )


def writes_deployment(planned: PlannedDeployment) -> Flag:
    """True if a plan writes a deployment, or its status."""
    return any_of(planned.part != DeploymentPart.NOTHING, planned.status_update != DeploymentPhase.ABSENT)


def is_created(s: Kernel, job: JobId, planned: PlannedDeployment) -> Flag:
    """True while a plan makes a deployment: a new one, or all of one that was deleted meanwhile.

    As intended none is made of a job that is gone.
    """
    is_absent = s.deployment[job] == DeploymentPhase.ABSENT
    is_brought_back = all_of(planned.part == DeploymentPart.WHOLE, is_absent)
    is_missing = any_of(planned.part == DeploymentPart.NEW, is_brought_back)
    return all_of(is_missing, any_of(s.has(ORPHANED_DEPLOYMENT), s.job_phase[job] != JobPhase.ABSENT))


def has_planned_deployment(s: Kernel, job: JobId, planned: PlannedDeployment) -> Flag:
    """True if the job has the plan's deployment with its entry: one of its version is taken for the same."""
    is_there = s.deployment[job] != DeploymentPhase.ABSENT
    is_same = all_of(is_there, s.deployment_version[job] == planned.version)
    return any_of(is_created(s, job, planned), is_same)


def write_deployment(s: Kernel, t: Kernel, job: JobId, planned: PlannedDeployment) -> None:
    """Write what a plan has of a deployment, in its entry; then its status update, if the status is active.

    With the quirk, the status that a plan carries replaces the one there is; the counters of the store stay.
    """
    is_new = is_created(s, job, planned)
    t.when(is_new).clear(DeploymentColumns, job)
    t.when(is_new).deployment_version[job] = planned.version
    t.when(is_new).deployment_parity[job] = not_(s.deployment_parity[job])
    is_there = has_planned_deployment(s, job, planned)
    is_overwritten = all_of(s.has(STALE_DEPLOYMENT), planned.part == DeploymentPart.WHOLE)
    status = ite(any_of(is_new, is_overwritten), planned.status, s.deployment[job])
    t.when(is_there).deployment[job] = status
    ended = t.when(all_of(is_there, planned.status_update != DeploymentPhase.ABSENT, is_active(status)))
    ended.deployment[job] = planned.status_update
    ended.has_new_health[job] = False


def join_deployment(
    s: Kernel, t: Kernel, job: JobId, plan: Plan, numbers: Callable[[Placement], AllocNumber]
) -> None:
    """Let what a plan places or updates belong to its deployment, if that was active when it was read."""
    is_new = is_created(s, job, plan.deployment)
    is_kept = plan.deployment.status_update != DeploymentPhase.CANCELLED
    is_joined = all_of(
        is_active(plan.deployment.status), is_kept, has_planned_deployment(s, job, plan.deployment)
    )
    joined = t.when(is_joined)

    def is_placed(k: Placement) -> Flag:
        return all_of(s.job_phase[job] == JobPhase.WANTED, plan.to[k] != NONE)

    def is_taken_over(i: AllocNumber) -> Flag:
        is_updated = all_of(plan.keeps[i] != NONE, updates(plan, i), s.occupies[job, i] != NONE)
        return all_of(is_updated, any_of(is_new, not_(s.in_deployment[job, i])))

    for k in s.placements:
        joined.when(is_placed(k)).in_deployment[job, numbers(k)] = True
    for i in s.allocs:
        joined.when(is_taken_over(i)).in_deployment[job, i] = True
    more = count(is_placed(k) for k in s.placements) + count(is_taken_over(i) for i in s.allocs)
    joined.placed[job] = ite(is_new, 0, s.placed[job]) + more


def is_corrected(s: Kernel, job: JobId, alloc: AllocNumber) -> Flag:
    """True while the health of an allocation is known, so that another report contradicts it."""
    return s.health[job, alloc] != Health.UNSET


@rule(
    "DEP-15",
    "DEP-24",
    "DEP-33",
    "ALLOC-09",
    makes=where(is_corrected, Kernel.deployment_changes_made),
    actor="client",
    is_good=FLAG,
)
def report_health(s: Kernel, t: Kernel, job: JobId, alloc: AllocNumber, is_good: Flag) -> None:
    """A client, or an operator, calls an allocation healthy or unhealthy, which is counted."""
    before = s.health[job, alloc]
    t.require(s.leading, s.in_deployment[job, alloc], s.alloc_phase[job, alloc] == AllocPhase.RUNNING)
    t.require(implies(is_good, before != Health.HEALTHY), implies(not_(is_good), before != Health.UNHEALTHY))
    t.health[job, alloc] = ite(is_good, Health.HEALTHY, Health.UNHEALTHY)
    t.has_new_health[job] = any_of(s.has_new_health[job], is_good)
    is_repaired = all_of(is_good, before == Health.UNHEALTHY)
    if s.has(COUNTED_ONCE):
        is_repaired = False
    t.when(all_of(is_good, before == Health.UNSET)).healthy[job] = s.healthy[job] + 1
    t.when(not_(is_good)).unhealthy[job] = s.unhealthy[job] + 1
    t.when(all_of(not_(is_good), before == Health.HEALTHY)).healthy[job] = s.healthy[job] - 1
    t.when(is_repaired).healthy[job] = s.healthy[job] + 1
    t.when(is_repaired).unhealthy[job] = s.unhealthy[job] - 1
    note_entry(s, t)


@rule("DEP-31", "DEP-33", "DEP-36", "DEP-40", "TRIG-21", makes=Kernel.made, actor="watcher", fair=weak("job"))
def watch_health(s: Kernel, t: Kernel, job: JobId) -> None:
    """The deployment watcher makes an evaluation after news of good health."""
    t.require(s.leading, is_active(s.deployment[job]), s.has_new_health[job])
    t.require(s.job_phase[job] != JobPhase.ABSENT, not_(has_unhealthy_alloc(s, job)))
    t.has_new_health[job] = False
    make_pending(s, t, job)


@rule("DEP-12", "DEP-32", "DEP-34", "DEP-43", "TRIG-21", makes=Kernel.made, actor="watcher", fair=weak("job"))
def fail_deployment(s: Kernel, t: Kernel, job: JobId) -> None:
    """The watcher fails a deployment with an unhealthy allocation, and makes an evaluation."""
    t.require(s.leading, is_active(s.deployment[job]), has_unhealthy_alloc(s, job))
    t.require(s.job_phase[job] != JobPhase.ABSENT)
    t.deployment[job] = DeploymentPhase.FAILED
    t.has_new_health[job] = False
    make_pending(s, t, job)


@rule(
    "DEP-13",
    "DEP-20",
    "DEP-48",
    "DEP-49",
    "DEP-51",
    spends=Kernel.deployment_changes_made,
    makes=Kernel.made,
    actor="operator",
)
def set_deployment_status(s: Kernel, t: Kernel, job: JobId, to: DeploymentPhase) -> None:
    """An operator pauses, resumes or fails a deployment; all but a pause make an evaluation."""
    t.require(s.leading, s.job_phase[job] != JobPhase.ABSENT)
    t.require(
        is_active(s.deployment[job]),
        one_of(to, DeploymentPhase.RUNNING, DeploymentPhase.PAUSED, DeploymentPhase.FAILED),
    )
    t.require(to != s.deployment[job])
    t.deployment[job] = to
    t.when(to == DeploymentPhase.FAILED).has_new_health[job] = False
    note_entry(s, t)
    make_pending(s, t.when(to != DeploymentPhase.PAUSED), job)
