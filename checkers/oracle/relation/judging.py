"""Says of a recorded call whether any choice leads to what came out.

Everything is first placed where it was recorded: what differs then, in every order of maps, no order of nodes
can mend. For orders of maps under which nothing differs each search is asked how every node would fare, and
orders of nodes are searched.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import inf
from typing import Final

from nomadspec.checkers.oracle.compare import Rules, compare
from nomadspec.checkers.oracle.judgement import ABSENT, Difference, Undecided
from nomadspec.checkers.oracle.relation.facts import Name
from nomadspec.checkers.oracle.relation.forcing import force
from nomadspec.checkers.oracle.relation.maps import MapOrders
from nomadspec.checkers.oracle.relation.naming import find_rule_of, show_name
from nomadspec.checkers.oracle.relation.recorded_call import RecordedCall
from nomadspec.checkers.oracle.relation.search import Found, OrderSearch
from nomadspec.checkers.oracle.relation.trials import Trial, Trials

MOST_TRIALS: Final = 160
"""So many orders of maps are tried."""
MOST_TRIALS_LARGE: Final = 30
"""So many are where there are many nodes."""


def judge_relation(call: RecordedCall, rules: Rules) -> Iterator[Difference]:
    """Accept what some choice leads to; reject what none does; where that cannot be told, nobody knows."""
    judging = _Judging(call, rules)
    if judging.is_accepted():
        return
    differences = list(judging.list_certain())
    if not differences and not judging.is_complete:
        raise Undecided("the search over orders of nodes and maps was given up")
    yield from differences or judging.list_likely()


class _Judging:
    def __init__(self, call: RecordedCall, rules: Rules) -> None:
        self._call = call
        self._rules = rules
        self._orders = OrderSearch(call)
        most = MOST_TRIALS_LARGE if call.is_large else MOST_TRIALS
        last_stage = inf if call.has_orders or not call.may_repeat else 0
        self._trials = Trials(self._try, call.facts, most, last_stage=last_stage)
        self._searched: set[str] = set()
        """The states in which orders of nodes were searched."""
        self.is_complete = True
        self._is_by_kind = True
        """Whether too few orders were tried to call anything settled while others of its kind are not."""

    def is_accepted(self) -> bool:
        """True if some choice leads to what was recorded."""
        trials = self._trials
        idle = self._call.idle
        bases = [MapOrders(is_descending=is_descending, idle=idle) for is_descending in (False, True)]
        if self._is_found_in(trials.begin(bases)):
            return True
        if self._is_found_in(trials.shuffle()):
            return True
        if trials.find_untouched():
            return False
        is_found = self._is_found_in(trials.vary()) or self._is_found_in(trials.go_on())
        self._is_by_kind = False
        self.is_complete &= trials.is_complete
        return is_found

    def _try(self, maps: MapOrders) -> Trial:
        """Place everything as recorded, and ask in every search how every node would fare.

        With many nodes they are only asked when nothing else is otherwise than recorded.
        """
        call = self._call
        forced = force(call, maps)
        is_asked = call.has_orders and not call.has_claims
        if not is_asked or (call.is_large and forced.list_misses(call.facts)):
            return forced
        told = forced.maps.with_told(forced.maps.used)
        examined = self._orders.examine(told)
        told.used |= {**forced.maps.used, **examined.maps.used}
        return Trial(told, {**forced.facts, **examined.facts}, forced.state + examined.state)

    def _is_found_in(self, trials: Iterable[Trial]) -> bool:
        return any(self._is_found(trial) for trial in trials)

    def _is_found(self, trial: Trial) -> bool:
        """True if an order of nodes leads to what was recorded, when maps are visited like this."""
        if not self._call.has_orders:
            return True
        state = repr(sorted(map(repr, trial.maps.used.items()))) if self._call.has_claims else trial.state
        if state in self._searched:
            return False
        self._searched.add(state)
        found = self._orders.search(trial.maps)
        self.is_complete &= found is not Found.UNKNOWN
        return found is Found.FOUND

    # --- why ---

    def list_certain(self) -> Iterator[Difference]:
        """List what no order has touched: facts that differ, and searches that cannot have been."""
        for name in self._trials.find_untouched(is_by_kind=self._is_by_kind):
            yield self._tell(name, self._trials.made[0])

    def list_likely(self) -> Iterator[Difference]:
        """List what differs in the run that came nearest."""
        nearest = self._trials.find_nearest()
        for name in sorted(nearest.list_misses(self._call.facts)):
            yield self._tell(name, nearest)
        yield from self._orders.explain()
        for outcome in self._orders.nearest[:1]:
            yield from compare(self._call.recorded, outcome, "outcome", self._rules)
        yield Difference("outcome", "all that was recorded", "no choice leads to it", "RANK-06")

    def _tell(self, name: Name, trial: Trial) -> Difference:
        told, ours = self._call.facts.get(name, ABSENT), trial.facts.get(name, ABSENT)
        breach = self._orders.breaches.get(name)
        rule = breach.rule if breach else find_rule_of(name, self._rules)
        return Difference(show_name(name), "placed" if breach else told, ours, rule)
