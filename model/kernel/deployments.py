"""Deployments: counters and status of the current one of each job.

The share that a plan has in a deployment is a step of its own here: a scheduler reads the deployment, and
later, when its plan is committed, writes it. What happens between the two, the plan does not know.
"""

from nomadspec.model.kernel.broker import is_system, make_pending
from nomadspec.model.kernel.columns import DeploymentColumns
from nomadspec.model.kernel.ids import AllocNumber, JobId
from nomadspec.model.kernel.log import note_entry
from nomadspec.model.kernel.records import DeploymentView
from nomadspec.model.kernel.state import Kernel
from nomadspec.model.kernel.statuses import (
    ACTIVE_DEPLOYMENT,
    AllocPhase,
    DeploymentPhase,
    Health,
    JobPhase,
    Kind,
    TriggeredBy,
)
from nomadspec.model.kernel.verdict import is_stored
from nomadspec.model.language.domain import FLAG
from nomadspec.model.language.logic import Flag, all_of, any_of, exists, implies, ite, not_, one_of
from nomadspec.model.language.rule import rule, weak, where
from nomadspec.model.specification.quirks import COUNTED_ONCE, ORPHANED_DEPLOYMENT, STALE_DEPLOYMENT


def is_active(status: DeploymentPhase) -> Flag:
    """True while a deployment has not ended."""
    return one_of(status, *ACTIVE_DEPLOYMENT)


def is_current(s: Kernel, job: JobId) -> Flag:
    """True while the job has a deployment, and it is of the current version."""
    return all_of(
        s.deployment[job] != DeploymentPhase.ABSENT, s.deployment_version[job] == s.job_version[job]
    )


def has_failed(s: Kernel, job: JobId) -> Flag:
    """True while an allocation of the job's deployment is unhealthy, for which the watcher fails it."""
    return exists(
        all_of(s.in_deployment[job, i], s.health[job, i] == Health.UNHEALTHY, is_stored(s, job, i))
        for i in s.allocs
    )


def has_deployments(s: Kernel, job: JobId) -> Flag:
    """True while the job is of a type that has deployments: a service job or a system job."""
    return one_of(s.kind[job], Kind.SERVICE, Kind.SYSTEM)


@rule("DEP-01", "DEP-08", "DEP-22", "SYSDEP-01", part_of=Kernel.deployments, actor="scheduler")
def read_deployment(s: Kernel, t: Kernel, job: JobId) -> None:
    """A scheduler reads the deployment of a job: it will carry on with it, or begin one for a new version."""
    is_open = any_of(not_(is_current(s, job)), is_active(s.deployment[job]))
    t.require(s.job_phase[job] == JobPhase.WANTED, has_deployments(s, job))
    t.require(not_(s.deployment_read[job].is_read), is_open)
    t.deployment_read[job] = DeploymentView(
        is_read=True,
        status=ite(is_current(s, job), s.deployment[job], DeploymentPhase.ABSENT),
        version=s.job_version[job],
    )


def begins_deployment(s: Kernel, job: JobId) -> Flag:
    """True while the plan of a scheduler writes a deployment that is not there (any more)."""
    is_brought_back = all_of(is_system(s, job), s.deployment[job] == DeploymentPhase.ABSENT)
    is_missing = any_of(s.deployment_read[job].status == DeploymentPhase.ABSENT, is_brought_back)
    return all_of(is_missing, any_of(s.has(ORPHANED_DEPLOYMENT), s.job_phase[job] != JobPhase.ABSENT))


@rule(
    "DEP-04",
    "DEP-08",
    "DEP-10",
    "DEP-22",
    "SYSDEP-23",
    makes=where(begins_deployment, Kernel.deployments_made),
    fair=weak("job"),
    actor="log",
)
def write_deployment(s: Kernel, t: Kernel, job: JobId) -> None:
    """The plan is committed: it begins a deployment or goes on with one.

    A system job's plan has all of the deployment that it goes on with, and brings back one deleted since.
    """
    read = s.deployment_read[job]
    t.require(s.leading, read.is_read)
    is_new = read.status == DeploymentPhase.ABSENT
    is_same = all_of(s.deployment[job] != DeploymentPhase.ABSENT, s.deployment_version[job] == read.version)
    begun = t.when(begins_deployment(s, job))
    begun.clear(DeploymentColumns, job)
    begun.deployment[job] = ite(is_new, DeploymentPhase.RUNNING, read.status)
    begun.deployment_version[job] = read.version
    if s.has(STALE_DEPLOYMENT):
        t.when(all_of(is_system(s, job), not_(is_new), is_same)).deployment[job] = read.status
    t.deployment_read[job].clear()
    note_entry(s, t)


@rule("DEP-15", "DEP-24", actor="log")
def join_deployment(s: Kernel, t: Kernel, job: JobId, alloc: AllocNumber) -> None:
    """A plan places an allocation for the deployment of its version, which is counted."""
    t.require(s.leading, is_active(s.deployment[job]), s.alloc_phase[job, alloc] == AllocPhase.RUNNING)
    t.require(not_(s.in_deployment[job, alloc]), s.alloc_version[job, alloc] == s.deployment_version[job])
    t.in_deployment[job, alloc] = True
    t.placed[job] = s.placed[job] + 1
    note_entry(s, t)


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
    """The watcher of a deployment makes an evaluation for health that is news."""
    t.require(s.leading, is_active(s.deployment[job]), s.has_new_health[job])
    t.require(s.job_phase[job] != JobPhase.ABSENT, not_(has_failed(s, job)))
    t.has_new_health[job] = False
    make_pending(s, t, job, TriggeredBy.EVENT)


@rule("DEP-12", "DEP-32", "DEP-34", "DEP-43", "TRIG-21", makes=Kernel.made, actor="watcher", fair=weak("job"))
def fail_deployment(s: Kernel, t: Kernel, job: JobId) -> None:
    """The watcher fails a deployment with an unhealthy allocation, and makes an evaluation."""
    t.require(s.leading, is_active(s.deployment[job]), has_failed(s, job))
    t.require(s.job_phase[job] != JobPhase.ABSENT)
    t.deployment[job] = DeploymentPhase.FAILED
    t.has_new_health[job] = False
    make_pending(s, t, job, TriggeredBy.EVENT)


@rule("DEP-09", "DEP-20", actor="log", fair=weak("job"))
def finish_deployment(s: Kernel, t: Kernel, job: JobId) -> None:
    """A plan finds every allocation healthy: the deployment is successful."""
    t.require(
        s.leading, is_active(s.deployment[job]), is_current(s, job), s.job_phase[job] == JobPhase.WANTED
    )
    t.require(s.healthy[job] >= s.count, s.unhealthy[job] == 0, not_(s.deployment_read[job].is_read))
    t.deployment[job] = DeploymentPhase.SUCCESSFUL
    t.has_new_health[job] = False
    note_entry(s, t)


@rule("DEP-10", "DEP-11", "DEP-20", actor="log", fair=weak("job"))
def cancel_deployment(s: Kernel, t: Kernel, job: JobId) -> None:
    """A plan cancels the deployment of a job that was stopped, or of a version that is not the newest."""
    t.require(s.leading, is_active(s.deployment[job]), s.job_phase[job] != JobPhase.ABSENT)
    t.require(any_of(s.job_phase[job] == JobPhase.STOPPED, not_(is_current(s, job))))
    t.deployment[job] = DeploymentPhase.CANCELLED
    t.has_new_health[job] = False
    note_entry(s, t)


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
    make_pending(s, t.when(to != DeploymentPhase.PAUSED), job, TriggeredBy.EVENT)
