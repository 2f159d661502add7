"""Explains the plans that a recorded cluster committed: which state the applier may have judged each by.

The applier may judge by an older state than the one that an entry meets, if that shows what it had dispatched
since. An entry that it could not apply to its own copy is missing there, although it was committed: so nodes
can be given more than they have. It keeps such a copy only while entries of its own are in flight, one after
the other: then a plan may also be judged by a state that is older than the one that it was made on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final

import msgspec
from msgspec.structs import replace

from nomadspec.checkers.oracle.compare import Rules, compare_rows
from nomadspec.checkers.oracle.context import Context
from nomadspec.checkers.oracle.explain.redelivered_calls import list_snapshots
from nomadspec.checkers.oracle.judgement import Difference
from nomadspec.checkers.oracle.trace_replay import Replay, Step
from nomadspec.model.cluster.components.plan_applier import evaluate_plan
from nomadspec.model.cluster.components.plan_commit import Commit, Keyring, build_entry
from nomadspec.model.cluster.components.plan_error import PlanError
from nomadspec.model.cluster.entities import Allocation, Evaluation, Plan
from nomadspec.model.cluster.entities.allocation import is_terminal
from nomadspec.model.cluster.entities.scalar import NS_PER_S
from nomadspec.model.cluster.store import Entry, State, apply
from nomadspec.model.cluster.store.initial import make_initial_state
from nomadspec.model.cluster.store.requests import ApplyPlanResults
from nomadspec.model.errors import ImpossibleError
from nomadspec.model.specification.profiles import Profile
from nomadspec.model.specification.quirk import Quirk
from nomadspec.model.specification.quirks import ERROR_AFTER_DISPATCH, STALE_JUDGEMENT

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
    quirks: tuple[Quirk, ...] = ()
    """Which defects of the release let the plan through."""


MOST_STATES: Final = 300
"""So far back it is looked for a state by which a plan is let through."""
IN_FLIGHT_NS: Final = 5 * NS_PER_S
"""Longer than this no entry of the applier is in flight: its copy is renewed then."""

_RULES: Final[Rules] = (
    ("AllocsUpdated", "PLAN-60"),
    ("AllocsStopped", "PLAN-60"),
    ("AllocsPreempted", "PLAN-60"),
    ("PreemptionEvals", "PLAN-62"),
    ("", "PLAN-60"),
)
_BY_NODE: Final = ("allocs_stopped", "allocs_updated", "allocs_preempted")
"""What an entry lists node by node, in any order of nodes."""


def compare_plans(replay: Replay, context: Context) -> Iterator[Difference]:
    """Compare committed plans with what the applier lets through, and their entries with what it writes.

    A plan that only a defect of the release lets through is counted: nodes may be given more than they have.

    Spec: PLAN-31, PLAN-60, PLAN-62, PREEMPT-24, 03/S2, 03/S5.
    """
    requests = {step.typed.entry.index: step.typed.entry.request for step in replay.steps}
    for told in explain_plans(replay, context.profile):
        path, request = f"raft-log[{told.index}]", requests[told.index]
        if not isinstance(request, ApplyPlanResults):
            continue
        yield from _compare_evictions(request, path)
        yield from _compare_ineligible(replay.find_state(told.index - 1), request, path)
        if told.base_index is None:
            placed = sorted(f"{alloc.name} on {alloc.node_id}" for alloc in request.allocs_updated)
            yield Difference(f"{path}.AllocsUpdated", placed, "no state lets the plan through", "PLAN-31")
        elif told.is_stale:
            for quirk in told.quirks:
                context.tell_defect(quirk, "plans judged by a copy that lacked entries")
        else:
            yield from _compare_entry(replay, told.index, request, context)


def _compare_evictions(request: ApplyPlanResults, path: str) -> Iterator[Difference]:
    """Whoever is evicted makes room for what the plan places: on a node both stand or fall together.

    Spec: PLAN-46, PREEMPT-24, PREEMPT-27.
    """
    placed = sorted(alloc.id for alloc in request.allocs_updated)
    for each in request.allocs_preempted:
        if each.preempted_by_allocation not in placed:
            place = f"{path}.AllocsPreempted[{each.id}].PreemptedByAllocation"
            yield Difference(place, each.preempted_by_allocation, placed, "PREEMPT-24")


def _compare_ineligible(state: State, request: ApplyPlanResults, path: str) -> Iterator[Difference]:
    """Where that is configured, nodes that were rejected are ineligible: nothing of the plan is left on them.

    Spec: PLAN-46, PLAN-85, PLAN-86.
    """
    touched = {alloc.node_id for alloc in request.allocs_updated}
    touched |= {each.node_id for each in map(state.find_alloc, _list_ended(request)) if each is not None}
    for node_id in request.ineligible_nodes:
        if node_id in touched:
            yield Difference(f"{path}.IneligibleNodes", node_id, "a node that was rejected", "PLAN-86")


def _list_ended(request: ApplyPlanResults) -> Iterator[str]:
    """List whom a plan stops or evicts."""
    yield from (each.id for each in (*request.allocs_stopped, *request.allocs_preempted))


def _compare_entry(
    replay: Replay, index: int, request: ApplyPlanResults, context: Context
) -> Iterator[Difference]:
    """Compare an entry with those that the applier makes of the plan by the states that it may have seen.

    Whoever is evicted may have ended since.

    Spec: PLAN-44, PLAN-45, PLAN-62.
    """
    states = (replay.find_state(each) for each in range(index - 1, max(index - 1 - MOST_STATES, -1), -1))
    newest: list[Difference] = []
    for state in states:
        found = list(_compare_built(state, request, f"raft-log[{index}]", context))
        if not found:
            return
        newest = newest or found
        if not request.allocs_preempted or not _had_others(state, request):
            break
    yield from newest


def _had_others(state: State, request: ApplyPlanResults) -> bool:
    """True if some whom a plan evicts had ended in a state, so that an older one may tell otherwise."""
    evicted = (state.find_alloc(each.id) for each in request.allocs_preempted)
    return any(alloc is not None and is_terminal(alloc) for alloc in evicted)


def _compare_built(
    state: State, request: ApplyPlanResults, path: str, context: Context
) -> Iterator[Difference]:
    try:
        built = rebuild_entry(state, request, context.profile)
    except PlanError as error:
        yield Difference(path, "a plan that was committed", str(error), "PLAN-60")
        return
    ineligible = replace(built, ineligible_nodes=request.ineligible_nodes)
    yield from compare_rows(_sort(request), _sort(ineligible), path, _RULES)


def _sort(request: ApplyPlanResults) -> ApplyPlanResults:
    """Put what is listed in any order into one, without the IDs that are free."""
    lists = {name: tuple(sorted(getattr(request, name), key=lambda alloc: alloc.id)) for name in _BY_NODE}
    evals = sorted((replace(each, id="") for each in request.preemption_evals), key=_key_of_job)
    return replace(request, preemption_evals=tuple(evals), **lists)


def _key_of_job(evaluation: Evaluation) -> tuple[str, str]:
    return evaluation.namespace, evaluation.job_id


def explain_plans(replay: Replay, profile: Profile) -> Iterator[Explanation]:
    """Explain each plan of a replayed log.

    Spec: PLAN-31, PLAN-32, PLAN-37, 03/S2, 03/S5.
    """
    snapshots = list_snapshots(replay)
    for at, step in enumerate(replay.steps):
        if isinstance(step.typed.entry.request, ApplyPlanResults):
            yield _explain(replay.steps[: at + 1], snapshots, profile)


def explain_plan(replay: Replay, at: int, profile: Profile) -> Explanation:
    """Explain one plan of a replayed log, by the place of its entry."""
    return _explain(replay.steps[: at + 1], list_snapshots(replay), profile)


def _explain(steps: Sequence[Step], snapshots: Mapping[str, Sequence[int]], profile: Profile) -> Explanation:
    """Look for the newest state by which the last of some steps is let through."""
    *earlier, (index, request) = [(each.typed.entry.index, each.typed.entry.request) for each in steps]
    if not isinstance(request, ApplyPlanResults):
        raise ImpossibleError("Only an entry of the applier is explained by what the applier saw.")
    states = [make_initial_state(), *(step.applied.state for step in steps[:-1])]
    plan = rebuild_plan(states[-1], request)
    named = snapshots.get(request.eval_id, ())
    least = max((each for each in named if each < index), default=0)
    for base in range(len(earlier), max(len(earlier) - MOST_STATES, -1), -1):
        copy, unseen = show_dispatched(states[base], earlier[base:], profile)
        base_index = earlier[base - 1][0] if base else 0
        quirks = _list_needed(is_older=base_index < least, unseen=unseen)
        if quirks and not _is_kept([*earlier[base:], (index, request)]):
            break  # the older the state, the longer the copy had to be kept
        if all(map(profile.has, quirks)) and _is_let_through(copy, plan, profile):
            return Explanation(index, base_index, unseen, base < len(earlier), quirks)
    return Explanation(index, None)


def _list_needed(*, is_older: bool, unseen: int) -> tuple[Quirk, ...]:
    """List the defects without which no plan is judged by such a copy."""
    return (*((ERROR_AFTER_DISPATCH,) if unseen else ()), *((STALE_JUDGEMENT,) if is_older else ()))


def _is_kept(requests: Iterable[tuple[int, msgspec.Struct]]) -> bool:
    """True if a copy may have been kept all the time: some entry of the applier was always in flight."""
    times_ns = [each.updated_at_ns for _, each in requests if isinstance(each, ApplyPlanResults)]
    gaps_ns = [later - earlier for earlier, later in pairwise(times_ns)]
    return len(times_ns) > 1 and max(gaps_ns) <= IN_FLIGHT_NS


def show_dispatched(
    base: State, requests: Iterable[tuple[int, msgspec.Struct]], profile: Profile
) -> tuple[State, int]:
    """Apply the plans among later entries to a copy of a state, and count those that do not apply."""
    unseen = 0
    for index, request in requests:
        if isinstance(request, ApplyPlanResults):
            applied = apply(base, Entry(index, request), now_ns=request.updated_at_ns, profile=profile)
            base = base if applied.error else applied.state
            unseen += bool(applied.error)
    return base, unseen


def _is_let_through(state: State, plan: Plan, profile: Profile) -> bool:
    try:
        return not evaluate_plan(state, plan, profile=profile).rejected_nodes
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


def rebuild_entry(state: State, request: ApplyPlanResults, profile: Profile) -> ApplyPlanResults:
    """Build the entry of a committed plan anew, by the state that it met."""
    plan = rebuild_plan(state, request)
    key_id = next((alloc.signing_key_id for alloc in request.allocs_updated), "")
    commit = Commit(
        request.updated_at_ns,
        (*(each.id for each in request.preemption_evals), *("" for _ in request.allocs_preempted)),
        Keyring(key_id, lambda _alloc, _task: _SIGNATURE),
    )
    return build_entry(state, state, plan, evaluate_plan(state, plan, profile=profile), commit)
