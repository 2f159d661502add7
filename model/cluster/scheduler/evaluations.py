"""The evaluations that a scheduler writes: blocked ones, and the one that it processes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from msgspec.structs import replace

from nomadspec.model.cluster.constraints.eligibility import ClassEligibility
from nomadspec.model.cluster.entities import AllocMetric, EvalStatus, Evaluation, PlanAnnotations, Trigger
from nomadspec.model.cluster.scheduler.context import Context

REMAINING: Final = "created to place remaining allocations"
CONFLICTS: Final = "created due to placement conflicts"


def make_blocked(
    context: Context,
    eval_id: str,
    failed: Mapping[str, AllocMetric],
    *,
    node_id: str = "",
    is_conflict: bool = False,
) -> Evaluation:
    """Make the evaluation that waits until what could not be placed has a chance.

    Spec: GENERIC-41, GENERIC-08, SYSTEM-31, EVAL-13, EVAL-14, EVAL-15, EVAL-20, TRIG-18, TRIG-19.
    """
    parent = context.evaluation
    has_escaped = context.eligibility.has_escaped()
    return Evaluation(
        id=eval_id,
        namespace=parent.namespace,
        priority=parent.priority,
        type=parent.type,
        triggered_by=Trigger.MAX_PLAN_ATTEMPTS if is_conflict else Trigger.QUEUED_ALLOCS,
        status_description=CONFLICTS if is_conflict else REMAINING,
        job_id=parent.job_id,
        job_modify_index=parent.job_modify_index,
        node_id=node_id,
        status=EvalStatus.BLOCKED,
        previous_eval=parent.id,
        failed_tg_allocs=failed,
        escaped_computed_class=has_escaped,
        class_eligibility={} if has_escaped else context.eligibility.compute_classes(),
        missing_non_node_resources=list_missing(context),
        create_time_ns=context.now_ns,
        modify_time_ns=context.now_ns,
    )


def block_again(
    evaluation: Evaluation, eligibility: ClassEligibility, missing: tuple[str, ...]
) -> Evaluation:
    """Block an evaluation that was blocked before; what it waits for is found anew.

    Spec: GENERIC-42, EVAL-21, EVAL-36.
    """
    return replace(
        evaluation,
        escaped_computed_class=eligibility.has_escaped(),
        class_eligibility=eligibility.compute_classes(),
        missing_non_node_resources=missing,
    )


def list_missing(context: Context) -> tuple[str, ...]:
    """List the volumes that do not exist.

    Spec: FEAS-25.
    """
    return tuple(sorted(context.missing_resources))


def finish(  # noqa: PLR0913 -- all that an outcome writes
    evaluation: Evaluation,
    status: str,
    description: str = "",
    *,
    failed: Mapping[str, AllocMetric] | None = None,
    queued: Mapping[str, int] | None = None,
    annotations: PlanAnnotations | None = None,
    deployment_id: str = "",
    blocked_eval: str = "",
) -> Evaluation:
    """Write how processing ended; without queued counts or a blocked evaluation the old ones stay.

    Spec: GENERIC-43, SYSTEM-37, EVAL-27, EVAL-32.
    """
    return replace(
        evaluation,
        status=status,
        status_description=description,
        deployment_id=deployment_id,
        failed_tg_allocs=failed or {},
        queued_allocations=evaluation.queued_allocations if queued is None else queued,
        plan_annotations=annotations or evaluation.plan_annotations,
        blocked_eval=blocked_eval or evaluation.blocked_eval,
    )
