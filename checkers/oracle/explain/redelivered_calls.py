"""Knows which calls may have begun anew, and on which states: of such attempts a log does not tell all.

A scheduler that uses up its attempts, or whose leader is lost, writes no outcome. A plan of it may be
committed even later than the state on which the next call is made.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Final

from msgspec.structs import replace

from nomadspec.checkers.oracle.explain.decisions import Committed, Decision, is_outcome
from nomadspec.checkers.oracle.trace_replay import Replay
from nomadspec.model.cluster.entities import Evaluation
from nomadspec.model.cluster.store.requests import EvalUpdate

ELECTED: Final = "LogNoop"
"""What a new leader writes first."""
MOST_LEFT: Final = 4
"""So many entries are supposed to come from calls that left no outcome."""
MOST_BASES: Final = 12
"""On so many states a call may have been made of which only a plan is known."""


def list_elections(replay: Replay) -> Sequence[int]:
    """List the indexes at which a server came to lead."""
    return [step.typed.entry.index for step in replay.steps if step.typed.type == ELECTED]


def is_redelivered(outcome: Evaluation, index: int, elections: Sequence[int]) -> bool:
    """True if an evaluation that ends at an index may have been delivered more than once.

    A delay is left behind by whoever gave it back; a new leader delivers all anew.

    Spec: BROKER-40, BROKER-50, WORKER-03, 02/S7.
    """
    first = bisect_right(elections, outcome.create_index)
    return outcome.wait_ns > 0 or (first < len(elections) and elections[first] <= index)


def list_snapshots(replay: Replay) -> defaultdict[str, list[int]]:
    """List by evaluation on which states its calls were made, or later.

    Outcomes name them. A call that broke off names none: it was made since its evaluation was there.

    Spec: WORKER-03, WORKER-08.
    """
    found: defaultdict[str, list[int]] = defaultdict(list)
    elections = list_elections(replay)
    for step in replay.steps:
        index, request = step.typed.entry.index, step.typed.entry.request
        for entry in request.evals if isinstance(request, EvalUpdate) else ():
            if is_outcome(entry):
                is_redone = is_redelivered(entry, index, elections)
                found[entry.id].append(entry.create_index if is_redone else entry.snapshot_index)
    return found


def list_last_calls(decision: Decision) -> Iterator[tuple[Decision, Sequence[Committed]]]:
    """List what the last call may have written, where the first entries come from calls before it."""
    plans, made = decision.plans, decision.made
    for left in range(1, min(len(plans) + len(made), MOST_LEFT) + 1):
        for several in range(max(0, left - len(made)), min(left, len(plans)) + 1):
            rest = replace(decision, plans=plans[several:], made=made[left - several :])
            yield rest, plans[:several]


def list_lone_calls(replay: Replay, plan: Committed) -> Iterator[Decision]:
    """List on which states a call may have been made of which nothing but a plan is known."""
    for index in range(plan.at - 1, max(plan.at - 1 - MOST_BASES, 0), -1):
        known = replay.find_state(index).find_eval(plan.request.eval_id)
        if known is None:
            return
        yield Decision(index=0, outcome=replace(known, snapshot_index=index), plans=(plan,))


def list_last_attempts(decision: Decision) -> Iterator[Decision]:
    """List on which states the last of several attempts may have been made, with its plan or without one."""
    before, last = decision.plans[-2], decision.plans[-1]
    for first, end, plans in ((before.at, last.at, (last,)), (last.at, decision.index, ())):
        for index in range(max(first, end - MOST_BASES), end):
            outcome = replace(decision.outcome, snapshot_index=index)
            yield replace(decision, outcome=outcome, plans=plans)
