"""Tries whether an allocation can follow its job on the node where it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from nomadspec.model.entities import Allocation, Node, TaskGroup
from nomadspec.model.policy.update import UpdateVerdict, judge_update
from nomadspec.model.scheduler.allocations import update_in_place
from nomadspec.model.scheduler.context import Context
from nomadspec.model.scheduler.requests import Selected, SelectOptions


class NodeSearch(Protocol):
    """What looks for a node among those that it was given."""

    def set_nodes(self, nodes: Sequence[Node]) -> None:
        """Give it the nodes, in the order in which they are visited."""

    def select(self, group: TaskGroup, options: SelectOptions) -> Selected | None:
        """Look for a node."""


@dataclass(frozen=True, slots=True)
class Updater:
    """Judges what becomes of the allocations of a job that changed."""

    context: Context
    search: NodeSearch

    def judge(self, alloc: Allocation, group: TaskGroup) -> tuple[UpdateVerdict, Allocation | None]:
        """Judge an allocation; one that is updated in place comes with its new form.

        Spec: GENERIC-47, GENERIC-52, GENERIC-53, GENERIC-54.
        """
        context = self.context
        if context.job is None:
            return UpdateVerdict.IGNORE, None
        node = context.snapshot.find_node(alloc.node_id)
        verdict = judge_update(alloc, context.job, node)
        if verdict is UpdateVerdict.IN_PLACE:
            return verdict, update_in_place(alloc, context.evaluation, None)
        if verdict is not UpdateVerdict.TRY or node is None:
            return verdict, None
        selected = self.try_node(alloc, group, node)
        if selected is None:
            return UpdateVerdict.DESTRUCTIVE, None
        return UpdateVerdict.IN_PLACE, update_in_place(alloc, context.evaluation, selected.resources)

    def try_node(self, alloc: Allocation, group: TaskGroup, node: Node) -> Selected | None:
        """Ask whether the node could take the allocation if it did not hold it already.

        Spec: GENERIC-53, SYSTEM-17.
        """
        plan = self.context.plan
        plan.append_stop(alloc, "")
        self.search.set_nodes((node,))
        selected = self.search.select(group, SelectOptions(alloc_name=alloc.name))
        plan.pop_stop(alloc)
        return selected
