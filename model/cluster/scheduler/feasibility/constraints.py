"""The constraints of a job, of a group and of its tasks, in the order in which they are written."""

from __future__ import annotations

from collections.abc import Iterable

from nomadspec.model.cluster.constraints.targets import describe, find_unmet, resolve
from nomadspec.model.cluster.entities import Constraint, Node
from nomadspec.model.cluster.scheduler.feasibility.refusal import refuse
from nomadspec.model.cluster.scheduler.reasons import Filtered


def check_constraints(node: Node, constraints: Iterable[Constraint]) -> Filtered | None:
    """Refuse a node that does not meet a constraint: the first of them is told.

    Spec: FEAS-31, FEAS-33.
    """
    unmet = find_unmet(constraints, node)
    if unmet is None:
        return None
    left, right = resolve(unmet.ltarget, node), resolve(unmet.rtarget, node)
    return refuse(node, "FEAS-31", describe(unmet), left=left, operand=unmet.operand, right=right)
