"""What a node is scored by once everything fits on it: one function a stage, and their mean."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Final

from nomadspec.model.cluster.constraints.targets import is_met_by
from nomadspec.model.cluster.entities import Affinity, Allocation, Constraint, Node

PENALTY: Final = -1.0
"""The score of a node on which an allocation failed before."""

_RATE: Final = 0.0048
_ORIGIN: Final = 2048.0


def compute_anti_affinity(
    proposed: Iterable[Allocation], job_id: str, group: str, count: int
) -> float | None:
    """Score allocations of the same group that are on a node; None where there is none.

    Neither their namespace nor their status is looked at, and there is no lower bound.

    Spec: RANK-49, RANK-50, 07/S-07, 07/S-08.
    """
    collisions = sum(alloc.job_id == job_id and alloc.task_group == group for alloc in proposed)
    if not collisions:
        return None
    return -float(collisions + 1) / float(count) if count else -math.inf


def compute_affinity(affinities: Sequence[Affinity], node: Node) -> float | None:
    """Score the affinities that hold on a node, by weight; None where there are no affinities.

    Spec: RANK-54, RANK-55, 07/S-05.
    """
    if not affinities:
        return None
    weight = sum(abs(each.weight) for each in affinities)
    held = sum(each.weight for each in affinities if is_held(each, node))
    return held / weight if weight else 0.0


def is_held(affinity: Affinity, node: Node) -> bool:
    """True if the condition of an affinity holds on a node.

    Spec: RANK-55.
    """
    condition = Constraint(ltarget=affinity.ltarget, rtarget=affinity.rtarget, operand=affinity.operand)
    return is_met_by(condition, node)


def compute_preemption(preempted: Iterable[Allocation]) -> float | None:
    """Score the allocations that would have to go by the priorities of their jobs; None where none has to.

    Spec: RANK-69, RANK-70, 07/S-10.
    """
    priorities = [alloc.job.priority if alloc.job else 0 for alloc in preempted]
    if not priorities:
        return None
    greatest = max(priorities)
    net = float(greatest) + (float(sum(priorities)) / float(greatest) if greatest else 0.0)
    return 1.0 / (1.0 + math.exp(_RATE * (net - _ORIGIN)))


def compute_mean(scores: Sequence[float]) -> float:
    """Compute the final score: the mean of what was appended, added up in order.

    Spec: RANK-71, RANK-72.
    """
    total = 0.0
    for score in scores:  # a sum of the library may add up more precisely than this
        total += score
    return total / float(len(scores)) if scores else 0.0
