"""Evaluations of the kernel as the recorded components take them, and what a step does with them."""

from collections.abc import Iterator
from typing import Any

from nomadspec.model.cluster.entities import Evaluation
from nomadspec.model.cluster.entities.evaluation import Trigger
from nomadspec.model.kernel.ids import JobId
from nomadspec.model.kernel.state import Kernel
from nomadspec.model.kernel.statuses import BlockedIn, EvalRecord, Kind, TriggeredBy
from nomadspec.model.language.trace import Instance
from nomadspec.model.specification.quirks import DISPLACED_IS_DELIVERED

At = tuple[JobId, Any]
"""The job of an evaluation, and its number."""

WAKING = {
    "RecoverNode",
    "ReconnectNode",
    "ReadyNode",
    "MarkEligible",
    "FailAlloc",
    "CompleteAlloc",
    "ReportEnd",
    "RetryFailedPlans",
    "TrackBlocked",
}
"""The rules with which blocked evals hands evaluations back to the broker."""

RECORDS = {
    EvalRecord.PENDING: "pending",
    EvalRecord.BLOCKED: "blocked",
    EvalRecord.COMPLETE: "complete",
    EvalRecord.FAILED: "failed",
    EvalRecord.CANCELED: "canceled",
}
"""The status of each record."""


def list_evals(world: Kernel) -> list[At]:
    return [(job, number) for job in world.jobs for number in world.eval_numbers]


def name_job(job: Any) -> str:
    return f"job {job}"


def name(job: JobId, number: Any) -> str:
    return f"eval {job} {number}"


def write_eval(world: Kernel, job: JobId, number: Any) -> Evaluation:
    """Write an evaluation of the kernel as a component takes it: its number says when it was written."""
    is_retried = world.triggered_by[job, number] == TriggeredBy.MAX_PLAN_ATTEMPTS
    return Evaluation(
        id=name(job, number),
        namespace="default",
        job_id=name_job(job),
        type=Kind(world.kind[job]).name.lower().replace("core", "_core"),
        triggered_by=Trigger.MAX_PLAN_ATTEMPTS if is_retried else Trigger.JOB_REGISTER,
        priority=50 + int(world.eval_priority[job, number]),
        create_index=10 + number,
        modify_index=10 + number,
    )


def list_woken(rule: str, before: Kernel, after: Kernel) -> Iterator[At]:
    """List what blocked evals hands back in a step: what its class wakes first, then what its node does."""
    evals = list_evals(before)
    tracked = [at for at in evals if before.blocked_in[at] != BlockedIn.OUT == after.blocked_in[at]]
    missed = [
        at for at in evals if before.arriving[at] and not after.arriving[at] and before.missed_unblock[at]
    ]
    displaced = [at for at in evals if after.duplicate[at] and not before.duplicate[at]]
    freed = [at for at in (*tracked, *missed) if at not in displaced]
    yield from freed
    if rule != "TrackBlocked":
        known = freed if after.has(DISPLACED_IS_DELIVERED) else (*freed, *displaced)
        yield from (at for at in evals if before.by_node[at] and not after.by_node[at] and at not in known)


def read_arguments(instance: Instance) -> dict[str, Any]:
    """Read the arguments of a step by their names."""
    names = (key for key, _ in instance.rule.arguments)
    return dict(zip(names, instance.arguments, strict=True))
