"""Answers the plans of a run as recorded, by what their allocations are and not by their names."""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass, field

from nomadspec.checkers.oracle.families.scheduler_reading import Submission
from nomadspec.checkers.oracle.families.scheduler_replay import (
    Allocations,
    Pairs,
    Unanswered,
    answer,
    find_refusal,
)
from nomadspec.model.cluster.entities import Allocation, Plan
from nomadspec.model.cluster.entities.allocation import is_canary
from nomadspec.model.cluster.scheduler.outcome import Answer
from nomadspec.model.cluster.scheduler.snapshot import Snapshot


@dataclass(slots=True)
class Answering:
    """Answers plans; each is looked at before it is answered."""

    submissions: Sequence[Submission]
    recorded: Sequence[Plan]
    newer: Sequence[Snapshot | None]
    """The newer state that each answer hands back."""
    look: Callable[[int, Plan], None]
    evals: Container[str]
    """The IDs of the evaluations that the store has."""
    plans: list[Plan] = field(default_factory=list)

    def submit(self, plan: Plan) -> Answer:
        """Answer the next plan."""
        turn = len(self.plans)
        refusal = find_refusal(plan, self.evals)
        if refusal and turn >= len(self.submissions):
            return Answer(error=refusal)
        self.plans.append(plan)
        if turn >= len(self.submissions):
            raise Unanswered
        self.look(turn, plan)
        told = self.submissions[turn]
        if told.error is not None:
            return Answer(error=told.error)
        result = None if told.result is None else answer(plan, self.recorded[turn], told.result, pair_alike)
        return Answer(result=result, new_state=self.newer[turn])


def pair_alike(planned: Allocations, recorded: Allocations) -> Pairs:
    """Pair the allocations of two plans on one node, each with one that is the same but for new names."""
    left = list(planned)
    for theirs in recorded:
        ours = next((alloc for alloc in left if _identify(alloc) == _identify(theirs)), None)
        if ours is not None:
            left.remove(ours)
            yield ours, theirs


def _identify(alloc: Allocation) -> tuple[object, ...]:
    if alloc.create_index:
        return (alloc.id,)
    return alloc.name, alloc.previous_allocation, is_canary(alloc)
