"""Answers the plans of the model as they were answered in a recorded call."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from msgspec.structs import replace

from nomadspec.checkers.oracle.families.scheduler_reading import (
    RecordedOutcome,
    Result,
    Submission,
    Tables,
)
from nomadspec.model.cluster.components.deliveries import OTHER_STATUS, UNKNOWN
from nomadspec.model.cluster.entities import Allocation, EvalStatus, Evaluation, Plan, PlanResult
from nomadspec.model.cluster.scheduler.outcome import Answer, Outcome, Submit, SubmitOnly
from nomadspec.model.cluster.scheduler.schedule import ABORTED

Allocations: TypeAlias = Sequence[Allocation]
ByNode: TypeAlias = Mapping[str, Allocations]
Pairs: TypeAlias = Iterable[tuple[Allocation, Allocation]]
Pairing: TypeAlias = Callable[[Allocations, Allocations], Pairs]
"""What pairs planned allocations on a node with recorded ones."""


class Unanswered(Exception):  # noqa: N818 -- it stops a run, nothing went wrong
    """One plan more than was recorded: there is no answer to it."""


@dataclass(slots=True)
class Replay:
    """Answers plans as they were answered when the call was recorded."""

    submissions: Sequence[Submission]
    recorded: Sequence[Plan]
    tables: Tables
    plans: list[Plan] = field(default_factory=list)

    def find_eval(self, eval_id: str) -> object:
        """Find an evaluation that the store has by now."""
        return self.tables.rows["evals"].get(eval_id)

    def submit(self, plan: Plan) -> Answer:
        """Answer the next plan; one that the store refuses was never answered, and ends the call.

        Spec: GENERIC-05, SYSTEM-07.
        """
        turn = len(self.plans)
        refusal = find_refusal(plan, self.tables.rows["evals"])
        if refusal and turn >= len(self.submissions):
            return Answer(error=refusal)
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


REFUSED_REBLOCKS: Final = frozenset({UNKNOWN, OTHER_STATUS})
"""Why an evaluation is not taken back, in the words of the server."""


class Server(SubmitOnly):
    """Has plans answered by a function, and takes an evaluation back only if the store has it as blocked."""

    def __init__(self, submit: Submit, find_eval: Callable[[str], object]) -> None:
        """Take what answers plans, and what finds evaluations of the store by ID."""
        super().__init__(submit)
        self.find_eval = find_eval

    def reblock_eval(self, evaluation: Evaluation) -> str:
        """Take an evaluation back, or say why not.

        Spec: WORKER-30.
        """
        known = self.find_eval(evaluation.id)
        if not isinstance(known, Evaluation):
            return UNKNOWN
        return "" if known.status == EvalStatus.BLOCKED else OTHER_STATUS


def tell_as_recorded(outcome: Outcome, told: RecordedOutcome) -> Outcome:
    """Say in recorded words that an evaluation was not taken back, and list it only where the recording does.

    Spec: WORKER-30.
    """
    if not told.error or outcome.error not in REFUSED_REBLOCKS:
        return outcome
    listed = outcome.reblocked_evals if told.reblocked_evals else ()
    return replace(outcome, error=told.error, reblocked_evals=listed)


def find_refusal(plan: Plan, evals: Container[str]) -> str:
    """Find what is said of a plan that the store refuses, and that nobody answers; empty where it takes it.

    It refuses what was planned for an evaluation that it does not have; a dry run is never written.
    """
    if plan.annotations is not None or not plan.eval_id or plan.eval_id in evals:
        return ""
    return f'{ABORTED}apply: unable to find eval id "{plan.eval_id}"'


def pair_by_place(planned: Allocations, recorded: Allocations) -> Pairs:
    """Pair the allocations of two plans on one node, each with the one that has its place."""
    return zip(planned, recorded, strict=False)


def answer(plan: Plan, recorded: Plan, told: Result, pair: Pairing = pair_by_place) -> PlanResult:
    """Answer a plan: what was taken of the recorded one is taken of this one, pair by pair."""
    new = frozenset(told.new_allocs or ())
    placed = {
        node_id: tuple(_stamp(ours, told.alloc_index, is_new=theirs.id in new) for ours, theirs in pairs)
        for node_id, pairs in _take(
            plan.node_allocation, recorded.node_allocation, told.node_allocation, pair
        )
    }
    updated = _take(plan.node_update, recorded.node_update, told.node_update, pair)
    preempted = _take(plan.node_preemptions, recorded.node_preemptions, told.node_preemptions, pair)
    return PlanResult(
        node_update={node_id: tuple(ours for ours, _ in pairs) for node_id, pairs in updated},
        node_allocation=placed,
        node_preemptions={node_id: tuple(ours for ours, _ in pairs) for node_id, pairs in preempted},
        deployment=plan.deployment if told.deployment else None,
        deployment_updates=plan.deployment_updates if told.deployment_updates else (),
        rejected_nodes=tuple(told.rejected_nodes or ()),
        refresh_index=told.refresh_index,
        alloc_index=told.alloc_index,
    )


def _take(
    planned: ByNode, recorded: ByNode, told: Mapping[str, Sequence[str]] | None, pair: Pairing
) -> Iterator[tuple[str, Pairs]]:
    for node_id, taken in (told or {}).items():
        pairs = pair(planned.get(node_id, ()), recorded.get(node_id, ()))
        yield node_id, [(ours, theirs) for ours, theirs in pairs if theirs.id in taken]


def _stamp(alloc: Allocation, index: int, *, is_new: bool) -> Allocation:
    """Give an allocation the indexes that it has in the answer: equal ones only when it is new."""
    created = index if is_new else alloc.create_index
    return replace(alloc, create_index=created, modify_index=index if is_new else created + 1)
