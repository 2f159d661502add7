"""Answers the plans of the model as they were answered in a recorded call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from msgspec.structs import replace

from nomadspec.checkers.oracle.families.scheduler_reading import Result, Submission, Tables
from nomadspec.model.entities import Allocation, Plan, PlanResult
from nomadspec.model.scheduler.outcome import Answer

ByNode = Mapping[str, tuple[Allocation, ...]]


class Unanswered(Exception):  # noqa: N818 -- it stops a run, nothing went wrong
    """One plan more than was recorded: there is no answer to it."""


@dataclass(slots=True)
class Replay:
    """Answers plans as they were answered when the call was recorded."""

    submissions: Sequence[Submission]
    recorded: Sequence[Plan]
    tables: Tables
    plans: list[Plan] = field(default_factory=list)

    def submit(self, plan: Plan) -> Answer:
        """Answer the next plan."""
        turn = len(self.plans)
        self.plans.append(plan)
        if turn >= len(self.submissions):
            raise Unanswered
        told = self.submissions[turn]
        if told.error is not None:
            return Answer(error=told.error)
        result = None if told.result is None else answer(plan, self.recorded[turn], told.result)
        if told.state_after is None:
            return Answer(result=result)
        self.tables.lay_over(told.state_after, f"outcome.plans[{turn}].state_after")
        return Answer(result=result, new_state=self.tables.build())


def answer(plan: Plan, recorded: Plan, told: Result) -> PlanResult:
    """Answer a plan: what was taken of the recorded one is taken of this one, place by place."""
    new = frozenset(told.new_allocs or ())
    allocation = {
        node_id: tuple(
            _stamp(alloc, told.alloc_index, is_new=told_id in new)
            for alloc, told_id in _pair(plan.node_allocation, recorded.node_allocation, node_id, taken)
        )
        for node_id, taken in (told.node_allocation or {}).items()
    }
    return PlanResult(
        node_update=_take(plan.node_update, recorded.node_update, told.node_update),
        node_allocation=allocation,
        node_preemptions=_take(plan.node_preemptions, recorded.node_preemptions, told.node_preemptions),
        deployment=plan.deployment if told.deployment else None,
        deployment_updates=plan.deployment_updates if told.deployment_updates else (),
        rejected_nodes=tuple(told.rejected_nodes or ()),
        refresh_index=told.refresh_index,
        alloc_index=told.alloc_index,
    )


def _take(planned: ByNode, recorded: ByNode, told: Mapping[str, Sequence[str]] | None) -> ByNode:
    return {
        node_id: tuple(alloc for alloc, _ in _pair(planned, recorded, node_id, taken))
        for node_id, taken in (told or {}).items()
    }


def _pair(
    planned: ByNode, recorded: ByNode, node_id: str, taken: Sequence[str]
) -> list[tuple[Allocation, str]]:
    pairs = zip(planned.get(node_id, ()), recorded.get(node_id, ()), strict=False)
    return [(ours, theirs.id) for ours, theirs in pairs if theirs.id in taken]


def _stamp(alloc: Allocation, index: int, *, is_new: bool) -> Allocation:
    """Give an allocation the indexes that it has in the answer: equal ones only when it is new."""
    created = index if is_new else alloc.create_index
    return replace(alloc, create_index=created, modify_index=index if is_new else created + 1)
