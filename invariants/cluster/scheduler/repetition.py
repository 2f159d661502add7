"""A scheduler that has just done its work finds nothing more to do."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from nomadspec.invariants.cluster.scheduler.decision import Decision
from nomadspec.model.cluster.entities import (
    Deployment,
    DeploymentState,
    EvalStatus,
    Evaluation,
    Plan,
    PlanResult,
    Trigger,
)
from nomadspec.model.cluster.entities.deployment import is_active
from nomadspec.model.cluster.scheduler.choices import Choices, FreeChoices
from nomadspec.model.cluster.scheduler.outcome import Answer, SubmitOnly
from nomadspec.model.cluster.scheduler.schedule import schedule
from nomadspec.model.cluster.scheduler.snapshot import Snapshot

_OTHER_CHANCE: Final = 4711
"""Identifiers are drawn as well, and a new one must not be that of something which is there."""


def a_second_look_moves_nothing(decision: Decision) -> Iterator[str]:
    """Say which allocations another evaluation of the job would place, write or stop at once.

    Spec: GENERIC-22.
    """
    for plan in look_again(decision):
        if any(plan.node_update.values()) or any(plan.node_allocation.values()):
            yield f"{describe(plan)} is planned again for {decision.evaluation.job_id}"


def a_second_look_ends_no_deployment(decision: Decision) -> Iterator[str]:
    """Say what another evaluation of the job would at once change of a deployment.

    Its description and the order of its canaries may change: a new deployment of a system job is described as
    running, and as awaiting promotion from the next plan on. What a plan wants of a deployment that has ended
    changes nothing.

    Spec: GENERIC-22, REC-90, SYSDEP-21, SYSDEP-24, SYSDEP-25.
    """
    stored = decision.after.state.deployments
    active = {deployment.id for deployment in stored.values() if is_active(deployment)}
    for plan in look_again(decision):
        is_updated = any(update.deployment_id in active for update in plan.deployment_updates)
        planned = plan.deployment
        if is_updated or (planned and _is_changed(planned, stored.get(planned.id))):
            yield f"{describe(plan)} is planned only now for {decision.evaluation.job_id}"


def _is_changed(planned: Deployment, stored: Deployment | None) -> bool:
    """True if the commit of a deployment changes what is stored; groups that it leaves out are kept."""
    if stored is None:
        return True
    groups = _sort_canaries(stored)
    merged = replace(planned, status_description="", task_groups={**groups, **_sort_canaries(planned)})
    return merged != replace(stored, status_description="", task_groups=groups)


def _sort_canaries(deployment: Deployment) -> dict[str, DeploymentState]:
    return {
        name: replace(state, placed_canaries=tuple(sorted(state.placed_canaries)))
        for name, state in deployment.task_groups.items()
        if state is not None
    }


def look_again(decision: Decision) -> tuple[Plan, ...]:
    """Plan once more at the same moment, unless the first call used up its attempts."""
    evaluation = replace(
        decision.evaluation,
        id=f"{decision.evaluation.id}-again",
        status=EvalStatus.PENDING,
        triggered_by=Trigger.NODE_UPDATE,
    )
    return () if decision.has_used_up_attempts else plan_anew(decision, decision.after, evaluation)


def plan_anew(
    decision: Decision, snapshot: Snapshot, evaluation: Evaluation, choices: Choices | None = None
) -> tuple[Plan, ...]:
    """Plan at the same moment for an evaluation of the job, on a state of choice, with other chance."""
    again = schedule(
        snapshot,
        evaluation,
        decision.now_ns,
        choices or FreeChoices(_OTHER_CHANCE),
        SubmitOnly(_take_whole),
        scheduler=evaluation.type,
        profile=decision.profile,
    )
    return again.plans[:1]


def _take_whole(plan: Plan) -> Answer:
    return Answer(
        result=PlanResult(
            node_update=plan.node_update,
            node_allocation=plan.node_allocation,
            node_preemptions=plan.node_preemptions,
            deployment=plan.deployment,
            deployment_updates=plan.deployment_updates,
        )
    )


def describe(plan: Plan) -> str:
    """Name what a plan changes."""
    stops = [f"stop of {alloc.name}" for allocs in plan.node_update.values() for alloc in allocs]
    writes = [f"write of {alloc.name}" for allocs in plan.node_allocation.values() for alloc in allocs]
    deployments = [f"status {update.status}" for update in plan.deployment_updates]
    created = ["a deployment"] if plan.deployment else []
    return ", ".join((*stops, *writes, *deployments, *created))
