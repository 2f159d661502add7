"""Distinct hosts: no node may have two allocations of the job, or of the group."""

from __future__ import annotations

from collections.abc import Iterable

from nomadspec.model.constraints.literals import parse_boolean
from nomadspec.model.entities import Constraint, Job, Node, Operand, TaskGroup
from nomadspec.model.scheduler.feasibility.refusal import refuse
from nomadspec.model.scheduler.plan_builder import PlanBuilder
from nomadspec.model.scheduler.reasons import Filtered


def is_enabled(constraints: Iterable[Constraint]) -> bool:
    """Tell whether constraints ask for distinct hosts: the first that speaks of them decides.

    Spec: FEAS-42.
    """
    for constraint in constraints:
        if constraint.operand == Operand.DISTINCT_HOSTS:
            return parse_boolean(constraint.rtarget) is not False
    return False


def check_distinct_hosts(plan: PlanBuilder, job: Job, group: TaskGroup, node: Node) -> Filtered | None:
    """Refuse a node that has, or will have, an allocation of the job or of the group, whatever its status.

    Spec: FEAS-42, FEAS-43, FEAS-44.
    """
    for_job, for_group = is_enabled(job.constraints), is_enabled(group.constraints)
    if not for_job and not for_group:
        return None
    for alloc in plan.list_proposed(node.id):
        is_of_job = (alloc.namespace, alloc.job_id) == (job.namespace, job.id)
        if is_of_job and (for_job or alloc.task_group == group.name):
            return refuse(node, "FEAS-43", Operand.DISTINCT_HOSTS, alloc=alloc.id)
    return None
