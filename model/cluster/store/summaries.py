"""Counts of a job's allocations and children, moved by the writes that change them.

A count that would drop below zero stays at zero. The counters of failed and completed allocations never drop.
"""

from collections import Counter
from collections.abc import Mapping
from typing import Final

from msgspec.structs import replace

from nomadspec.model.cluster.entities import (
    Allocation,
    AllocClient,
    Evaluation,
    Job,
    JobChildrenSummary,
    JobStatus,
    JobSummary,
    TaskGroupSummary,
)
from nomadspec.model.cluster.entities.allocation import is_reported_end
from nomadspec.model.cluster.entities.job import is_parameterized, is_periodic
from nomadspec.model.cluster.store.draft import Draft
from nomadspec.model.cluster.store.run import RefusedError
from nomadspec.model.cluster.store.state import NOBODY
from nomadspec.model.cluster.store.tables import JOB_SUMMARIES, JobKey
from nomadspec.model.lifecycle.table import spell

_COUNTERS: Final = {status.value: status.value for status in AllocClient} | {AllocClient.PENDING: "starting"}
"""The counter of each client status."""

_CHILD_COUNTERS: Final = spell(JobStatus)
"""The counter of each status of a child has its name."""


def write_summary_of_job(draft: Draft, job: Job) -> None:
    """Make the summary of a new job, or add the groups that a new version brings.

    Spec: OBJ-390.
    """
    summary = draft.job_summaries.get((job.namespace, job.id))
    if summary is None:
        groups = {group.name: TaskGroupSummary() for group in job.task_groups}
        made = JobSummary(
            job_id=job.id,
            namespace=job.namespace,
            children=JobChildrenSummary(),
            create_index=draft.index,
        )
        return _write(draft, made, groups)
    added = {group.name: TaskGroupSummary() for group in job.task_groups if group.name not in summary.summary}
    if added:
        _write(draft, summary, {**summary.summary, **added})
    return None


def reconcile_summaries(draft: Draft) -> None:
    """Make the summaries of all jobs anew from what is there; what was deleted is forgotten.

    Nothing is queued then. A parent whose summary is missing gets none.

    Spec: OBJ-396, OBJ-394.
    """
    for key, job in draft.jobs.items():
        known = draft.job_summaries.get(key)
        if not (is_periodic(job) or is_parameterized(job)):
            groups = _count_allocs(draft, job)
            made = JobSummary(job_id=job.id, namespace=job.namespace, children=JobChildrenSummary())
        elif known is None:
            continue
        else:
            groups = {}
            made = replace(known, children=_count_children(draft, key))
        draft.put(replace(made, summary=groups, create_index=job.create_index, modify_index=draft.index))
    draft.touch(JOB_SUMMARIES)


def _count_allocs(draft: Draft, job: Job) -> dict[str, TaskGroupSummary]:
    groups = {group.name: TaskGroupSummary() for group in job.task_groups}
    for alloc_id in draft.allocs_by_job.get((job.namespace, job.id), NOBODY):
        alloc = draft.allocs[alloc_id]
        is_own = alloc.job is not None and alloc.job.create_index == job.create_index
        if is_own and alloc.task_group in groups and alloc.client_status in _COUNTERS:
            counter, group = _COUNTERS[alloc.client_status], groups[alloc.task_group]
            groups[alloc.task_group] = replace(group, **{counter: getattr(group, counter) + 1})
    return groups


def _count_children(draft: Draft, key: JobKey) -> JobChildrenSummary:
    namespace, _ = key
    children = (draft.jobs[namespace, child] for child in draft.children_by_parent.get(key, NOBODY))
    counted = Counter(child.status for child in children)
    return JobChildrenSummary(**{name: counted[name] for name in _CHILD_COUNTERS})


def count_alloc(draft: Draft, alloc: Allocation, before: Allocation | None) -> None:
    """Count the client status that a write gives an allocation.

    Spec: OBJ-391, JOB-34.
    """
    if before is not None and before.client_status == alloc.client_status:
        return
    job = alloc.job
    summary = draft.job_summaries.get((alloc.namespace, alloc.job_id))
    if summary is None or job is None or summary.create_index != job.create_index:
        return
    group = summary.summary.get(alloc.task_group)
    if group is None:
        raise RefusedError(f'unable to find task group in the job summary: "{alloc.task_group}"')
    counted = _count_new(group, alloc) if before is None else _count_change(group, before, alloc)
    if counted is not group:
        _write(draft, summary, {**summary.summary, alloc.task_group: counted})


def count_queued(draft: Draft, evaluation: Evaluation) -> None:
    """Take over what an evaluation says is still queued, for the groups that the summary knows.

    Spec: OBJ-392, JOB-35, EVAL-35.
    """
    if not evaluation.queued_allocations:
        return
    summary = draft.job_summaries.get((evaluation.namespace, evaluation.job_id))
    if summary is None:
        return
    changed = {
        name: replace(group, queued=queued)
        for name, queued in evaluation.queued_allocations.items()
        if (group := summary.summary.get(name)) is not None and group.queued != queued
    }
    if changed:
        _write(draft, summary, {**summary.summary, **changed})


def count_child(draft: Draft, child: Job, before: str, after: str) -> None:
    """Move a child from one status to another in its parent's summary; no status is the empty text.

    Spec: OBJ-393, OBJ-054, JOB-33.
    """
    parent: JobKey = (child.namespace, child.parent_id)
    summary = draft.job_summaries.get(parent)
    if not child.parent_id or summary is None:
        return
    counts = summary.children or JobChildrenSummary()
    if before in _CHILD_COUNTERS:
        counts = replace(counts, **{before: getattr(counts, before) - 1})
    if after in _CHILD_COUNTERS:
        counts = replace(counts, **{after: getattr(counts, after) + 1})
    draft.put(replace(summary, children=counts, modify_index=draft.index))
    draft.touch(JOB_SUMMARIES)


def bury_child(draft: Draft, child: Job) -> None:
    """Count a child that is purged while it is pending or running as dead.

    Spec: OBJ-393, JOB-13.
    """
    if child.status in {JobStatus.PENDING, JobStatus.RUNNING}:
        count_child(draft, child, child.status, JobStatus.DEAD)


def _write(draft: Draft, summary: JobSummary, groups: Mapping[str, TaskGroupSummary]) -> None:
    draft.put(replace(summary, summary=groups, modify_index=draft.index))
    draft.touch(JOB_SUMMARIES)


def _count_new(group: TaskGroupSummary, alloc: Allocation) -> TaskGroupSummary:
    if alloc.client_status != AllocClient.PENDING:
        return group
    return replace(group, starting=group.starting + 1, queued=max(group.queued - 1, 0))


def _count_change(group: TaskGroupSummary, before: Allocation, after: Allocation) -> TaskGroupSummary:
    gains, loses = _COUNTERS.get(after.client_status), _COUNTERS.get(before.client_status)
    changes = {}
    if gains:
        changes[gains] = getattr(group, gains) + 1
    if loses and not is_reported_end(before.client_status):
        changes[loses] = max(getattr(group, loses) - 1, 0)
    return replace(group, **changes) if changes else group
