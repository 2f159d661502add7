"""No group gets more than it wants, and no more of it is replaced at once than it allows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from nomadspec.invariants.cluster.scheduler.decision import Decision
from nomadspec.model.cluster.entities import (
    Allocation,
    AllocClient,
    DesiredDescription,
    EvalStatus,
    Job,
    JobType,
    TaskGroup,
)
from nomadspec.model.cluster.entities.allocation import is_terminal
from nomadspec.model.cluster.entities.group import has_update_strategy
from nomadspec.model.cluster.entities.job import GENERIC_TYPES
from nomadspec.model.cluster.scheduler.snapshot import Snapshot


def group_gets_no_more_than_its_count(decision: Decision) -> Iterator[str]:
    """Say which groups have more allocations than they want, canaries counted, and more than they had.

    Allocations whose client is out of reach do not count: they may have been replaced.

    Spec: REC-56, REC-78, REC-87.
    """
    job = decision.job
    if job is None or job.type not in GENERIC_TYPES:
        return
    for group in job.task_groups:
        before = count_living(decision.before, job, group)
        after = count_living(decision.after, job, group)
        wanted = 0 if job.stop else group.count + (group.update.canary if group.update else 0)
        if after > max(wanted, before):
            yield f"{job.id} has {after} of {group.name}, had {before} and wants {wanted}"


def count_living(snapshot: Snapshot, job: Job, group: TaskGroup) -> int:
    """Count the allocations of a group that run or shall run, as far as their clients are in reach."""
    return sum(map(_is_living, _list_members(snapshot, job, group)))


def _is_living(alloc: Allocation) -> bool:
    return not is_terminal(alloc) and alloc.client_status != AllocClient.UNKNOWN


def _list_members(snapshot: Snapshot, job: Job, group: TaskGroup) -> Iterator[Allocation]:
    for alloc in snapshot.list_allocs_of_job(job.namespace, job.id):
        if alloc.task_group == group.name:
            yield alloc


def updates_keep_to_max_parallel(decision: Decision) -> Iterator[str]:
    """Say which groups lose more to an update at once than they allow.

    Spec: REC-81, REC-85.
    """
    job = decision.job
    if job is None or job.type != JobType.SERVICE:
        return
    updated = Counter(alloc.task_group for alloc in decision.list_stopped(DesiredDescription.UPDATING))
    for group in job.task_groups:
        if group.update and has_update_strategy(group) and updated[group.name] > group.update.max_parallel:
            yield f"{updated[group.name]} of {group.name} are replaced, {group.update.max_parallel} may be"


def names_are_unique(decision: Decision) -> Iterator[str]:
    """Say which names are borne twice by new allocations of a call.

    Spec: REC-60, REC-65.
    """
    job = decision.job
    if job is None or job.type not in GENERIC_TYPES:
        return
    names = Counter(alloc.name for alloc in decision.list_placed())
    for name, count in names.items():
        if count > 1:
            yield f"{count} new allocations are called {name}"


def job_lacking_allocs_leaves_a_blocked_eval(decision: Decision) -> Iterator[str]:
    """Say which jobs lack allocations that nobody waits to place, or wait though nothing is lacking.

    Spec: GENERIC-41, GENERIC-42.
    """
    job, outcome = decision.job, decision.outcome
    if job is None or job.type not in GENERIC_TYPES or decision.has_used_up_attempts:
        return
    is_short = any(each.failed_tg_allocs for each in outcome.updated_evals)
    left = (*outcome.created_evals, *outcome.reblocked_evals)
    is_waiting = any(each.status == EvalStatus.BLOCKED for each in left)
    if is_short != is_waiting:
        yield f"{job.id} is short and nothing waits" if is_short else f"{job.id} waits for nothing"
