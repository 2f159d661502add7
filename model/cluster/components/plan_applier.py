"""The plan applier's judgement: what of a plan may be committed, by one state of the cluster."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from nomadspec.model.cluster.components.plan_error import VerdictError
from nomadspec.model.cluster.components.plan_expand import expand
from nomadspec.model.cluster.components.plan_node import judge_node
from nomadspec.model.cluster.entities import Allocation, Deployment, Plan, PlanResult
from nomadspec.model.cluster.entities.allocation import is_terminal
from nomadspec.model.cluster.store.state import State
from nomadspec.model.cluster.store.tables import ALLOCS, NODES
from nomadspec.model.specification.profiles import Profile


def evaluate_plan(
    state: State, plan: Plan, order: Sequence[str] | None = None, *, profile: Profile
) -> PlanResult:
    """Evaluate a plan against a state; a plan that fails as a whole raises.

    The order in which the verdicts on nodes come in is chance. It matters where a plan wants all or nothing,
    because the first rejection ends the evaluation.

    Spec: PLAN-40, PLAN-42, PLAN-43, PLAN-44, PLAN-45, PLAN-46, PLAN-47, PLAN-48, PLAN-50, PLAN-57, 03/S7.
    """
    stops = expand(state, plan.node_update)
    preemptions = expand(state, plan.node_preemptions)
    return _judge_nodes(state, replace(plan, node_update=stops, node_preemptions=preemptions), order, profile)


def evaluate_again(
    snapshot: State, state: State, plan: Plan, result: PlanResult, *, profile: Profile
) -> PlanResult:
    """Evaluate once more what was let through of a plan, by its nodes as they are now; what they hold stays.

    An earlier verdict may be old: the plan was held back since, or the snapshot is older than the plan.

    Spec: PLAN-31, PLAN-32, PLAN-36, PLAN-51, X-64.
    """
    nodes = list_nodes(result)
    if all(snapshot.find_node(node) is state.find_node(node) for node in nodes):
        return result
    again = _judge_nodes(replace(snapshot, nodes=state.nodes), leave_rest(plan, result), nodes, profile)
    if not again.rejected_nodes:
        return result
    return join_verdicts(result, replace(again, refresh_index=state.index_of(ALLOCS, NODES)))


def leave_rest(plan: Plan, result: PlanResult) -> Plan:
    """Leave of a plan what a verdict has let through."""
    return replace(
        plan,
        node_update=result.node_update,
        node_allocation=result.node_allocation,
        node_preemptions=result.node_preemptions,
        deployment=result.deployment,
    )


def join_verdicts(earlier: PlanResult, again: PlanResult) -> PlanResult:
    """Join the verdict on what was left of a plan to the earlier one, which stands as to what it rejected.

    Spec: PLAN-31, PLAN-34, PLAN-86, X-10.
    """
    return replace(
        again,
        rejected_nodes=(*earlier.rejected_nodes, *again.rejected_nodes),
        ineligible_nodes=(*earlier.ineligible_nodes, *again.ineligible_nodes),
        refresh_index=max(earlier.refresh_index, again.refresh_index),
    )


def _judge_nodes(state: State, plan: Plan, order: Sequence[str] | None, profile: Profile) -> PlanResult:
    """Leave of a plan what the nodes take that it is judged by."""
    fitting, rejected = _sort_nodes(state, plan, list_nodes(plan) if order is None else order, profile)
    refresh_index = state.index_of(ALLOCS, NODES) if rejected else 0
    if rejected and plan.all_at_once:
        return PlanResult(rejected_nodes=rejected, refresh_index=refresh_index)
    placements = _keep_nodes(plan.node_allocation, fitting)
    return PlanResult(
        node_update=_keep_nodes(plan.node_update, fitting),
        node_allocation=placements,
        node_preemptions={
            node: tuple(alloc for alloc in plan.node_preemptions[node] if not _is_dead(state, alloc.id))
            for node in fitting
            if node in plan.node_preemptions
        },
        deployment=_trim_canaries(plan.deployment, placements) if rejected else plan.deployment,
        deployment_updates=plan.deployment_updates,
        rejected_nodes=rejected,
        refresh_index=refresh_index,
    )


def list_nodes(plan: Plan | PlanResult) -> tuple[str, ...]:
    """List the nodes that a plan is judged by; what it preempts elsewhere is lost.

    Spec: PLAN-42.
    """
    return tuple({**plan.node_update, **plan.node_allocation})


def _sort_nodes(
    state: State, plan: Plan, order: Sequence[str], profile: Profile
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Sort nodes into those that fit and those that are rejected."""
    fitting: list[str] = []
    rejected: list[str] = []
    problems: list[str] = []
    for node in order:
        verdict = judge_node(state, plan, node, profile=profile)
        if verdict.error:
            problems.append(verdict.error)
        elif verdict.fits:
            fitting.append(node)
        else:
            rejected.append(node)
            if plan.all_at_once:
                break
    if rejected and state.index_of(ALLOCS, NODES) == 0:
        problems.append("partialCommit with RefreshIndex of 0")
    if problems:
        raise VerdictError(tuple(problems))
    return tuple(fitting), tuple(rejected)


def _keep_nodes(
    by_node: Mapping[str, tuple[Allocation, ...]], nodes: Sequence[str]
) -> dict[str, tuple[Allocation, ...]]:
    return {node: by_node[node] for node in nodes if by_node.get(node)}


def _is_dead(state: State, alloc_id: str) -> bool:
    alloc = state.find_alloc(alloc_id)
    return alloc is None or is_terminal(alloc)


def _trim_canaries(
    deployment: Deployment | None, placements: Mapping[str, tuple[Allocation, ...]]
) -> Deployment | None:
    """Leave the canaries that are placed by this very result.

    Spec: PLAN-49, 05/S7, DEP-23.
    """
    if deployment is None:
        return None
    placed = {alloc.id for allocs in placements.values() for alloc in allocs}
    groups = {
        name: group
        and replace(group, placed_canaries=tuple(each for each in group.placed_canaries if each in placed))
        for name, group in deployment.task_groups.items()
    }
    return replace(deployment, task_groups=groups)


def is_result_no_op(result: PlanResult) -> bool:
    """True if nothing of a plan is to be committed.

    Spec: PLAN-04, PLAN-87.
    """
    return not (
        result.ineligible_nodes
        or result.node_update
        or result.node_allocation
        or result.deployment_updates
        or result.deployment
    )
