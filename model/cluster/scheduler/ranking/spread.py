"""Spreads: allocations of a group shall be spread over the values of an attribute."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from msgspec import Struct

from nomadspec.model.cluster.entities import Job, Node, Spread, TaskGroup
from nomadspec.model.cluster.scheduler.context import Context
from nomadspec.model.cluster.scheduler.feasibility.distinct_property import find_value, list_existing
from nomadspec.model.cluster.scheduler.ranking.value_counts import OTHERS, ValueCounts
from nomadspec.model.specification.quirks import OVERRIDDEN_REST, SHARED_WEIGHTS, STUCK_SPREADS

Values = tuple[str | None, ...]
"""The values of a node, one for each spread."""

NO_SHARE: Final = -1.0
"""The score of a value that shall have nothing, or is not there."""
FIRST_FLOOR: Final = -1.0


class Shares(Struct, frozen=True):
    """How many allocations of a group each value of an attribute should have.

    Spec: RANK-60.
    """

    weight: int
    desired: Mapping[str, float]
    """Empty where all values shall have the same."""


def compute_shares(spread: Spread, count: int, *, overrides_rest: bool = True) -> Shares:
    """Compute how many of so many allocations each value should have; what is left is for all others.

    Spec: RANK-60, 07/S-20.
    """
    desired: dict[str, float] = {}
    total = 0.0
    for target in spread.spread_target:
        wanted = (float(target.percent) / 100.0) * float(count)
        desired[target.value] = wanted
        total += wanted
    if 0.0 < total < float(count) and (overrides_rest or OTHERS not in desired):
        desired[OTHERS] = float(count) - total
    return Shares(spread.weight, desired)


@dataclass(slots=True)
class SpreadStage:
    """Scores nodes by spreads, and remembers what one attempt has seen.

    Spec: RANK-58, RANK-61, RANK-63.
    """

    context: Context
    job: Job = field(default_factory=Job)
    _of_job: tuple[Spread, ...] = ()
    _shares: dict[str, Mapping[str, Shares]] = field(default_factory=dict)
    """By group and attribute."""
    _counts: dict[str, tuple[ValueCounts, ...]] = field(default_factory=dict)
    _active: tuple[ValueCounts, ...] = ()
    _active_shares: Mapping[str, Shares] = field(default_factory=dict)
    _weights: int = 0
    """The sum of the weights of all groups seen so far.

    Spec: RANK-61, 07/S-01.
    """
    _own_weights: int = 0
    """That of the group that is searched for."""
    _floor: float = FIRST_FLOOR
    _took_floor: bool = False
    _known: dict[Values, float | None] = field(default_factory=dict)
    """What values were scored in the search that is under way."""

    def set_job(self, job: Job) -> None:
        """Point to a version of the job; spreads of one before it stay if it has none.

        What was counted is forgotten, so that the next search of each group is its first again.

        Spec: RANK-61, 07/S-16.
        """
        self.job = job
        if job.spreads or not self.context.profile.has(STUCK_SPREADS):
            self._of_job = job.spreads
        self._shares.clear()
        self._counts.clear()

    def list_spreads(self, group: TaskGroup) -> tuple[Spread, ...]:
        """List the spreads of a group: those of the job first.

        Spec: RANK-58, OBJ-135.
        """
        return (*self._of_job, *group.spreads)

    def begin(self, group: TaskGroup) -> None:
        """Begin a search for a group.

        Spec: RANK-59, RANK-61.
        """
        spreads = self.list_spreads(group)
        if group.name not in self._counts:
            self._counts[group.name] = tuple(self._make_counts(spread, group) for spread in spreads)
        if group.name not in self._shares:
            self._shares[group.name] = self._make_shares(group)
        self._known.clear()
        self._own_weights = sum(spread.weight for spread in spreads)
        self._active = self._counts[group.name]
        self._active_shares = self._shares[group.name]
        for each in self._active:
            each.count_plan()

    def _make_counts(self, spread: Spread, group: TaskGroup) -> ValueCounts:
        there = list_existing(self.context.snapshot, self.job)
        targets = frozenset(target.value for target in spread.spread_target)
        return ValueCounts.of(self.context, spread.attribute, group.name, targets, there)

    def _make_shares(self, group: TaskGroup) -> Mapping[str, Shares]:
        """Compute what each value should have; of two spreads on an attribute the last counts.

        Spec: RANK-60, RANK-61, RANK-67.
        """
        shares: dict[str, Shares] = {}
        overrides_rest = self.context.profile.has(OVERRIDDEN_REST)
        for spread in (*group.spreads, *self._of_job):
            shares[spread.attribute] = compute_shares(spread, group.count, overrides_rest=overrides_rest)
            self._weights += spread.weight
        return shares

    def score(self, node: Node) -> float | None:
        """Score a node; None where all spreads together say nothing.

        Spec: RANK-64.
        """
        return self.score_values(self.find_values(node)) if self._active else None

    def find_values(self, node: Node) -> Values:
        """Find the values of a node that its score depends on: one for each spread, None where it has none.

        Where values are compared evenly they are not folded, not even if another spread folds the counts.

        Spec: RANK-59, RANK-65.
        """
        found = (find_value(counts.attribute, node) for counts in self._active)
        return tuple(
            value if value is None or self._is_even(counts) else counts.fold(value)
            for counts, value in zip(self._active, found, strict=True)
        )

    def _is_even(self, counts: ValueCounts) -> bool:
        """True if all values of an attribute shall be used alike."""
        shares = self._active_shares.get(counts.attribute)
        return shares is None or not shares.desired

    def score_values(self, values: Values) -> float | None:
        """Score values; None where all spreads together say nothing.

        What was said before in a search holds for all of it, unless it was the floor, which sinks.

        Spec: RANK-64.
        """
        if values in self._known:
            return self._known[values]
        total, self._took_floor = 0.0, False
        for counts, value in zip(self._active, values, strict=True):
            total += self._contribute(counts, value)
        score = total if total != 0.0 else None
        if not self._took_floor:
            self._known[values] = score
        return score

    def _contribute(self, counts: ValueCounts, value: str | None) -> float:
        """Compute what one spread says of a value.

        Spec: RANK-62, RANK-63, 07/S-02, 07/S-06.
        """
        if value is None:
            return NO_SHARE
        shares = self._active_shares.get(counts.attribute)
        if shares is None or not shares.desired:
            return self._compare_evenly(counts, value)
        desired = shares.desired.get(value, shares.desired.get(OTHERS))
        if desired is None:
            return NO_SHARE
        if desired == 0.0:
            self._took_floor = True
            return self._floor
        lacking = (desired - float(counts.count_used(value) + 1)) / desired
        weights = self._weights if self.context.profile.has(SHARED_WEIGHTS) else self._own_weights
        score = lacking * (float(shares.weight) / float(weights) if weights else math.nan)
        self._floor = min(self._floor, score)
        return score

    def _compare_evenly(self, counts: ValueCounts, value: str) -> float:
        used = counts.used
        is_open = 0 in used.values()
        visited = [used[each] for each in (self.context.choices.ordered(used) if is_open else used)]
        return compute_evenness(visited, used.get(value, 0))


def compute_evenness(used: Sequence[int], current: int) -> float:
    """Score a value where all shall be used alike, by the uses of all values in the order of a visit.

    Spec: RANK-65, RANK-66.
    """
    if not used:
        return 0.0
    least, most = find_least(used), max(used)
    if current != least:
        return float(least - current) / float(least) if least > 0 else NO_SHARE
    if least == most:
        return NO_SHARE
    return float(most - least) / float(least) if least > 0 else 1.0


def find_least(used: Iterable[int]) -> int:
    """Find the least use as a visit does that takes zero for not yet set.

    Spec: RANK-66.
    """
    least = 0
    for number in used:
        if least == 0 or number < least:
            least = number
    return least
