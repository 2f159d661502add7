"""Explains the plans that a recorded cluster committed: which state the applier may have judged each by.

The applier may judge by an older state than the one that an entry meets, if that shows what it had dispatched
since. An entry that it could not apply to its own copy is missing there, although it was committed: so nodes
can be given more than they have.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import msgspec

from nomadspec.checkers.oracle.trace_replay import Replay
from nomadspec.model.entities import Allocation, Plan
from nomadspec.model.rules.plan_applier import evaluate_plan
from nomadspec.model.rules.plan_commit import Commit, Keyring, build_entry
from nomadspec.model.rules.plan_error import PlanError
from nomadspec.model.store import Entry, State, apply
from nomadspec.model.store.initial import make_initial_state
from nomadspec.model.store.requests import ApplyPlanResults

_SIGNATURE = "redacted-token"
"""Stands in recordings for every signed identity."""


class Explanation(msgspec.Struct, frozen=True):
    """The newest state by which a committed plan is let through as a whole."""

    index: int
    """Of the entry that committed the plan."""
    base_index: int | None
    """Of the last entry in the state that the applier had taken; None where no state explains the plan."""
    unseen: int = 0
    """How many entries of the applier itself are missing from its copy."""
    is_stale: bool = False
    """Whether something was committed since that state was taken by which the plan would be stopped."""


def explain_plans(replay: Replay) -> Iterator[Explanation]:
    """Explain each plan of a replayed log.

    Spec: PLAN-31, PLAN-32, PLAN-37, 03/S2, 03/S5.
    """
    entries = [step.typed.entry for step in replay.steps]
    states = [make_initial_state(), *(step.applied.state for step in replay.steps)]
    for at, entry in enumerate(entries):
        if isinstance(entry.request, ApplyPlanResults):
            yield _explain(entry.index, entry.request, states[: at + 1], entries[:at])


def _explain(
    index: int, request: ApplyPlanResults, states: Sequence[State], entries: Sequence[Entry]
) -> Explanation:
    plan = rebuild_plan(states[-1], request)
    for base in range(len(entries), -1, -1):
        copy, unseen = _show_dispatched(states[base], entries[base:])
        if _is_let_through(copy, plan):
            base_index = entries[base - 1].index if base else 0
            return Explanation(index, base_index, unseen, is_stale=base < len(entries))
    return Explanation(index, None)


def _show_dispatched(base: State, entries: Iterable[Entry]) -> tuple[State, int]:
    """Apply the plans among later entries to a copy of a state, and count those that do not apply."""
    unseen = 0
    for entry in entries:
        if isinstance(entry.request, ApplyPlanResults):
            applied = apply(base, entry, now_ns=entry.request.updated_at_ns)
            base = base if applied.error else applied.state
            unseen += bool(applied.error)
    return base, unseen


def _is_let_through(state: State, plan: Plan) -> bool:
    try:
        return not evaluate_plan(state, plan).rejected_nodes
    except PlanError:
        return False


def rebuild_plan(state: State, request: ApplyPlanResults) -> Plan:
    """Rebuild the part of a plan that was committed."""
    return Plan(
        job=request.job,
        eval_id=request.eval_id,
        node_update=_sort_by_node(state, request.allocs_stopped),
        node_allocation=_sort_by_node(state, request.allocs_updated),
        node_preemptions=_sort_by_node(state, request.allocs_preempted),
        deployment=request.deployment,
        deployment_updates=request.deployment_updates,
    )


def _sort_by_node(state: State, allocs: Iterable[Allocation]) -> dict[str, tuple[Allocation, ...]]:
    by_node: dict[str, tuple[Allocation, ...]] = {}
    for alloc in allocs:
        stored = state.find_alloc(alloc.id)
        node_id = alloc.node_id or (stored.node_id if stored else "")
        by_node[node_id] = (*by_node.get(node_id, ()), alloc)
    return by_node


def rebuild_entry(state: State, request: ApplyPlanResults) -> ApplyPlanResults:
    """Build the entry of a committed plan anew, by the state that it met."""
    plan = rebuild_plan(state, request)
    key_id = next((alloc.signing_key_id for alloc in request.allocs_updated), "")
    commit = Commit(
        request.updated_at_ns,
        tuple(evaluation.id for evaluation in request.preemption_evals),
        Keyring(key_id, lambda _alloc, _task: _SIGNATURE),
    )
    return build_entry(state, state, plan, evaluate_plan(state, plan), commit)
