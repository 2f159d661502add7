"""How allocations follow their job to a new version: which of them, where, and how many at once."""

from collections.abc import Iterable
from enum import StrEnum
from typing import Final, NamedTuple

from nomadspec.model.cluster.entities.allocation import Allocation, is_healthy, is_terminal, is_unhealthy
from nomadspec.model.cluster.entities.deployment import Deployment
from nomadspec.model.cluster.entities.group import TaskGroup
from nomadspec.model.cluster.entities.job import Job, JobType
from nomadspec.model.cluster.entities.node import Node, is_in_datacenters, is_in_pool
from nomadspec.model.cluster.policy.destructive import find_destructive_change
from nomadspec.model.cluster.policy.reschedule import find_own_group


class UpdateVerdict(StrEnum):
    """What becomes of an allocation when its job changes.

    Spec: GENERIC-47, GENERIC-54.
    """

    IGNORE = "ignore"
    DESTRUCTIVE = "destructive"
    IN_PLACE = "in-place"
    TRY = "in-place if its node still takes it, else destructive"


class UpdateJudgement(NamedTuple):
    """A verdict, the rule that it follows, and what of the job changed so much, if that decides."""

    verdict: UpdateVerdict
    rule: str
    change: str = ""


_UP_TO_DATE: Final = UpdateJudgement(UpdateVerdict.IGNORE, "GENERIC-47")
_ENDED: Final = UpdateJudgement(UpdateVerdict.IGNORE, "GENERIC-49")
_HOMELESS: Final = UpdateJudgement(UpdateVerdict.DESTRUCTIVE, "GENERIC-50")
_ABROAD: Final = UpdateJudgement(UpdateVerdict.DESTRUCTIVE, "GENERIC-51")
_LIMITED: Final = UpdateJudgement(UpdateVerdict.IN_PLACE, "GENERIC-52")
TRIED: Final = UpdateJudgement(UpdateVerdict.TRY, "GENERIC-53")
"""The judgement of whoever asks the node."""


def is_up_to_date(alloc: Allocation, job: Job) -> bool:
    """True if an allocation runs the present specification of its job.

    Spec: GENERIC-47.
    """
    own = alloc.job
    return (own.job_modify_index if own else 0) == job.job_modify_index


def judge_update(alloc: Allocation, job: Job, node: Node | None) -> UpdateJudgement:
    """Judge what becomes of an allocation; its node, None if it is gone, may have the last word.

    Spec: GENERIC-47, GENERIC-48, GENERIC-49, GENERIC-50, GENERIC-51, GENERIC-52, GENERIC-53.
    """
    if is_up_to_date(alloc, job):
        return _UP_TO_DATE
    own = alloc.job or Job()
    change = find_destructive_change(own, job, alloc.task_group)
    if change is not None:
        return UpdateJudgement(UpdateVerdict.DESTRUCTIVE, "GENERIC-48", change)
    if is_terminal(alloc):
        return _ENDED
    if node is None:
        return _HOMELESS
    if not _is_at_home(node, job):
        return _ABROAD
    return _LIMITED if has_run_limit(alloc) else TRIED


def _is_at_home(node: Node, job: Job) -> bool:
    """True if a node is one that the job may use, ready or not; no pool at all is none.

    Spec: FEAS-11.
    """
    return is_in_datacenters(node, job.datacenters) and is_in_pool(node, job.node_pool)


def has_run_limit(alloc: Allocation) -> bool:
    """True if the version that an allocation runs limits how long batch allocations may run.

    Spec: GENERIC-52, 04/S-09.
    """
    group = find_own_group(alloc)
    is_batch = alloc.job is not None and alloc.job.type == JobType.BATCH
    return is_batch and group is not None and (group.max_run_duration_ns or 0) > 0


def compute_budget(
    group: TaskGroup,
    deployment: Deployment | None,
    untainted: Iterable[Allocation],
    *,
    is_held: bool,
    moving: int,
) -> int:
    """Compute how many allocations may be replaced now.

    Held is what is paused, failed or has canaries out; moving is how many are to be replaced or to migrate.

    Spec: REC-81.
    """
    update = group.update
    if update is None or update.max_parallel == 0 or moving == 0:
        return group.count
    if deployment is None:
        return update.max_parallel
    members = [alloc for alloc in untainted if alloc.deployment_id == deployment.id]
    if is_held or any(map(is_unhealthy, members)):
        return 0
    undecided = sum(not is_healthy(alloc) for alloc in members)
    return max(0, update.max_parallel - undecided)
