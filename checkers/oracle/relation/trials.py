"""Tries orders of maps: what they touch, what they do not touch, and which of them lead where."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from math import inf, prod
from typing import Any, Final

from nomadspec.checkers.oracle.relation.facts import (
    Facts,
    Name,
    find_stage,
    find_title,
    generalise,
    is_of_eviction,
)
from nomadspec.checkers.oracle.relation.maps import MOST_PERMUTED, MapOrders, MapVisit, Told, list_orders

FEWEST_SHUFFLES: Final = 10
"""So many runs at least shuffle all maps before anything is called untouched; more where more are allowed."""
_FEWEST_ALIKE: Final = 4
"""So many runs must have come as far before what they have in common means anything."""
_MOST_MOVED: Final = 12
"""Of maps with more keys than this no key is moved to each of its places."""
_ROUNDS: Final = 3
_LONGER: Final = 4
"""Where not all orders were tried, so many times as many are made in the end."""

Ways = Mapping[MapVisit, Sequence[tuple[Any, ...]]]


_WAITS_FOR_NODE: Final = re.compile(r"<eval [^ ]*//[^ ]+ ")
"""What an evaluation is called that waits for one node."""


@dataclass(frozen=True, slots=True)
class Trial:
    """One run under some orders of maps, and what it says."""

    maps: MapOrders
    facts: Facts
    state: str = ""
    """What else may matter later on."""

    def list_misses(self, wanted: Facts) -> set[Name]:
        """List the facts in which the run and what is wanted differ."""
        return {
            name for name in self.facts.keys() | wanted.keys() if self.facts.get(name) != wanted.get(name)
        }

    def list_alike(self, kind: Name) -> frozenset[tuple[Name, str]]:
        """List all facts of a kind."""
        return frozenset(each for each in self.facts.items() if generalise(each[0]) == kind)


Run = Callable[[MapOrders], Trial]


@dataclass(slots=True)
class Trials:
    """All runs that were made, and what they show together."""

    run: Run
    wanted: Facts
    most: int
    """So many runs are made at most."""
    made: list[Trial] = field(default_factory=list)
    is_complete: bool = True
    """Whether all orders that matter were tried."""
    last_stage: float = inf
    """What comes later is not called untouched where some order moves what came before: too much follows."""
    _base: MapOrders = field(default_factory=MapOrders)

    def begin(self, bases: Sequence[MapOrders]) -> Iterator[Trial]:
        """Begin with some orders; the best of them is where the search goes on from."""
        for base in bases:
            yield from self._try(base)
        self._base = self.find_nearest().maps

    def shuffle(self) -> Iterator[Trial]:
        """Shuffle all maps a few times, to see what they touch."""
        yield from self._shuffle(range(self._fewest_shuffles))

    def go_on(self) -> Iterator[Trial]:
        """Begin again from the best of more shuffles, where orders that matter together are too many."""
        if self.is_complete:
            return
        first = self._fewest_shuffles
        self.most *= _LONGER
        yield from self._shuffle(range(first, self._fewest_shuffles))
        yield from self.vary()

    def _shuffle(self, seeds: Iterable[int]) -> Iterator[Trial]:
        for seed in seeds if self._base.used else ():
            yield from self._try(MapOrders(seed=seed, idle=self._base.idle))

    @property
    def _fewest_shuffles(self) -> int:
        return max(FEWEST_SHUFFLES, self.most // 4)

    def find_nearest(self) -> Trial:
        """Find the run that came nearest to what is wanted."""
        return min(self.made, key=self._rank)

    def find_untouched(self, *, is_by_kind: bool = True) -> list[Name]:
        """Find what is wanted otherwise and what no order of maps has touched.

        Attempts are looked at one after the other, each in the runs in which all before was as wanted; yet
        what any run at all says as wanted is not left. By kind nothing of the kind may have been touched,
        whomever it is about.
        """
        misses = [trial.list_misses(self.wanted) for trial in self.made]
        reached = [_find_reach(each) for each in misses]
        for stage in sorted(set(reached)):
            alike = [at for at, reach in enumerate(reached) if reach >= stage]
            is_moved = len(alike) < len(self.made)
            if (stage > self.last_stage and is_moved) or (self._base.used and len(alike) < _FEWEST_ALIKE):
                break
            trials = [self.made[at] for at in alike]
            common = set.intersection(*(misses[at] for at in alike))
            names = [name for name in common if find_stage(name) == stage]
            untouched = _list_settled(names, trials)
            if not is_by_kind:
                untouched += self._list_settled_where_there(stage, trials)
            untouched = [
                name
                for name in untouched
                if not _is_of_one_of_several(name) and all(name in missed for missed in misses)
            ]
            if untouched:
                return sorted(set(untouched))
        return []

    def _list_settled_where_there(self, stage: float, trials: Sequence[Trial]) -> list[Name]:
        """List the facts about what was recorded that are wrong alike in all runs in which that is there.

        Who was evicted for whom follows from maps of all attempts together, of which too few are tried.
        """
        nearest = min(trials, key=self._rank).list_misses(self.wanted)
        told = [name for name in nearest if find_stage(name) == stage and find_title(name) in self.wanted]
        told = [name for name in told if not (stage and is_of_eviction(name))]
        return [name for name in told if self._is_wrong_where_there(name, trials)]

    def _is_wrong_where_there(self, name: Name, trials: Sequence[Trial]) -> bool:
        """True if all runs in which its object is there say one thing, and not what is wanted."""
        title = find_title(name)
        there = [trial for trial in trials if trial.facts.get(title) is not None]
        if name == title or len(there) < _FEWEST_ALIKE:
            return False
        said = {trial.facts.get(name) for trial in there}
        return len(said) == 1 and self.wanted.get(name) not in said

    def vary(self) -> Iterator[Trial]:
        """Try the orders of each map alone, then those that matter together."""
        ways: dict[MapVisit, Sequence[tuple[Any, ...]]] = {}
        self._base = self.find_nearest().maps
        yield from self._find_ways(ways)
        yield from self._descend(ways)
        if prod(len(orders) for orders in ways.values()) > self.most - len(self.made):
            self.is_complete = False
        for orders in product(*ways.values()) if ways else ():
            if len(self.made) >= self.most:
                return
            yield from self._try(self._base.with_told(dict(zip(ways, orders, strict=True))))

    def _find_ways(self, ways: dict[MapVisit, Sequence[tuple[Any, ...]]]) -> Iterator[Trial]:
        """Find for each map that matters orders that lead elsewhere, one for each end."""
        for visit in list(self._base.used):
            ends: dict[tuple[str, frozenset[tuple[Name, str]]], tuple[Any, ...]] = {}
            for order in list_orders(visit):
                if len(self.made) >= self.most:
                    self.is_complete = False
                    return
                yield from self._try(self._base.with_told({visit: order}))
                trial = self.made[-1]
                ends.setdefault((trial.state, frozenset(trial.facts.items())), order)
            if len(ends) > 1:
                ways[visit] = list(ends.values())
                self.is_complete &= len(visit.keys) <= MOST_PERMUTED

    def _descend(self, ways: Ways) -> Iterator[Trial]:
        """Change one map after the other, each time to the order that comes nearest."""
        told: Told = {}
        for _ in range(_ROUNDS):
            before = self._rank(self.find_nearest())
            for visit, orders in ways.items():
                if len(visit.keys) <= MOST_PERMUTED:
                    yield from self._try_each(told, visit, orders)
                elif len(visit.keys) <= _MOST_MOVED:
                    yield from self._move(told, visit)
                told = {each: self.find_nearest().maps.used.get(each, ()) for each in ways}
                told = {each: order for each, order in told.items() if order}
            if self._rank(self.find_nearest()) >= before:
                return

    def _move(self, told: Told, visit: MapVisit) -> Iterator[Trial]:
        """Find out place by place which key should stand there."""
        for place in range(len(visit.keys) - 1):
            order = self.find_nearest().maps.used.get(visit, visit.keys)
            moved = [
                (*order[:place], order[at], *order[place:at], *order[at + 1 :])
                for at in range(place + 1, len(order))
            ]
            yield from self._try_each(told, visit, moved)

    def _try_each(self, told: Told, visit: MapVisit, orders: Sequence[tuple[Any, ...]]) -> Iterator[Trial]:
        for order in orders:
            if len(self.made) < self.most:
                yield from self._try(self._base.with_told({**told, visit: order}))

    def _try(self, maps: MapOrders) -> Iterator[Trial]:
        """Make a run; it is given if nothing in it is otherwise than wanted."""
        trial = self.run(maps.again())
        self.made.append(trial)
        if not trial.list_misses(self.wanted):
            yield trial

    def _rank(self, trial: Trial) -> tuple[float, int]:
        """Rank a run: whichever goes on longer as wanted comes first, then whichever misses less."""
        misses = trial.list_misses(self.wanted)
        return -_find_reach(misses), len(misses)


def _find_reach(misses: Iterable[Name]) -> float:
    """Find the stage up to which all is as wanted; a run without misses goes on forever."""
    return min(map(find_stage, misses), default=inf)


def _list_settled(names: Sequence[Name], trials: Sequence[Trial]) -> list[Name]:
    """List the facts of kinds of which all runs say the same."""
    kinds = {generalise(name) for name in names}
    settled = {kind for kind in kinds if len({trial.list_alike(kind) for trial in trials}) == 1}
    return [name for name in names if generalise(name) in settled]


def _is_of_one_of_several(name: Name) -> bool:
    """True if a fact is about which classes one of the evaluations that wait for a node has met.

    Each node that a group fails on may get one, and what was learnt by then depends on all maps together, of
    which a few orders tell nothing.

    Spec: SYSTEM-31, FEAS-25.
    """
    return "ClassEligibility" in name and any(_WAITS_FOR_NODE.search(part) for part in name)
