"""Searches the choices of a recorded call for some that lead to what came out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any, Final

from nomadspec.checkers.oracle.compare import compare
from nomadspec.checkers.oracle.families.scheduler_reading import Jobs, Tables, Vector, read_row
from nomadspec.checkers.oracle.families.scheduler_replay import Unanswered
from nomadspec.checkers.oracle.families.scheduler_showing import EVALS, list_evals, show_plan
from nomadspec.checkers.oracle.judgement import Difference
from nomadspec.checkers.oracle.relation.answers import Answering
from nomadspec.checkers.oracle.relation.canonical import make_canonical, name_all, without_followups
from nomadspec.checkers.oracle.relation.expected import list_new
from nomadspec.checkers.oracle.relation.layout import lay_out
from nomadspec.checkers.oracle.relation.probing import Following, Probe
from nomadspec.checkers.oracle.relation.pursuit import DOWNWARDS, UPWARDS, Knowledge, Pursuit, explain
from nomadspec.checkers.oracle.relation.script import Backtrack, Script
from nomadspec.model.codec import write
from nomadspec.model.entities import Evaluation, Node, Plan, PreemptionConfig
from nomadspec.model.profile import Profile
from nomadspec.model.scheduler.choices import Choices, FreeChoices
from nomadspec.model.scheduler.reasons import ReasonLog
from nomadspec.model.scheduler.schedule import schedule
from nomadspec.model.scheduler.snapshot import Snapshot

MOST_RUNS: Final = 600
MOST_VISITS: Final = 20_000
SHUFFLES: Final = 6
"""So many other orders of maps are tried when neither upwards nor downwards leads anywhere."""

LARGE: Final = 8
"""With more nodes than this, what is learnt leads further than trying branches."""
RESTARTS: Final = 100
FREE_RUNS: Final = 4

Canonical = Mapping[str, Any]


@dataclass(slots=True)
class Found:
    """What a search came to."""

    is_found: bool = False
    is_exhausted: bool = True
    """Whether all node orders were tried, for every order of maps that was."""
    outcomes: list[Canonical] = field(default_factory=list)
    """What ended otherwise than recorded, one for each order of maps."""


@dataclass(slots=True)
class Search:
    """One recorded call whose choices are searched."""

    vector: Vector
    jobs: Jobs
    plans: Sequence[Plan]
    evals: Mapping[str, Sequence[Evaluation]]
    profile: Profile
    knowledge: Knowledge = field(default_factory=Knowledge)
    recorded: Canonical = field(init=False)
    names: Mapping[str, str] = field(init=False)
    """What the recorded IDs of new objects stand for; a newer state calls them so, too."""
    old: frozenset[str] = field(init=False)
    """The evaluations that allocations waited for before the call."""
    _is_large: bool = field(init=False)
    _evaluation: Evaluation = field(init=False)
    _first: Snapshot = field(init=False)
    _newer: list[Snapshot | None] = field(init=False)

    def __post_init__(self) -> None:
        """Bring the recorded outcome into its canonical form."""
        shown = self._show(self.plans, self.evals, self.vector.outcome.error)
        tables = Tables.of(self.vector, self.jobs)
        self._first = tables.build()
        self._evaluation = read_row(Evaluation, self.vector.eval, "eval")
        self._is_large = len(self._first.nodes) > LARGE
        self._newer = list(self._list_newer(tables))
        self.old = frozenset(alloc.followup_eval_id for alloc in self._first.state.allocs.values())
        self.names = dict(name_all(shown, self.old))
        self.recorded = make_canonical(shown, self.names)

    @property
    def has_cluster_reconciler(self) -> bool:
        """Whether the job is looked at as a whole, and not node by node."""
        return self.vector.scheduler in {"service", "batch"}

    def run(self) -> Found:
        """Search until something is found or nothing is left."""
        found = Found()
        ways = product((UPWARDS, DOWNWARDS), (False, True)) if self._is_large else ()
        if any(self._follow(map_order, is_backwards=backwards) for map_order, backwards in ways):
            found.is_found = True
            return found
        for map_order in (UPWARDS, DOWNWARDS, *range(SHUFFLES)):
            if self._search_orders(map_order, found):
                found.is_found = True
                break
        return found

    def run_freely(self) -> Iterator[Canonical]:
        """Run with some other choices, without looking at what was recorded."""
        for seed in range(FREE_RUNS):
            outcome = self._run(FreeChoices(seed), ReasonLog(is_on=False), lambda _turn, _plan: None)
            if outcome is not None:
                yield outcome

    def explain(self) -> Iterator[Difference]:
        """Say of the recorded placements which could not be reached, and why."""
        for turn, plan in enumerate(self.plans):
            for alloc in list_new(plan):
                if (turn, alloc.name, alloc.node_id) in self.knowledge.met:
                    rule, why = explain(self.knowledge, turn, alloc)
                    path = f"outcome.plans[{turn}].plan.NodeAllocation.{alloc.node_id}"
                    yield Difference(path, alloc.name, why, rule)

    def _follow(self, map_order: int, *, is_backwards: bool) -> bool:
        """Lay out orders that fit all metrics, and tell whether a run along them comes out as recorded.

        Where nodes of a class differ, the first decides for all; the last is tried in its place.
        """
        probe = Probe(self.plans, self.knowledge, map_order, is_backwards=is_backwards)
        self._run(probe, probe, lambda _turn, _plan: probe.end_turn())
        turns = [probed.turn for probed in probe.orders]
        orders: list[Sequence[Node]] = []
        for probed in probe.orders:
            is_last = turns.count(probed.turn) == 1 and probed.turn == turns[-1]
            orders.append(lay_out(probed, self._eligibility if is_last else {}) or ())
        if not all(orders):
            return False
        following = Following(self.plans, Script(), self.knowledge, map_order).follow(iter(orders))
        outcome = self._run(following, following, lambda turn, plan: self._look(turn, plan, following))
        return outcome is not None and next(compare(self.recorded, outcome), None) is None

    def _search_orders(self, map_order: int, found: Found) -> bool:
        """Search the node orders for one order of maps: first by what is learnt, then branch by branch."""
        script = Script()
        for number in range(MOST_RUNS):
            outcome = self._run_once(script, map_order)
            if outcome is not None:
                if next(compare(self.recorded, outcome), None) is None:
                    return True
                found.outcomes.append(outcome)
            goes_on = script.restart if self._is_large and number < RESTARTS else script.advance
            if not goes_on():
                return False
            if self.knowledge.visits > MOST_VISITS:
                break
        found.is_exhausted = False
        return False

    def _run_once(self, script: Script, map_order: int) -> Canonical | None:
        configuration = self._first.configuration
        may_evict = configuration is None or configuration.preemption_config != PreemptionConfig()
        pursuit = Pursuit(self.plans, script, self.knowledge, map_order, may_evict=may_evict)
        return self._run(pursuit, pursuit, lambda turn, plan: self._look(turn, plan, pursuit))

    def _run(self, choices: Choices, log: ReasonLog, look: Callable[[int, Plan], None]) -> Canonical | None:
        answering = Answering(self.vector.outcome.plans or (), self.plans, self._newer, look)
        try:
            outcome = schedule(
                self._first,
                self._evaluation,
                self.vector.now_ns,
                choices,
                answering.submit,
                scheduler=self.vector.scheduler,
                profile=self.profile,
                log=log,
            )
        except (Backtrack, Unanswered):
            return None
        return self._make_canonical(self._show(answering.plans, list_evals(outcome), outcome.error))

    @property
    def _eligibility(self) -> Mapping[str, bool]:
        """What was found of classes in the last attempt, by the recorded evaluations that wait."""
        waiting = [*self.evals["created_evals"], *self.evals["reblocked_evals"]]
        return {name: told for each in waiting for name, told in each.class_eligibility.items()}

    def _list_newer(self, tables: Tables) -> Iterator[Snapshot | None]:
        for turn, told in enumerate(self.vector.outcome.plans or ()):
            if told.state_after is None:
                yield None
            else:
                tables.lay_over(told.state_after, f"outcome.plans[{turn}].state_after")
                yield tables.build()

    def _look(self, turn: int, plan: Plan, pursuit: Pursuit) -> None:
        """Go on to the next plan where this one is as recorded; give up where it is not and others follow."""
        if turn >= len(self.plans):
            return
        plans = [*self.plans[:turn], plan]
        ours = self._make_canonical({"plans": [{"plan": show_plan(each, self.jobs)} for each in plans]})
        recorded = without_followups(self.recorded["plans"][turn])
        if next(compare(recorded, without_followups(ours["plans"][turn])), None) is None:
            pursuit.end_turn()
        elif turn + 1 < len(self.plans):
            raise Backtrack

    def _make_canonical(self, shown: Mapping[str, Any]) -> Canonical:
        return make_canonical(shown, {**self.names, **dict(name_all(shown, self.old))})

    def _show(
        self, plans: Sequence[Plan], evals: Mapping[str, Sequence[Evaluation]], error: str | None
    ) -> dict[str, Any]:
        shown: dict[str, Any] = {"plans": [{"plan": show_plan(plan, self.jobs)} for plan in plans]}
        shown |= {name: [write(each) for each in evals[name]] for name in EVALS}
        return {**shown, "error": error}
