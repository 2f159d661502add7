"""Answers the plans of a run as recorded, by what their allocations are and not by their names."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from msgspec.structs import replace

from nomadspec.checkers.oracle.families.scheduler_reading import Result, Submission
from nomadspec.checkers.oracle.families.scheduler_replay import Unanswered
from nomadspec.model.entities import Allocation, Plan, PlanResult
from nomadspec.model.entities.allocation import is_canary
from nomadspec.model.scheduler.outcome import Answer
from nomadspec.model.scheduler.snapshot import Snapshot

ByNode = Mapping[str, tuple[Allocation, ...]]


@dataclass(slots=True)
class Answering:
    """Answers plans; each is looked at before it is answered."""

    submissions: Sequence[Submission]
    recorded: Sequence[Plan]
    newer: Sequence[Snapshot | None]
    """The newer state that each answer hands back."""
    look: Callable[[int, Plan], None]
    plans: list[Plan] = field(default_factory=list)

    def submit(self, plan: Plan) -> Answer:
        """Answer the next plan."""
        turn = len(self.plans)
        self.plans.append(plan)
        if turn >= len(self.submissions):
            raise Unanswered
        self.look(turn, plan)
        told = self.submissions[turn]
        if told.error is not None:
            return Answer(error=told.error)
        result = None if told.result is None else answer(plan, self.recorded[turn], told.result)
        return Answer(result=result, new_state=self.newer[turn])


def answer(plan: Plan, recorded: Plan, told: Result) -> PlanResult:
    """Take of a plan what was taken of the recorded one."""
    new = frozenset(told.new_allocs or ())
    index = told.alloc_index
    allocation = {
        node_id: tuple(
            replace(alloc, create_index=index, modify_index=index)
            if told_id in new
            else replace(alloc, modify_index=alloc.create_index + 1)
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
        alloc_index=index,
    )


def _take(planned: ByNode, recorded: ByNode, told: Mapping[str, Sequence[str]] | None) -> ByNode:
    return {
        node_id: tuple(alloc for alloc, _ in _pair(planned, recorded, node_id, taken))
        for node_id, taken in (told or {}).items()
    }


def _pair(
    planned: ByNode, recorded: ByNode, node_id: str, taken: Sequence[str]
) -> Iterator[tuple[Allocation, str]]:
    left = list(planned.get(node_id, ()))
    for theirs in recorded.get(node_id, ()):
        ours = next((alloc for alloc in left if _identify(alloc) == _identify(theirs)), None)
        if ours is not None:
            left.remove(ours)
            if theirs.id in taken:
                yield ours, theirs.id


def _identify(alloc: Allocation) -> tuple[object, ...]:
    if alloc.create_index:
        return (alloc.id,)
    return alloc.name, alloc.previous_allocation, is_canary(alloc)
