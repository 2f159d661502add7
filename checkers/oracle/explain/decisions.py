"""Finds in a replayed log what belongs to one outcome of a scheduler: plans, and evaluations it made."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple, TypeVar

import msgspec

from nomadspec.checkers.oracle.trace_replay import Replay
from nomadspec.model.cluster.components.reapers import CORE, FAILED
from nomadspec.model.cluster.entities import EvalStatus, Evaluation
from nomadspec.model.cluster.store.requests import ApplyPlanResults, EvalUpdate

_OUTCOMES: Final = frozenset({EvalStatus.COMPLETE, EvalStatus.FAILED, EvalStatus.BLOCKED})

REACHED_LIMIT: Final = FAILED.partition("{")[0]
"""What begins the description of an evaluation that was delivered too often."""


class Committed(NamedTuple):
    """A plan that was committed, with the index of its entry."""

    at: int
    request: ApplyPlanResults


class Made(NamedTuple):
    """An evaluation that a scheduler made, with the index of its entry."""

    at: int
    evaluation: Evaluation


Part = TypeVar("Part", Committed, Made)


class Decision(msgspec.Struct, frozen=True, kw_only=True):
    """What one call of a scheduler left in the log."""

    index: int
    """Of the entry that holds the outcome."""
    outcome: Evaluation
    plans: tuple[Committed, ...] = ()
    """What was committed for the evaluation after the state that the call was made on."""
    made: tuple[Made, ...] = ()
    """Evaluations that the call made: one that broke off before may have made some, too."""

    @property
    def path(self) -> str:
        """Give the place of the outcome in the log."""
        return f"raft-log[{self.index}]"

    def list_entries(self) -> list[int]:
        """List the indexes of all entries that belong to the decision."""
        return [self.index, *(each.at for each in self.plans), *(each.at for each in self.made)]


def list_decisions(replay: Replay) -> Iterator[Decision]:
    """List the outcomes that schedulers wrote, each with all that belongs to it.

    An outcome names the state that its call was made on; what leaders write themselves names none. What was
    written for an evaluation up to that state comes from calls that broke off: it was delivered again.

    Spec: WORKER-03, WORKER-20, EVAL-32.
    """
    plans: defaultdict[str, list[Committed]] = defaultdict(list)
    made: defaultdict[str, list[Made]] = defaultdict(list)
    for step in replay.steps:
        index, request = step.typed.entry.index, step.typed.entry.request
        if isinstance(request, ApplyPlanResults):
            plans[request.eval_id].append(Committed(index, request))
        for evaluation in request.evals if isinstance(request, EvalUpdate) else ():
            if not evaluation.create_index:
                made[evaluation.previous_eval].append(Made(index, evaluation))
            elif is_outcome(evaluation):
                yield Decision(
                    index=index,
                    outcome=evaluation,
                    plans=_since(plans.pop(evaluation.id, ()), evaluation.snapshot_index),
                    made=_since(made.pop(evaluation.id, ()), evaluation.snapshot_index),
                )


def _since(entries: Iterable[Part], index: int) -> tuple[Part, ...]:
    return tuple(each for each in entries if each.at > index)


def is_outcome(evaluation: Evaluation) -> bool:
    """True if an evaluation was written by the scheduler that worked on it.

    One that reaches the delivery limit still shows the state of its last outcome.

    Spec: LEADER-21, WORKER-20.
    """
    is_of_scheduler = evaluation.type != CORE and bool(evaluation.snapshot_index)
    is_at_delivery_limit = evaluation.status_description.startswith(REACHED_LIMIT)
    return is_of_scheduler and not is_at_delivery_limit and evaluation.status in _OUTCOMES
