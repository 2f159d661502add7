"""Distinct hosts: no node may have two allocations of the job, or of the group."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from nomadspec.model.cluster.constraints.literals import parse_boolean
from nomadspec.model.cluster.entities import Constraint, Job, Node, Operand, TaskGroup
from nomadspec.model.cluster.entities.allocation import is_client_terminal
from nomadspec.model.cluster.scheduler.context import Context
from nomadspec.model.cluster.scheduler.feasibility.refusal import refuse
from nomadspec.model.cluster.scheduler.plan_builder import PlanBuilder
from nomadspec.model.cluster.scheduler.reasons import Filtered
from nomadspec.model.specification.quirks import NOTED_HOST


@dataclass(frozen=True, slots=True)
class DistinctHosts:
    """What one search has to keep apart."""

    plan: PlanBuilder
    job: Job
    group: TaskGroup
    is_for_job: bool
    is_for_group: bool
    counts_noted: bool
    """Whether what has ended counts where something is noted of it."""

    @staticmethod
    def begin(context: Context, job: Job, group: TaskGroup) -> DistinctHosts:
        """Begin a search; schedulers that place on every node keep nothing apart.

        Spec: FEAS-42, FEAS-45, SYS-01.
        """
        is_apart = not context.is_for_every_node
        return DistinctHosts(
            context.plan,
            job,
            group,
            is_for_job=is_apart and is_enabled(job.constraints),
            is_for_group=is_apart and is_enabled(group.constraints),
            counts_noted=context.profile.has(NOTED_HOST),
        )

    def check(self, node: Node) -> Filtered | None:
        """Refuse a node that has, or will have, an allocation of the job or of the group.

        In the release ended ones count too, where the plan notes something of them (X-57).

        Spec: FEAS-43, FEAS-44, X-57.
        """
        if not self.is_for_job and not self.is_for_group:
            return None
        own = (self.job.namespace, self.job.id)
        for alloc in self.plan.list_proposed(node.id):
            is_close = self.is_for_job or alloc.task_group == self.group.name
            is_there = self.counts_noted or not is_client_terminal(alloc)
            if is_close and is_there and (alloc.namespace, alloc.job_id) == own:
                return refuse(node, "FEAS-43", Operand.DISTINCT_HOSTS, alloc=alloc.id)
        return None


def is_enabled(constraints: Iterable[Constraint]) -> bool:
    """True if constraints ask for distinct hosts: the first that speaks of them decides.

    Spec: FEAS-42.
    """
    for constraint in constraints:
        if constraint.operand == Operand.DISTINCT_HOSTS:
            return parse_boolean(constraint.rtarget) is not False
    return False
