"""Searches the node orders of a recorded call for one that leads to what came out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Final

import xxhash

from nomadspec.checkers.oracle.compare import compare
from nomadspec.checkers.oracle.judgement import Difference
from nomadspec.checkers.oracle.relation.canonical import without_followups
from nomadspec.checkers.oracle.relation.conditions import Breach, find_breach
from nomadspec.checkers.oracle.relation.decision_tree import Script
from nomadspec.checkers.oracle.relation.expected import list_new
from nomadspec.checkers.oracle.relation.facts import Name
from nomadspec.checkers.oracle.relation.layout import Layout, lay_out
from nomadspec.checkers.oracle.relation.maps import MapOrders
from nomadspec.checkers.oracle.relation.probing import Following, Probe, Probed, Stretch
from nomadspec.checkers.oracle.relation.pursuit import Knowledge, Pursuit, explain
from nomadspec.checkers.oracle.relation.recorded_call import Canonical, RecordedCall
from nomadspec.checkers.oracle.relation.trials import Trial
from nomadspec.model.cluster.entities import Plan

MOST_RUNS: Final = 600
MOST_VISITS: Final = 20_000
RESTARTS: Final = 40
"""With many nodes, so many runs begin anew with what was learnt when no order could be solved for."""


class Found(Enum):
    """What a search for an order of nodes came to."""

    FOUND = auto()
    NONE = auto()
    """No order leads to what was recorded."""
    UNKNOWN = auto()


@dataclass(slots=True)
class OrderSearch:
    """The search for orders of nodes of one call."""

    call: RecordedCall
    breaches: dict[Name, Breach] = field(default_factory=dict)
    """Of each search that was recorded what cannot be."""
    knowledge: Knowledge = field(default_factory=Knowledge)
    nearest: list[Canonical] = field(default_factory=list)
    """What ended otherwise than recorded."""

    def examine(self, maps: MapOrders) -> Trial:
        """Ask in every search how every node would fare, and what of the metrics cannot be."""
        probe = self._probe(maps)
        found: dict[Name, str] = {}
        state = xxhash.xxh3_128()
        for probed in probe.orders:
            if self.call.is_broken_off and probed.turn >= len(self.call.plans):
                continue
            for stretch in probed.stretches:
                state.update(repr((stretch.name, stretch.alloc, stretch.verdicts)).encode())
                breach = find_breach(stretch, probed.nodes)
                if breach is not None:
                    name = _call_search(probed, stretch)
                    self.breaches[name] = breach
                    found[name] = breach.reason
        return Trial(probe.maps, found, state.hexdigest())

    def search(self, maps: MapOrders) -> Found:
        """Search the orders of nodes."""
        if not self.call.has_orders:
            return self._check(maps)
        if self.call.is_large and self.call.has_claims:
            return self._restart(maps)
        if self.call.is_large:
            return self._solve(maps)
        return self._try_branches(maps, self.knowledge)

    def explain(self) -> Iterator[Difference]:
        """Say of the recorded placements that were met which could not be reached, and why."""
        for turn, plan in enumerate(self.call.plans):
            for alloc in list_new(plan):
                if (turn, alloc.name, alloc.node_id) in self.knowledge.met:
                    rule, why = explain(self.knowledge, turn, alloc)
                    path = f"outcome.plans[{turn}].plan.NodeAllocation.{alloc.node_id}"
                    yield Difference(path, alloc.name, why, rule)

    # --- inside ---

    def _check(self, maps: MapOrders) -> Found:
        """Make the call, in which nothing is left to choose."""
        outcome = self._run_once(Script(), Knowledge(), maps)
        return Found.FOUND if outcome is not None and self._is_recorded(outcome) else Found.NONE

    def _probe(self, maps: MapOrders) -> Probe:
        probe = Probe(self.call.plans, maps.again())
        self.call.run(probe, probe, lambda _turn, _plan: probe.end_turn())
        return probe

    def _solve(self, maps: MapOrders) -> Found:
        """Lay out orders that fit all metrics, and see whether a run along them comes out as recorded.

        Where no layout fits, a few runs are still made: one that comes out as recorded is all that counts.
        """
        probed = self._probe(maps).orders
        if self.call.is_broken_off:
            return self._restart(maps)
        layouts = [self._lay_out(each, probed) for each in probed]
        if any(each.is_impossible for each in layouts):
            is_found = self._restart(maps) is Found.FOUND
            return Found.FOUND if is_found else Found.NONE
        orders = [each.order for each in layouts]
        if all(order is not None for order in orders):
            given = [order for order in orders if order is not None]
            following = Following(self.call.plans, Script(), Knowledge(), maps.again())
            following.follow(iter(given))
            outcome = self.call.run(
                following, following, lambda turn, plan: self._look(turn, plan, following)
            )
            if outcome is not None and self._is_recorded(outcome):
                return Found.FOUND
        return self._restart(maps)

    def _lay_out(self, one: Probed, probed: Sequence[Probed]) -> Layout:
        """Solve for one order; what waits in the end was learnt along the last, if it is the only one."""
        turns = [each.turn for each in probed]
        is_last = turns.count(one.turn) == 1 and one.turn == turns[-1]
        return lay_out(one, self.call.eligibility if is_last else {})

    def _restart(self, maps: MapOrders) -> Found:
        """Begin anew a few times, each time knowing more of how nodes fare."""
        script, knowledge = Script(), Knowledge()
        for _ in range(RESTARTS):
            outcome = self._run_once(script, knowledge, maps)
            if outcome is not None and self._is_recorded(outcome):
                return Found.FOUND
            if not script.restart() or knowledge.visits > MOST_VISITS:
                break
        return Found.UNKNOWN

    def _try_branches(self, maps: MapOrders, knowledge: Knowledge) -> Found:
        """Try orders branch by branch."""
        script = Script()
        for _ in range(MOST_RUNS):
            outcome = self._run_once(script, knowledge, maps)
            if outcome is not None:
                if self._is_recorded(outcome):
                    return Found.FOUND
                self.nearest.append(outcome)
            if not script.advance():
                return Found.NONE
            if knowledge.visits > MOST_VISITS:
                break
        return Found.UNKNOWN

    def _run_once(self, script: Script, knowledge: Knowledge, maps: MapOrders) -> Canonical | None:
        call = self.call
        pursuit = Pursuit(
            call.plans,
            script,
            knowledge,
            maps.again(),
            may_evict=call.may_evict,
            is_broken_off=call.is_broken_off,
        )
        return call.run(pursuit, pursuit, lambda turn, plan: self._look(turn, plan, pursuit))

    def _look(self, turn: int, plan: Plan, pursuit: Pursuit) -> None:
        """Go on to the next plan where this one is as recorded; give up where it is not and others follow."""
        call = self.call
        if turn >= len(call.plans):
            return
        ours = call.show_plans([*call.plans[:turn], plan])
        recorded = without_followups(call.recorded["plans"][turn])
        if next(compare(recorded, without_followups(ours["plans"][turn])), None) is None:
            pursuit.end_turn()
        elif turn + 1 < len(call.plans):
            pursuit.give_up()

    def _is_recorded(self, outcome: Canonical) -> bool:
        return next(compare(self.call.recorded, outcome), None) is None


def _call_search(probed: Probed, stretch: Stretch) -> Name:
    """Call a search by what was recorded of it, or what was looked for."""
    alloc = stretch.alloc
    title = (alloc.name, alloc.node_id, alloc.previous_allocation) if alloc else (stretch.name, "nowhere", "")
    return "plans", str(probed.turn), "NodeAllocation", " ".join(title).strip(), "Metrics"
