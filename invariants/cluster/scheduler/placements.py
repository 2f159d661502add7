"""New allocations go where they fit and where their job may go."""

from __future__ import annotations

from collections.abc import Iterator

from nomadspec.invariants.cluster.scheduler.decision import Decision
from nomadspec.model.cluster.components.plan_applier import evaluate_plan
from nomadspec.model.cluster.constraints.targets import describe, find_unmet
from nomadspec.model.cluster.entities import Allocation, Job, Node, TaskGroup
from nomadspec.model.cluster.entities.allocation import is_terminal
from nomadspec.model.cluster.entities.job import find_group
from nomadspec.model.cluster.entities.node import is_in_datacenters, is_ready, is_scanned_in_pool
from nomadspec.model.cluster.scheduler.feasibility.distinct_hosts import is_enabled
from nomadspec.model.cluster.scheduler.feasibility.drivers import has_driver
from nomadspec.model.specification.profiles import INTENDED

Placement = tuple[Allocation, Node, Job, TaskGroup]


def list_placements(decision: Decision) -> Iterator[Placement]:
    """List what a call placed with its node, its job and its group."""
    for alloc in decision.list_placed():
        node = decision.before.find_node(alloc.node_id)
        group = find_group(alloc.job, alloc.task_group)
        if node is not None and alloc.job is not None and group is not None:
            yield alloc, node, alloc.job, group


def plans_fit(decision: Decision) -> Iterator[str]:
    """Say which nodes could not take their part of a plan, by the very state that it was made from.

    Neither the applier of the decision's own profile may reject it, nor one that looks at all there is.

    Spec: PLAN-43, PLAN-54, RANK-41.
    """
    state = decision.before.state
    for plan in decision.outcome.plans[:1]:
        judged = [evaluate_plan(state, plan, profile=profile) for profile in (INTENDED, decision.profile)]
        for node_id in dict.fromkeys(node for result in judged for node in result.rejected_nodes):
            yield f"{node_id} cannot take its part of the plan"


def nodes_are_candidates(decision: Decision) -> Iterator[str]:
    """Say which nodes were used that are not ready, or that the job may not use.

    A disk that is kept may be sought on any node that is ready.

    Spec: FEAS-06, FEAS-07, FEAS-08, RANK-12.
    """
    for alloc, node, job, group in list_placements(decision):
        if not is_ready(node):
            yield f"{node.id} is not ready for {alloc.name}"
        disk = group.ephemeral_disk
        is_bound = disk is None or not (disk.sticky or disk.migrate)
        if is_bound and not _is_open_to(node, job):
            yield f"{node.id} is none of the nodes of {job.id}"


def _is_open_to(node: Node, job: Job) -> bool:
    return is_scanned_in_pool(node, job.node_pool) and is_in_datacenters(node, job.datacenters)


def constraints_are_met(decision: Decision) -> Iterator[str]:
    """Say which constraints the nodes of new allocations do not meet.

    Spec: FEAS-12, FEAS-31.
    """
    for alloc, node, job, group in list_placements(decision):
        of_tasks = (each for task in group.tasks for each in task.constraints)
        unmet = find_unmet((*job.constraints, *group.constraints, *of_tasks), node)
        if unmet is not None:
            yield f"{alloc.name} is on {node.id}, which does not meet {describe(unmet)}"


def drivers_work(decision: Decision) -> Iterator[str]:
    """Say which nodes of new allocations lack a driver.

    Spec: FEAS-26.
    """
    for alloc, node, _, group in list_placements(decision):
        for task in group.tasks:
            if not has_driver(node, task.driver):
                yield f"{alloc.name} is on {node.id}, where {task.driver} does not work"


def hosts_are_distinct(decision: Decision) -> Iterator[str]:
    """Say where a job that wants hosts of its own shares one with itself.

    Spec: FEAS-42, FEAS-43, FEAS-45.
    """
    if decision.evaluation.type in {"system", "sysbatch"}:
        return
    for alloc, node, job, _ in list_placements(decision):
        if is_enabled(job.constraints):
            others = [
                other
                for other in decision.after.list_allocs_of_node(node.id)
                if other.id != alloc.id and other.job_id == job.id and not is_terminal(other)
            ]
            if others:
                yield f"{alloc.name} shares {node.id} with {others[0].name}"
