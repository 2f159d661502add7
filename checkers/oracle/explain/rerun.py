"""Makes a recorded call of a scheduler again, with every placement where it was recorded.

An attempt whose plan was let through as a whole or in part left an entry. One of which nothing was let
through left none: it is supposed where the applier could reject all of it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from nomadspec.checkers.oracle.explain.decisions import Decision
from nomadspec.checkers.oracle.explain.plan_facts import Facts, list_waits, tell_outcome, tell_plan
from nomadspec.checkers.oracle.relation.forcing import Forced
from nomadspec.checkers.oracle.relation.maps import MapOrders
from nomadspec.checkers.oracle.trace_plans import rebuild_plan, show_dispatched
from nomadspec.checkers.oracle.trace_replay import Replay, Step
from nomadspec.checkers.oracle.trace_window import CLOCKS_NS, read_time
from nomadspec.model.cluster.components.plan_applier import evaluate_plan, is_result_no_op, list_nodes
from nomadspec.model.cluster.components.plan_error import PlanError
from nomadspec.model.cluster.entities import (
    Allocation,
    Deployment,
    Evaluation,
    Node,
    Plan,
    PlanResult,
)
from nomadspec.model.cluster.entities.allocation import is_terminal
from nomadspec.model.cluster.entities.job import GENERIC_TYPES
from nomadspec.model.cluster.entities.node import is_ready
from nomadspec.model.cluster.entities.scalar import NS_PER_S
from nomadspec.model.cluster.scheduler.outcome import Answer, Outcome, SubmitOnly
from nomadspec.model.cluster.scheduler.reasons import Requested
from nomadspec.model.cluster.scheduler.schedule import schedule
from nomadspec.model.cluster.scheduler.snapshot import Snapshot
from nomadspec.model.cluster.store import State
from nomadspec.model.cluster.store.requests import ApplyPlanResults
from nomadspec.model.specification.profiles import Profile
from nomadspec.model.specification.quirks import STALE_JUDGEMENT

MOST_HIDDEN: Final = 8
"""So many attempts in a row may have left no entry."""
MOST_STALE: Final = 64
"""So far back an applier may have taken the state by which it rejected an attempt."""
_IN_FLIGHT_NS: Final = 5 * NS_PER_S
"""So long an entry of the applier is in flight, as far as plans are concerned of which nothing is known."""
MOST_TIMES: Final = 16
"""So far back an entry is looked for that tells what time it was."""

MADE_BEFORE: Final = "made before"
"""Where facts tell how many evaluations were made before a plan."""

Waits = Sequence[tuple[str, int]]
"""Why something waits, and until when."""


class Way(msgspec.Struct, frozen=True):
    """How a call may have gone, as far as the log leaves it open."""

    maps: MapOrders
    is_partial: bool = False
    """Whether what no entry shows was planned on nodes that were rejected."""
    hidden: int = 0
    """So many attempts in a row were rejected as a whole ..."""
    after: int = 0
    """... after so many that left an entry."""
    is_early: bool = False
    """Whether a rejected attempt was told of the first state that could reject it, and not of the last."""
    is_fresh: bool = False
    """Whether the attempt after a rejected one sees the newest state that it may, not the rejecting one."""
    back: int = 0
    """So many states before the last possible one a rejected attempt was told of."""
    doubt: int = 0
    """Which node, of those filled or no longer ready by then, attempts without an entry went to first."""
    is_latest: bool = False
    """Whether the call saw what was configured after the entry whose index its outcome names."""
    is_prompt: bool = False
    """Whether the call began as soon as its state was there, and not just before its plan was committed."""

    @property
    def kind(self) -> Sequence[int]:
        """What is supposed, apart from the order in which maps are visited."""
        marks = self.is_partial, self.is_early, self.is_fresh, self.is_latest, self.is_prompt
        return *marks, self.hidden, self.after, self.back, self.doubt


class Run(msgspec.Struct, frozen=True):
    """What a call came to, and what was recorded in its place."""

    ours: Facts
    recorded: Facts
    is_complete: bool = True
    """Whether each plan that had to be committed met an entry, and each entry a plan."""
    has_rejected: bool = False
    """Whether a part of a plan was rejected: of where that was to be placed nothing is known."""

    def list_misses(self) -> frozenset[str]:
        """List the places in which the two differ."""
        keys = self.ours.keys() | self.recorded.keys()
        return frozenset(key for key in keys if self.ours.get(key) != self.recorded.get(key))


@dataclass(slots=True)
class Rerun:
    """One decision, ready to be made again."""

    replay: Replay
    decision: Decision
    profile: Profile
    base: State = field(init=False)
    _snapshots: dict[int, Snapshot] = field(default_factory=dict)
    _doubtful: Sequence[str] | None = None

    def __post_init__(self) -> None:
        """Find the state that the call was made on."""
        self.base = self.replay.find_state(self.decision.outcome.snapshot_index)

    @property
    def evaluation(self) -> Evaluation | None:
        """The evaluation as the scheduler was given it."""
        return self.base.find_eval(self.decision.outcome.id)

    @property
    def counts_made(self) -> bool:
        """True if it is known how much an attempt makes: for system jobs that depends on the order of maps.

        Spec: EVAL-15.
        """
        return self.decision.outcome.type in GENERIC_TYPES

    def run(self, way: Way) -> Run | None:
        """Make the call; None where it breaks off or goes on without an end."""
        course = _Course(self, way)
        outcome = self._schedule(course)
        if outcome is None:
            return None
        ended = [*outcome.updated_evals, *outcome.reblocked_evals]
        made = [each.evaluation for each in self.decision.made]
        path = self.decision.path
        ours = {**course.ours, **_place_all(tell_outcome(ended[-1], outcome.created_evals), path)}
        recorded = {**course.list_recorded(), **_place_all(tell_outcome(self.decision.outcome, made), path)}
        waits, told = list_waits(outcome.created_evals), list_waits(made)
        bounds = self._find_bounds(way, waits) if waits != told else []
        if not _may_wait(told, bounds):
            ours[f"{path}.made.WaitUntil"], recorded[f"{path}.made.WaitUntil"] = bounds, told
        return Run(ours, recorded, course.is_complete, course.has_rejected)

    def _schedule(self, course: _Course) -> Outcome | None:
        evaluation = self.evaluation
        if evaluation is None:
            return None
        index = self.decision.outcome.snapshot_index
        outcome = schedule(
            Snapshot.of(self.replay.find_latest(index)) if course.way.is_latest else self.snapshot(index),
            evaluation,
            self._find_now_ns(is_prompt=course.way.is_prompt),
            course.forced,
            course,
            scheduler=evaluation.type,
            profile=self.profile,
            log=course.forced,
        )
        ended = [*outcome.updated_evals, *outcome.reblocked_evals]
        return outcome if outcome.error is None and ended else None

    def _find_bounds(self, way: Way, waits: Waits) -> Sequence[tuple[str, int, int]]:
        """Find from when to when each delay may end: the time of the call decides some, within bounds.

        When something failed is known: what waits from then on waits until a certain moment.

        Spec: RESCHED-21, REC-36.
        """
        outcome = self._schedule(_Course(self, replace(way, is_prompt=not way.is_prompt)))
        others = list_waits(outcome.created_evals) if outcome is not None else waits
        if [trigger for trigger, _ in waits] != [trigger for trigger, _ in others]:
            return []
        pairs = zip(waits, others, strict=True)
        return [(trigger, min(one, other), max(one, other)) for (trigger, one), (_, other) in pairs]

    @property
    def has_latest(self) -> bool:
        """True if something was configured after the entry whose index the outcome names."""
        return self.replay.find_latest(self.decision.outcome.snapshot_index) is not self.base

    def snapshot(self, index: int) -> Snapshot:
        """Give the state after an entry as schedulers see it."""
        if index not in self._snapshots:
            self._snapshots[index] = Snapshot.of(self.replay.find_state(index))
        return self._snapshots[index]

    def list_doubtful(self) -> Sequence[str]:
        """List the nodes that were not ready all through the call, then those on which others placed some.

        Spec: PLAN-43, PLAN-51, PLAN-53.
        """
        if self._doubtful is None:
            self._doubtful = self._find_doubtful()
        return self._doubtful

    def _find_doubtful(self) -> Sequence[str]:
        outcome = self.decision.outcome
        unready: set[str] = set()
        filled: set[str] = set()
        for step in self._list_steps(self.decision.index):
            request, state = step.typed.entry.request, step.applied.state
            if step.typed.entry.index <= outcome.snapshot_index:
                continue
            if isinstance(request, ApplyPlanResults) and request.eval_id != outcome.id:
                filled |= {alloc.node_id for alloc in request.allocs_updated}
            known = ((node.id, state.find_node(node.id)) for node in self.base.list_nodes())
            unready |= {name for name, node in known if node is None or not is_ready(node)}
        return *sorted(unready), *sorted(filled - unready)

    def find_oldest_copy(self, index: int) -> int:
        """Find how old a copy may be that the applier has kept: as old as the first of its entries in flight.

        Spec: PLAN-31, PLAN-32, 03/S2.
        """
        oldest, later_ns = index, self._find_now_ns(is_prompt=False)
        for step in reversed(self._list_steps(index)[-MOST_STALE:]):
            request = step.typed.entry.request
            if isinstance(request, ApplyPlanResults):
                if later_ns - request.updated_at_ns > _IN_FLIGHT_NS:
                    break
                oldest, later_ns = step.typed.entry.index - 1, request.updated_at_ns
        return max(oldest, 1)

    def show_copy(self, base: int, index: int) -> State:
        """Show the copy that an applier has kept since an entry: what it dispatched until another is in it.

        Spec: PLAN-32, PLAN-37.
        """
        later = [
            (each.typed.entry.index, each.typed.entry.request)
            for each in self._list_steps(index)
            if each.typed.entry.index > base
        ]
        copy, _ = show_dispatched(self.replay.find_state(base), later, self.profile)
        return copy

    def _list_steps(self, index: int) -> Sequence[Step]:
        """List the entries up to an index."""
        until = bisect_right(self.replay.steps, index, key=lambda step: step.typed.entry.index)
        return self.replay.steps[max(until - MOST_STALE, 0) : until]

    def _find_now_ns(self, *, is_prompt: bool) -> int:
        """Find when the call was made: once its state was there, or just before its plan was committed."""
        plans, outcome = self.decision.plans, self.decision.outcome
        latest_ns = plans[0].request.updated_at_ns if plans else outcome.modify_time_ns
        if not is_prompt:
            return latest_ns
        recent = self._list_steps(outcome.snapshot_index)[-MOST_TIMES:]
        known_ns = max((read_time(step.typed.entry.request) for step in recent), default=0)
        return min(max(known_ns, outcome.wait_until_ns), latest_ns) or latest_ns


class PartlyForced(Forced):
    """A forced run in which what was not recorded goes to nodes of which the entry has nothing.

    There it was rejected, together with all that was to stop there.

    Spec: PLAN-45, PLAN-46.
    """

    def begin_request(self, request: Requested, name: str = "") -> None:
        """Look for what was recorded under the name of the request, and for nothing else."""
        super().begin_request(request, name)
        if self._alloc is not None and self._alloc.name != (name or request.alloc_name):
            self._pairing.waiting.append(self._alloc)
            self._alloc = None

    def _find_wanted(self, node: Node) -> Node:
        if self._alloc is not None:
            return super()._find_wanted(node)
        taken = _list_touched(self._plan)
        if node.id not in taken:
            return node  # where one of the others is full, the next one is met
        return next((each for each in self._nodes if each.id not in taken), node)


class DoubtfullyForced(Forced):
    """A forced run in which attempts that left no entry go to nodes that may have rejected them."""

    doubtful: Sequence[str] = ()

    def _find_wanted(self, node: Node) -> Node:
        if self._alloc is not None:
            return super()._find_wanted(node)
        visited = {each.id: each for each in self._nodes}
        return next((visited[name] for name in self.doubtful if name in visited), node)


class _Course(SubmitOnly):
    """The attempts of one run, which rejects plans and refuses nothing."""

    def __init__(self, rerun: Rerun, way: Way) -> None:
        super().__init__(self.submit)
        self._rerun = rerun
        self.way = way
        self._created = 0
        self._left = list(rerun.decision.plans)
        self._recorded = [self._rebuild(index, request) for index, request in self._left]
        self._hidden = 0
        self._at = rerun.decision.outcome.snapshot_index
        met, left = self._recorded[: way.after], self._recorded[way.after :]
        plans = [*met, *[Plan()] * way.hidden, *left]
        self.forced = PartlyForced(plans, way.maps) if way.is_partial else DoubtfullyForced(plans, way.maps)
        if isinstance(self.forced, DoubtfullyForced) and way.doubt:
            self.forced.doubtful = rerun.list_doubtful()[way.doubt - 1 :]
        self.ours: dict[str, Any] = {}
        self._met: list[tuple[str, Facts]] = []
        self._is_unwritten = False
        self.has_rejected = False

    def create_eval(self, _: Evaluation) -> str:
        """Let it be written, and count what is written before the next plan."""
        self._created += 1
        return ""

    def submit(self, plan: Plan) -> Answer:
        """Answer a plan as the next entry says, or reject it as a whole."""
        self.forced.end_turn()
        is_hidden = self._hidden < self.way.hidden and len(self._met) == self.way.after
        if is_hidden or not self._left:
            return self._reject(plan)
        index, _ = self._left.pop(0)
        recorded = self._recorded[-len(self._left) - 1]
        base = self._rerun.replay.find_state(self._at)
        kept = _without_dead(_keep(plan, recorded), recorded, self._rerun.replay.find_state(index - 1))
        kept = self._fill_in(kept, recorded, index)
        rejected = tuple(sorted(_list_touched(plan) - _list_touched(kept)))
        path = f"raft-log[{index}]"
        self.has_rejected = self.has_rejected or bool(rejected)
        self.ours |= _place_all(tell_plan(kept, base), path)
        self.ours[f"{path}.{MADE_BEFORE}"] = self._created if self._rerun.counts_made else 0
        self._met.append((path, {**tell_plan(recorded, base), MADE_BEFORE: self._count_made(index)}))
        result = PlanResult(
            node_update=kept.node_update,
            node_allocation={
                node: tuple(_stamp(alloc, index, base) for alloc in allocs)
                for node, allocs in kept.node_allocation.items()
            },
            node_preemptions=kept.node_preemptions,
            deployment=kept.deployment,
            deployment_updates=kept.deployment_updates,
            rejected_nodes=rejected,
            refresh_index=index if rejected else 0,
            alloc_index=index,
        )
        return Answer(result=result, new_state=self._refresh(index) if rejected else None)

    def _count_made(self, index: int) -> int:
        """Count what was made before a plan, which belongs to the attempts up to that one.

        Spec: EVAL-12.
        """
        made = self._rerun.decision.made if self._rerun.counts_made else ()
        return sum(each.at < index for each in made)

    def _fill_in(self, kept: Plan, recorded: Plan, index: int) -> Plan:
        """Give what is stopped the follow-up that the applier found in the state that it judged the plan by.

        Spec: PLAN-40, 03/S2.
        """
        told = {each.id: each.followup_eval_id for allocs in recorded.node_update.values() for each in allocs}
        return replace(
            kept,
            node_update={
                node: tuple(self._follow(each, told.get(each.id, ""), index) for each in allocs)
                for node, allocs in kept.node_update.items()
            },
        )

    def _follow(self, stop: Allocation, told: str, index: int) -> Allocation:
        if stop.followup_eval_id or not told:
            return stop
        states = map(self._rerun.replay.find_state, range(self._rerun.find_oldest_copy(index - 1), index))
        known = (state.find_alloc(stop.id) for state in states)
        is_known = any(alloc is not None and alloc.followup_eval_id == told for alloc in known)
        return replace(stop, followup_eval_id=told) if is_known else stop

    @property
    def is_complete(self) -> bool:
        """True if plans and entries met one another."""
        return not self._is_unwritten and not self._left

    def list_recorded(self) -> dict[str, Any]:
        """List what the entries say; one that no attempt led to is named."""
        facts: dict[str, Any] = {}
        for path, told in self._met:
            facts |= _place_all(told, path)
        for index, request in self._left:
            facts |= {f"raft-log[{index}].EvalID": request.eval_id}
        return facts

    # --- inside ---

    def _rebuild(self, index: int, request: Any) -> Plan:  # noqa: ANN401 -- an entry of a plan
        plan = rebuild_plan(self._rerun.replay.find_state(index - 1), request)
        base = self._rerun.base
        placed = {
            node: tuple(
                replace(alloc, create_index=known.create_index if (known := base.find_alloc(alloc.id)) else 0)
                for alloc in allocs
            )
            for node, allocs in plan.node_allocation.items()
        }
        return replace(plan, node_allocation=placed)

    def _reject(self, plan: Plan) -> Answer:
        """Refuse all of a plan, by a state that may do so; where none may, the log lacks an entry."""
        self._hidden += 1
        for index, state in self._list_rejecting():
            result = self._judge(state, plan)
            if result is not None and result.rejected_nodes and is_result_no_op(result):
                if self._hidden > MOST_HIDDEN:
                    break
                is_seen = index >= self._at and not self.way.is_fresh
                self._at = index if is_seen else self._find_refreshed()
                refresh = max(result.refresh_index, self._at)
                return Answer(
                    result=replace(result, refresh_index=refresh), new_state=self._rerun.snapshot(self._at)
                )
        self._is_unwritten = True
        self.ours |= _place_all(
            tell_plan(plan, self._rerun.base), f"{self._rerun.decision.path} without a plan"
        )
        return Answer(result=PlanResult(node_update=plan.node_update, node_allocation=plan.node_allocation))

    def _judge(self, state: State, plan: Plan) -> PlanResult | None:
        try:
            return evaluate_plan(state, plan, profile=self._rerun.profile)
        except PlanError:
            return None

    def _list_rejecting(self) -> Iterator[tuple[int, State]]:
        """List the states by which an attempt may have been rejected, with the index that each is of.

        The applier may judge by an older state than that of the attempt, too, to which it has added the plans
        that it dispatched since.

        Spec: PLAN-31, PLAN-37, 03/S2.
        """
        rerun = self._rerun
        between = range(self._at, self._find_refreshed(is_early=False) + 1)
        indexes = between if self.way.is_early else between[::-1]
        yield from ((index, rerun.replay.find_state(index)) for index in indexes)
        if rerun.profile.has(STALE_JUDGEMENT):
            for index in range(self._at - 1, rerun.find_oldest_copy(self._at) - 1, -1):
                yield index, rerun.show_copy(index, self._at)

    def _find_refreshed(self, *, is_early: bool | None = None) -> int:
        """Find a state that a rejected attempt may have been told of: the first or the last."""
        is_first = self.way.is_early if is_early is None else is_early
        return self._at if is_first else max(self._find_newest(self._at) - self.way.back, self._at)

    def _refresh(self, index: int) -> Snapshot:
        self._at = index if self.way.is_early else max(index, self._find_newest(index) - self.way.back)
        return self._rerun.snapshot(self._at)

    def _find_newest(self, since: int) -> int:
        """Find the newest state that the next attempt may have been made on: before all that it writes.

        What an attempt makes is written before its plan.

        Spec: EVAL-12.
        """
        decision = self._rerun.decision
        last = self._left[0].at if self._left else decision.index
        left = decision.made[self._created :]
        return min((last, *(each.at for each in left if each.at > since))) - 1


def _keep(plan: Plan, recorded: Plan) -> Plan:
    """Keep of a plan what was let through: the nodes of the entry, and all where that has others."""
    let_through = _list_touched(recorded)
    if not let_through < _list_touched(plan):
        return plan
    placed = _of_nodes(plan.node_allocation, let_through)
    return replace(
        plan,
        node_update=_of_nodes(plan.node_update, let_through),
        node_allocation=placed,
        node_preemptions=_of_nodes(plan.node_preemptions, let_through),
        deployment=plan.deployment and _trim_canaries(plan.deployment, placed),
    )


def _without_dead(plan: Plan, recorded: Plan, state: State) -> Plan:
    """Leave out whom a plan evicts that has ended already, unless it had not when the plan was judged.

    Spec: PLAN-45.
    """
    shown = {each.id for allocs in recorded.node_preemptions.values() for each in allocs}
    evicted = {
        node: tuple(each for each in allocs if each.id in shown or not _is_dead(state, each.id))
        for node, allocs in plan.node_preemptions.items()
    }
    return replace(plan, node_preemptions=evicted)


def _is_dead(state: State, alloc_id: str) -> bool:
    alloc = state.find_alloc(alloc_id)
    return alloc is None or is_terminal(alloc)


def _list_touched(plan: Plan) -> frozenset[str]:
    """List the nodes on which a plan changes something."""
    return frozenset(
        node for node in list_nodes(plan) if plan.node_update.get(node) or plan.node_allocation.get(node)
    )


def _trim_canaries(deployment: Deployment, placed: Mapping[str, Sequence[Allocation]]) -> Deployment:
    """Leave the canaries that were let through.

    Spec: PLAN-49.
    """
    names = {alloc.id for allocs in placed.values() for alloc in allocs}
    groups = {
        name: group
        and replace(group, placed_canaries=tuple(each for each in group.placed_canaries if each in names))
        for name, group in deployment.task_groups.items()
    }
    return replace(deployment, task_groups=groups)


def _of_nodes(
    by_node: Mapping[str, tuple[Allocation, ...]], nodes: frozenset[str]
) -> dict[str, tuple[Allocation, ...]]:
    return {node: allocs for node, allocs in by_node.items() if node in nodes}


def _stamp(alloc: Allocation, index: int, state: State) -> Allocation:
    known = state.find_alloc(alloc.id)
    return replace(alloc, create_index=known.create_index if known else index, modify_index=index)


def _may_wait(told: Waits, bounds: Sequence[tuple[str, int, int]]) -> bool:
    """True if delays end when they may; the clocks of two servers may differ.

    What is made for other reasons is told by the list of what was made.
    """
    if [trigger for trigger, _ in told] != [trigger for trigger, _, _ in bounds]:
        return True
    return all(
        until_ns == first_ns
        if first_ns == last_ns
        else first_ns - CLOCKS_NS <= until_ns <= last_ns + CLOCKS_NS
        for (_, until_ns), (_, first_ns, last_ns) in zip(told, bounds, strict=True)
    )


def _place_all(facts: Facts, path: str) -> dict[str, Any]:
    return {f"{path}.{key}": told for key, told in facts.items()}
