"""What must be true of jobs: what the operator asked last is still so, and what is told of them is true."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final

from nomadspec.invariants.cluster.world.registry import Step, always, list_changed, list_new, on_step
from nomadspec.model.cluster.entities import Allocation, AllocClient, Job, JobStatus, JobSummary
from nomadspec.model.cluster.entities.allocation import is_terminal
from nomadspec.model.cluster.entities.deployment import is_active
from nomadspec.model.cluster.entities.evaluation import is_terminal as has_ended
from nomadspec.model.cluster.entities.job import is_parameterized, is_periodic
from nomadspec.model.cluster.store.state import State

_OPERATORS: Final = frozenset({"operator"})
_COUNTED: Final = {
    "starting": AllocClient.PENDING,
    "running": AllocClient.RUNNING,
    "unknown": AllocClient.UNKNOWN,
}
"""The counters of a summary that say how many there are now."""


@on_step("JOB-12", "JOB-18", reads="jobs", because="A job that was stopped would run again by itself.")
def stopped_job_stays_stopped(step: Step) -> Iterator[str]:
    """Only an operator lets a stopped job run again."""
    if step.actor in _OPERATORS:
        return
    for was, now in list_changed(step.before.state.jobs, step.after.state.jobs):
        if was.stop and not now.stop:
            yield f"job {now.id} was stopped and is not any more"


@on_step("OBJ-041", reads="jobs", because="A version number would stand for two specifications.")
def version_of_job_never_decreases(step: Step) -> Iterator[str]:
    """A job goes from version to later version, whoever changes it."""
    for was, now in list_changed(step.before.state.jobs, step.after.state.jobs):
        if now.create_index == was.create_index and now.version < was.version:
            yield f"job {now.id} was at version {was.version} and is at {now.version}"


@always("OBJ-041", reads="jobs versions", because="A revert would go to a version that was never registered.")
def versions_of_job_are_kept_once(step: Step) -> Iterator[str]:
    """Each kept version of a job has a number of its own, and the current one is among them."""
    state = step.after.state
    for key, job in state.jobs.items():
        numbers = [kept.version for kept in state.job_versions.get(key, ())]
        if len(set(numbers)) != len(numbers) or job.version not in numbers:
            yield f"job {job.id} is at version {job.version}, and keeps {numbers}"


@always(
    "OBJ-051",
    "JOB-30",
    reads="jobs allocs",
    because="An operator would take a running job for dead, and purge it.",
)
def dead_job_has_no_live_alloc(step: Step) -> Iterator[str]:
    """No allocation of a dead job is still to run; a system job is dead once it is stopped."""
    state = step.after.state
    for job in state.jobs.values():
        if job.status != JobStatus.DEAD or _is_always_on(job):
            continue
        for alloc in state.list_allocs_of_job(job.namespace, job.id):
            if not is_terminal(alloc):
                yield f"job {job.id} is dead, and alloc {alloc.id} is {alloc.client_status}"


def _is_always_on(job: Job) -> bool:
    return job.type == "system" or is_parameterized(job) or is_periodic(job)


@always(
    "OBJ-051",
    "JOB-30",
    reads="jobs allocs evals deployments",
    because="A tool that waits for a running job would wait for ever, or not at all.",
)
def running_job_has_an_alloc_eval_or_deployment(step: Step) -> Iterator[str]:
    """A job that is called running has a living allocation or an active deployment."""
    state = step.after.state
    for job in state.jobs.values():
        if job.status == JobStatus.RUNNING and not _is_always_on(job) and not _is_up(state, job):
            yield f"job {job.id} is called running, and nothing of it runs or is deployed"


def _is_up(state: State, job: Job) -> bool:
    key = job.namespace, job.id
    return (
        any(not is_terminal(alloc) for alloc in state.list_allocs_of_job(*key))
        or any(map(is_active, state.list_deployments_of_job(*key)))
        or any(not has_ended(entry) for entry in state.list_evals_of_job(*key))
    )


@on_step(
    "OBJ-390", "OBJ-410", reads="summaries allocs", because="Dashboards and autoscalers would count wrong."
)
def summary_of_job_follows_allocs(step: Step) -> Iterator[str]:
    """A job's summary counts each change of an allocation.

    It does not count the deletion of one (OBJ-394), nor one that was planned for an earlier job of the name
    and becomes one of this job by an update in place (OBJ-391). A count that comes right again is no breach.
    """
    before, after = step.before.state, step.after.state
    new = list(list_new(before.allocs, after.allocs))
    if len(after.allocs) - len(new) < len(before.allocs):
        return  # something was deleted
    changed = [
        *list_changed(before.allocs, after.allocs),
        *list_changed(before.job_summaries, after.job_summaries),
    ]
    made = list_new(before.job_summaries, after.job_summaries)
    handed_on = {
        _key(now) for old, now in list_changed(before.allocs, after.allocs) if _is_handed_on(old, now)
    }
    for key in dict.fromkeys(map(_key, (*new, *(now for _, now in changed), *made))):
        job, summary = after.jobs.get(key), after.job_summaries.get(key)
        if job is None or summary is None or key in handed_on:
            continue
        wrong = _count_off(after, key, job.create_index)
        old = _count_off(before, key, job.create_index) if wrong and key in before.job_summaries else {}
        for (group, counter), off in wrong.items():
            if off != old.get((group, counter)):
                at = summary.modify_index
                yield f"job {job.id}: its summary of {group} is off by {off} {counter} at {at}"


def _key(row: Allocation | JobSummary) -> tuple[str, str]:
    return row.namespace, row.job_id


def _is_handed_on(old: Allocation, now: Allocation) -> bool:
    """True while an allocation of an earlier job of a name has become one of the present job."""
    return old.job is not None and now.job is not None and old.job.create_index != now.job.create_index


def _count_off(state: State, key: tuple[str, str], create_index: int) -> dict[tuple[str, str], int]:
    """Count by how much the counters of a job's summary that are wrong are above its allocations."""
    found = Counter(
        (alloc.task_group, alloc.client_status)
        for alloc in state.list_allocs_of_job(*key)
        if alloc.job is not None and alloc.job.create_index == create_index
    )
    return {
        (name, counter): off
        for name, group in state.job_summaries[key].summary.items()
        for counter, status in _COUNTED.items()
        if (off := getattr(group, counter) - found[name, status])
    }


JOB_PROPERTIES: Final = (
    stopped_job_stays_stopped,
    version_of_job_never_decreases,
    versions_of_job_are_kept_once,
    dead_job_has_no_live_alloc,
    running_job_has_an_alloc_eval_or_deployment,
    summary_of_job_follows_allocs,
)
