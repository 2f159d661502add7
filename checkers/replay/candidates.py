"""What could have stood in the place of an impossible entry: each possibility, and why it leads elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final

from nomadspec.checkers.oracle.explain.decisions import Decision, list_decisions
from nomadspec.checkers.oracle.explain.outcomes import explain_outcome
from nomadspec.checkers.oracle.explain.plan_facts import show_fact
from nomadspec.checkers.oracle.explain.rerun import Run
from nomadspec.checkers.oracle.judgement import ABSENT
from nomadspec.checkers.oracle.trace_plans import rebuild_plan
from nomadspec.checkers.oracle.trace_replay import Replay
from nomadspec.model.cluster.components.plan_applier import evaluate_plan
from nomadspec.model.cluster.components.plan_error import PlanError
from nomadspec.model.cluster.components.plan_node import judge_node
from nomadspec.model.cluster.entities import Plan
from nomadspec.model.cluster.store import State
from nomadspec.model.cluster.store.requests import ApplyPlanResults
from nomadspec.model.specification.profiles import Profile

MOST_SHOWN: Final = 6
"""So many possibilities are shown; the others lead to the same or further away."""
_MOST_FIELDS: Final = 4


@dataclass(frozen=True, slots=True)
class Candidate:
    """One way in which it could have gone."""

    what: str
    why: str
    """Why it does not lead to what was recorded."""


def list_candidates(replay: Replay, index: int, profile: Profile) -> tuple[Candidate, ...]:
    """List what was tried for an entry: states of the applier for a plan, ways of a call for its outcome."""
    found: list[Candidate] = []
    step = next(each for each in replay.steps if each.typed.entry.index == index)
    if isinstance(step.typed.entry.request, ApplyPlanResults):
        found += _list_of_applier(replay, index, step.typed.entry.request, profile)
    for decision in list_decisions(replay):
        if index in decision.list_entries():
            found += _list_of_scheduler(replay, decision, profile)
    return tuple(dict.fromkeys(found))[:MOST_SHOWN]


def _list_of_applier(
    replay: Replay, index: int, request: ApplyPlanResults, profile: Profile
) -> Iterator[Candidate]:
    """List the newest states by which the applier may have judged a plan, and what it says by each."""
    plan = rebuild_plan(replay.find_state(index - 1), request)
    for base in range(index - 1, max(index - 1 - MOST_SHOWN, 0), -1):
        why = _refuse(replay.find_state(base), plan, profile)
        if why:
            yield Candidate(f"the applier judges by the state of index {base}", why)


def _refuse(state: State, plan: Plan, profile: Profile) -> str:
    try:
        rejected = evaluate_plan(state, plan, profile=profile).rejected_nodes
    except PlanError as error:
        return str(error)
    return "; ".join(
        f"node {node_id}: {judge_node(state, plan, node_id, profile=profile).reason}" for node_id in rejected
    )


def _list_of_scheduler(replay: Replay, decision: Decision, profile: Profile) -> Iterator[Candidate]:
    """List the ways in which a scheduler may have gone, and where each ends elsewhere."""
    explained = explain_outcome(replay, decision, profile)
    runs = sorted(explained.runs, key=lambda run: len(run.list_misses()))
    told = dict.fromkeys(_tell_run(run, decision) for run in runs)
    state = decision.outcome.snapshot_index
    for why in islice(told, MOST_SHOWN):
        yield Candidate(f"eval {decision.outcome.id} is scheduled on the state of index {state}", why)


def _tell_run(run: Run, decision: Decision) -> str:
    """Say where a run leads elsewhere: field by field, what the model says and what was recorded."""
    misses = sorted(run.list_misses())
    told = [
        f"{key.removeprefix(decision.path).lstrip('.')}: {_show(run.ours.get(key, ABSENT))} "
        f"and not {_show(run.recorded.get(key, ABSENT))}"
        for key in misses[:_MOST_FIELDS]
    ]
    rest = len(misses) - _MOST_FIELDS
    return "; ".join(told) + (f"; and {rest} more" if rest > 0 else "")


def _show(value: object) -> str:
    return "nothing" if value is ABSENT else repr(show_fact(value))
