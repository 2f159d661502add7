"""Tries whether an allocation can follow its job on the node where it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from nomadspec.model.cluster.entities import Allocation, Node, TaskGroup
from nomadspec.model.cluster.policy.update import (
    TRIED,
    UpdateJudgement,
    UpdateVerdict,
    is_up_to_date,
    judge_update,
)
from nomadspec.model.cluster.scheduler.allocations import update_in_place
from nomadspec.model.cluster.scheduler.context import Context
from nomadspec.model.cluster.scheduler.reasons import Stage
from nomadspec.model.cluster.scheduler.requests import Selected, SelectOptions
from nomadspec.model.specification.quirks import UNCHECKED_RUN

_LEFT_ALONE: Final = (UpdateVerdict.IGNORE, None)
_FOLLOWS: Final = UpdateJudgement(UpdateVerdict.IN_PLACE, "GENERIC-54")
_HAS_NO_ROOM: Final = UpdateJudgement(UpdateVerdict.DESTRUCTIVE, "GENERIC-53")


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

        Spec: GENERIC-47, GENERIC-52, GENERIC-53, GENERIC-54, 04/S-09.
        """
        context = self.context
        if context.job is None:
            return UpdateVerdict.IGNORE, None
        if is_up_to_date(alloc, context.job) and not context.reasons.is_on:
            return _LEFT_ALONE
        node = context.snapshot.find_node(alloc.node_id)
        judgement = judge_update(alloc, context.job, node)
        if judgement.verdict is UpdateVerdict.IN_PLACE and not context.profile.has(UNCHECKED_RUN):
            judgement = TRIED
        resources = None
        if judgement.verdict is UpdateVerdict.TRY and node is not None:
            selected = self.try_node(alloc, group, node)
            judgement = _FOLLOWS if selected else _HAS_NO_ROOM
            resources = selected.resources if selected else None
        if context.reasons.is_on:
            changed = {"changed": judgement.change} if judgement.change else {}
            context.reasons.note_judgement(alloc, Stage.UPDATE, judgement.verdict, judgement.rule, **changed)
        if judgement.verdict is not UpdateVerdict.IN_PLACE:
            return judgement.verdict, None
        return UpdateVerdict.IN_PLACE, update_in_place(alloc, context.evaluation, resources)

    def try_node(self, alloc: Allocation, group: TaskGroup, node: Node) -> Selected | None:
        """Ask whether the node could take the allocation if it did not hold it already.

        Spec: GENERIC-53, SYSTEM-17.
        """
        plan, reasons = self.context.plan, self.context.reasons
        plan.append_stop(alloc, "")
        self.search.set_nodes((node,))
        reasons.is_trial = True
        selected = self.search.select(group, SelectOptions(alloc_name=alloc.name))
        reasons.is_trial = False
        plan.pop_stop(alloc)
        return selected
