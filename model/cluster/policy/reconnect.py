"""Which of an allocation that comes back and its replacement stays."""

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Final

from nomadspec.model.cluster.entities.allocation import (
    Allocation,
    find_last_start_ns,
    is_server_terminal,
    should_force_reschedule,
    should_migrate,
    should_reschedule_by_request,
)
from nomadspec.model.cluster.entities.group import TaskGroup
from nomadspec.model.cluster.entities.job import Job
from nomadspec.model.cluster.entities.policy import Reconcile
from nomadspec.model.cluster.policy.reschedule import find_own_group
from nomadspec.model.lifecycle.allocation import AllocClient, AllocDesired


class Return(StrEnum):
    """What becomes of an allocation whose client is back.

    Spec: REC-49.
    """

    STOP_FAILED = "stopped, because it failed"
    STOP = "stopped, because it is not wanted any more"
    COMPETE = "competes with its replacements"


def judge_return(alloc: Allocation, job: Job) -> Return:
    """Judge an allocation whose client is back, before any replacement is looked at.

    Spec: REC-49.
    """
    if not is_server_terminal(alloc) and alloc.client_status == AllocClient.FAILED:
        return Return.STOP_FAILED
    is_asked_away = (
        should_migrate(alloc) or should_reschedule_by_request(alloc) or should_force_reschedule(alloc)
    )
    if alloc.desired_status != AllocDesired.RUN or is_asked_away or is_older(alloc, job):
        return Return.STOP
    return Return.COMPETE


def is_older(alloc: Allocation, job: Job) -> bool:
    """True if an allocation runs an earlier version, or an earlier incarnation, of its job.

    Spec: REC-16, REC-49.
    """
    own = alloc.job or Job()
    return own.version < job.version or own.create_index < job.create_index


def is_replacement_kept(original: Allocation, replacement: Allocation, strategy: str, now_ns: int) -> bool:
    """True if the replacement stays and the original goes.

    Spec: REC-52.
    """
    newer, older = replacement.job or Job(), original.job or Job()
    if newer.version > older.version or newer.create_index > older.create_index:
        return True
    return _STRATEGIES.get(strategy, _has_better_score)(original, replacement, now_ns)


def find_score(alloc: Allocation) -> float | None:
    """Find the score under which the node of an allocation was chosen.

    Spec: REC-52.
    """
    scored = alloc.metrics.score_meta_data if alloc.metrics else ()
    return scored[0].norm_score if scored else None


def find_start_ns(alloc: Allocation, group: TaskGroup | None, now_ns: int) -> int:
    """Find when an allocation began its work: when its leader did, else its first task; 0 is not known.

    Spec: REC-53.
    """
    tasks = group.tasks if group else ()
    leader = next((task for task in tasks if task.leader), None)
    if leader is not None:
        return find_last_start_ns(alloc, leader.name)
    starts = (find_last_start_ns(alloc, task.name) for task in tasks)
    return min((start_ns for start_ns in starts if 0 < start_ns < now_ns), default=0)


def _has_better_score(original: Allocation, replacement: Allocation, _now_ns: int) -> bool:
    """True if the replacement scores higher, and works or replaces what does not."""
    ours, theirs = find_score(original), find_score(replacement)
    if theirs is None or (ours is not None and theirs <= ours):
        return False
    is_at_work = replacement.client_status == AllocClient.RUNNING
    return is_at_work or original.client_status != AllocClient.RUNNING


def _has_run_longer(original: Allocation, replacement: Allocation, now_ns: int) -> bool:
    """True if the replacement began its work no later, as the tasks of the original are named."""
    group = find_own_group(original)
    ours_ns, theirs_ns = find_start_ns(original, group, now_ns), find_start_ns(replacement, group, now_ns)
    if not ours_ns and not theirs_ns:
        return _has_better_score(original, replacement, now_ns)
    if not ours_ns or not theirs_ns:
        return bool(theirs_ns)
    return ours_ns >= theirs_ns


_STRATEGIES: Final[Mapping[str, Callable[[Allocation, Allocation, int], bool]]] = {
    Reconcile.KEEP_ORIGINAL: lambda *_: False,
    Reconcile.KEEP_REPLACEMENT: lambda *_: True,
    Reconcile.BEST_SCORE: _has_better_score,
    Reconcile.LONGEST_RUNNING: _has_run_longer,
}
"""Whether the replacement stays, by what the group of the present job prefers."""
