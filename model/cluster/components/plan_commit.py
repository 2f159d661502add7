"""The log entry that commits what was let through of a plan, and the answer to its worker."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

import msgspec
from msgspec.structs import replace

from nomadspec.model.cluster.components.plan_error import PlanError
from nomadspec.model.cluster.entities import (
    Allocation,
    EvalStatus,
    Evaluation,
    Job,
    Plan,
    PlanResult,
    Trigger,
)
from nomadspec.model.cluster.store.requests import ApplyPlanResults
from nomadspec.model.cluster.store.state import State
from nomadspec.model.errors import UsageError
from nomadspec.model.specification.profiles import Profile
from nomadspec.model.specification.quirks import UNREPORTED_FAILURE

Sign = Callable[[Allocation, str], str]
"""Signs the identity of a task of an allocation."""


class Keyring(msgspec.Struct, frozen=True):
    """The key that signs identities of tasks."""

    key_id: str
    sign: Sign


class Commit(msgspec.Struct, frozen=True):
    """What chance and the clock give to one entry."""

    now_ns: int
    eval_ids: tuple[str, ...] = ()
    """IDs for evaluations of preempted jobs; as many as there are such jobs are used."""
    keyring: Keyring | None = None
    """None while no key is ready."""


def build_entry(
    snapshot: State, current: State, plan: Plan, result: PlanResult, commit: Commit
) -> ApplyPlanResults:
    """Build the entry from a result; preempted jobs are looked up in the leader's current state.

    Spec: PLAN-60, PLAN-61, PLAN-62, OBJ-283, 09/S10.
    """
    job = plan.job
    if job is None:
        raise PlanError("plan missing embedded job")
    if snapshot.find_namespace(job.namespace) is None:
        raise PlanError(f"namespace {job.namespace} of the job does not exist")
    now_ns = commit.now_ns
    return ApplyPlanResults(
        job=job,
        deployment=result.deployment,
        deployment_updates=result.deployment_updates,
        ineligible_nodes=result.ineligible_nodes,
        eval_id=plan.eval_id,
        updated_at_ns=now_ns,
        allocs_stopped=tuple(_reduce_stop(alloc, now_ns) for alloc in _flatten(result.node_update)),
        allocs_preempted=tuple(_reduce_eviction(each, now_ns) for each in _flatten(result.node_preemptions)),
        allocs_updated=tuple(_finish(alloc, job, commit) for alloc in _flatten(result.node_allocation)),
        preemption_evals=_make_evals(current, result, commit),
    )


def _flatten(by_node: Mapping[str, Iterable[Allocation]]) -> Iterable[Allocation]:
    return (alloc for allocs in by_node.values() for alloc in allocs)


def _reduce_stop(alloc: Allocation, now_ns: int) -> Allocation:
    return Allocation(
        id=alloc.id,
        desired_description=alloc.desired_description,
        client_status=alloc.client_status,
        followup_eval_id=alloc.followup_eval_id,
        modify_time_ns=now_ns,
    )


def _reduce_eviction(alloc: Allocation, now_ns: int) -> Allocation:
    return Allocation(
        id=alloc.id, preempted_by_allocation=alloc.preempted_by_allocation, modify_time_ns=now_ns
    )


def _finish(alloc: Allocation, job: Job, commit: Commit) -> Allocation:
    created_ns = alloc.create_time_ns or commit.now_ns
    dated = replace(alloc, modify_time_ns=commit.now_ns, create_time_ns=created_ns)
    unsigned = [task for task in _list_tasks(alloc, job) if task not in alloc.signed_identities]
    if not unsigned:
        return dated
    if commit.keyring is None:
        raise PlanError("no key is ready to sign the identities of tasks")
    signed = {task: commit.keyring.sign(alloc, task) for task in unsigned}
    return replace(
        dated,
        signed_identities={**alloc.signed_identities, **signed},
        signing_key_id=commit.keyring.key_id,
    )


def _list_tasks(alloc: Allocation, job: Job) -> list[str]:
    groups = (alloc.job or job).task_groups
    return [task.name for group in groups if group.name == alloc.task_group for task in group.tasks]


def _make_evals(current: State, result: PlanResult, commit: Commit) -> tuple[Evaluation, ...]:
    """Make an evaluation for each preempted job that still exists.

    Spec: PREEMPT-28.
    """
    keys = dict.fromkeys((each.namespace, each.job_id) for each in _flatten(result.node_preemptions))
    jobs = [job for key in keys if (job := current.find_job(*key)) is not None]
    if len(commit.eval_ids) < len(jobs):
        raise UsageError(f"{len(jobs)} jobs are preempted, and each needs the ID of a new evaluation.")
    return tuple(
        Evaluation(
            id=eval_id,
            namespace=job.namespace,
            priority=job.priority,
            type=job.type,
            triggered_by=Trigger.PREEMPTION,
            job_id=job.id,
            status=EvalStatus.PENDING,
            create_time_ns=commit.now_ns,
            modify_time_ns=commit.now_ns,
        )
        for eval_id, job in zip(commit.eval_ids, jobs, strict=False)
    )


def answer_commit(
    result: PlanResult, index: int, refusal: str | None = None, *, profile: Profile
) -> PlanResult:
    """Answer a plan whose entry was committed at an index; what the store made of it is not looked at.

    Spec: PLAN-34, 03/S4.
    """
    if refusal is not None and not profile.has(UNREPORTED_FAILURE):
        raise PlanError(refusal)
    refresh_index = max(result.refresh_index, index) if result.refresh_index else 0
    return replace(result, alloc_index=index, refresh_index=refresh_index)


def leave_out_dropped(result: PlanResult, state: State) -> PlanResult:
    """Leave out the placements that the store dropped because their job has ended: their worker looks again.

    Spec: PLAN-73, 03/S13.
    """
    placed = {
        node_id: stored
        for node_id, allocs in result.node_allocation.items()
        if (stored := tuple(alloc for alloc in allocs if alloc.id in state.allocs))
    }
    if placed == result.node_allocation:
        return result
    return replace(result, node_allocation=placed, refresh_index=state.latest_index)
