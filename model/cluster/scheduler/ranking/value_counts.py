"""How often values of an attribute are used: counted in the state once, and in the plan change by change."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from nomadspec.model.cluster.entities import Allocation
from nomadspec.model.cluster.entities.allocation import is_terminal
from nomadspec.model.cluster.scheduler.context import Context
from nomadspec.model.cluster.scheduler.feasibility.distinct_property import (
    Counts,
    count_values,
    find_value,
    list_freeing,
    spare_one,
)
from nomadspec.model.specification.quirks import UPDATED_TWICE

OTHERS: Final = "*"
"""Stands for all values that are no target."""


@dataclass(slots=True)
class PlanCounts:
    """What the plan does to allocations of one group, by the value that their nodes have.

    Spec: FEAS-47.
    """

    context: Context
    attribute: str
    group: str
    there: frozenset[str]
    """The allocations that were counted in the state."""
    proposed: Counts = field(default_factory=Counter)
    cleared: Counts = field(default_factory=Counter)
    updated: Counts = field(default_factory=Counter)
    """Those of the proposed ones that were counted in the state."""
    _by_node: dict[str, tuple[str, int, int, int]] = field(default_factory=dict)
    _followed: int = 0
    """How many changes of the plan were followed so far."""

    def follow(self) -> None:
        """Count the nodes anew on which the plan was changed.

        Spec: FEAS-47, 06/S-06.
        """
        touched = self.context.plan.list_touched(self._followed)
        self._followed += len(touched)
        for node_id in dict.fromkeys(touched):
            self._add(self._by_node.pop(node_id, None), -1)
            counted = self._count(node_id)
            if counted is not None:
                self._by_node[node_id] = counted
                self._add(counted, 1)

    def _count(self, node_id: str) -> tuple[str, int, int, int] | None:
        plan, node = self.context.plan, self.context.snapshot.find_node(node_id)
        value = find_value(self.attribute, node) if node else None
        if value is None:
            return None
        placed = self._pick(plan.node_allocation.get(node_id, ()))
        stopped = self._pick(plan.node_update.get(node_id, ()))
        stopped = list_freeing(stopped, self.there, self.context.profile)
        proposed = sum(not is_terminal(alloc) for alloc in placed)
        return value, proposed, len(stopped), sum(alloc.id in self.there for alloc in placed)

    def _pick(self, allocs: Iterable[Allocation]) -> list[Allocation]:
        return [alloc for alloc in allocs if alloc.task_group == self.group]

    def _add(self, counted: tuple[str, int, int, int] | None, sign: int) -> None:
        if counted is None:
            return
        value, *numbers = counted
        for counts, number in zip((self.proposed, self.cleared, self.updated), numbers, strict=True):
            if number:
                counts[value] += sign * number
                if not counts[value]:
                    del counts[value]


@dataclass(slots=True)
class ValueCounts:
    """How often each value of one attribute is used by one group.

    Spec: RANK-59.
    """

    context: Context
    attribute: str
    group: str
    targets: frozenset[str]
    _existing: Counts
    _plan: PlanCounts
    _is_first: bool = True
    used: dict[str, int] = field(default_factory=dict)
    """The values that occur with how often they are used, which may be never by now.

    Spec: RANK-65, FEAS-48.
    """

    @staticmethod
    def of(
        context: Context, attribute: str, group: str, targets: frozenset[str], there: Iterable[Allocation]
    ) -> ValueCounts:
        """Count the allocations of the job that have not ended, by the snapshot."""
        members = [alloc for alloc in there if alloc.task_group == group]
        existing = count_values(context.snapshot, attribute, group, members)
        plan = PlanCounts(context, attribute, group, frozenset(alloc.id for alloc in members))
        return ValueCounts(context, attribute, group, targets, existing, plan)

    def count_plan(self) -> None:
        """Count anew what the plan places and stops.

        Of several stops with a value that gets new allocations one is not counted. In the first search of a
        group that is done before values are folded, later after it.

        Spec: FEAS-47, RANK-62, 06/S-04, 06/S-06.
        """
        profile, plan = self.context.profile, self._plan
        plan.follow()
        existing = self._existing if profile.has(UPDATED_TWICE) else self._existing - plan.updated
        proposed, cleared = plan.proposed, Counter(plan.cleared)
        if self._is_first:
            spare_one(cleared, proposed, profile)
        existing, proposed, cleared = (
            self._fold_all(existing),
            self._fold_all(proposed),
            self._fold_all(cleared),
        )
        if not self._is_first:
            spare_one(cleared, proposed, profile)
        self._is_first = False
        self.used = {
            value: max(existing[value] + proposed[value] - cleared[value], 0)
            for value in (*existing, *proposed)
        }

    def fold(self, value: str) -> str:
        """Take a value that is no target, where there are targets, for one of the others.

        Spec: RANK-59.
        """
        return OTHERS if self.targets and value not in self.targets else value

    def count_used(self, value: str) -> int:
        """Count how often a folded value is used.

        Spec: FEAS-48, RANK-62.
        """
        return self.used.get(value, 0)

    def _fold_all(self, counts: Counts) -> Counts:
        if not self.targets:
            return counts
        folded: Counts = Counter()
        for value, number in counts.items():
            folded[self.fold(value)] += number
        return folded
