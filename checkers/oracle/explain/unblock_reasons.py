"""Judges evaluations that were blocked and are worked on: something has to have unblocked them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Final

from nomadspec.checkers.oracle.explain.decisions import is_outcome
from nomadspec.checkers.oracle.explain.entry_times import list_written
from nomadspec.checkers.oracle.explain.missed_unblocks import list_freed, list_reopened
from nomadspec.checkers.oracle.judgement import Difference
from nomadspec.checkers.oracle.trace_log import OF_RAFT
from nomadspec.checkers.oracle.trace_replay import Step
from nomadspec.model.cluster.components.reapers import CORE
from nomadspec.model.cluster.entities import EvalStatus, Evaluation, Node, Trigger
from nomadspec.model.cluster.store import State
from nomadspec.model.cluster.store.entries import OUTSIDE_TABLES
from nomadspec.model.cluster.store.requests import (
    ApplyPlanResults,
    EvalUpdate,
    NamespaceUpsert,
    Outside,
)

_RULE: Final = "BLOCKED-40"


@dataclass(slots=True)
class Openings:
    """What a replayed log has told so far of room that came."""

    freed: list[tuple[int, Node]] = field(default_factory=list)
    """Which entries told that there is room, and on which nodes."""
    any_at: int = 0
    """The last entry by which anything may have been unblocked: a quota, a volume, or what nobody knows."""

    def add(self, step: Step, before: State) -> None:
        """Add what an entry may unblock."""
        index, request = step.typed.entry.index, step.typed.entry.request
        if isinstance(request, NamespaceUpsert) or (isinstance(request, Outside) and _is_unknown(step)):
            self.any_at = index
        nodes = (*list_freed(step, before), *list_reopened(step))
        self.freed += ((index, node) for node in nodes)

    def has_unblocked(self, entry: Evaluation) -> bool:
        """True if an evaluation may have been unblocked since the state that it was made on.

        One of a system job is also known by the node that it waits for. What used up its attempts is tried
        again by the clock.

        Spec: BLOCKED-10, BLOCKED-30, BLOCKED-31, BLOCKED-40, BLOCKED-44, LEADER-50.
        """
        if entry.triggered_by == Trigger.MAX_PLAN_ATTEMPTS or self.any_at > entry.snapshot_index:
            return True
        first = bisect_right(self.freed, entry.snapshot_index, key=itemgetter(0))
        return any(_may_wait_for(entry, node) for _, node in self.freed[first:])


def _is_unknown(step: Step) -> bool:
    return step.typed.type not in OUTSIDE_TABLES and step.typed.type not in OF_RAFT


def _may_wait_for(entry: Evaluation, node: Node) -> bool:
    is_eligible = (
        entry.escaped_computed_class or entry.class_eligibility.get(node.computed_class) is not False
    )
    return is_eligible or entry.node_id == node.id


@dataclass(slots=True)
class Unblocked:
    """The evaluations that are blocked, each as it was first written."""

    openings: Openings
    blocked: dict[str, Evaluation] = field(default_factory=dict)

    def compare(self, step: Step) -> Iterator[Difference]:
        """Compare what an entry tells of work on blocked evaluations with what may have unblocked them.

        Spec: BLOCKED-30, BLOCKED-40, BLOCKED-44, EVAL-36.
        """
        for place, eval_id in _list_worked_on(step):
            entry = self.blocked.get(eval_id)
            if entry is not None and not self.openings.has_unblocked(entry):
                path = f"raft-log[{step.typed.entry.index}].{place}"
                yield Difference(path, eval_id, "nothing has unblocked it", _RULE)

    def add(self, step: Step) -> None:
        """Add what an entry tells of evaluations."""
        for entry in list_written(step.typed.entry.request) if step.applied.error is None else ():
            if entry.status != EvalStatus.BLOCKED:
                self.blocked.pop(entry.id, None)
            elif entry.type != CORE:
                self.blocked.setdefault(entry.id, entry)


def _list_worked_on(step: Step) -> Iterator[tuple[str, str]]:
    """List the evaluations that schedulers work on, or fail: their outcomes, plans and what they make."""
    request = step.typed.entry.request
    if isinstance(request, ApplyPlanResults):
        yield "EvalID", request.eval_id
    for at, entry in enumerate(request.evals if isinstance(request, EvalUpdate) else ()):
        if is_outcome(entry) or entry.status == EvalStatus.FAILED:
            yield f"Evals[{at}].Status", entry.id
        if not entry.create_index and entry.previous_eval:
            yield f"Evals[{at}].PreviousEval", entry.previous_eval
