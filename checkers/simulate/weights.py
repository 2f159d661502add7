"""How likely each rule is to be chosen: evenly, by weights that each walk draws anew, or by a rate of faults.

Where all rules are equally likely, what needs one rule often and another never hardly comes up. *Swarm*: each
walk gives each rule a weight of its own, and some none at all. A rule that nothing makes happen (it is not
fair) is an outside event; a *rate of faults* says how large their share is where something else can happen
as well.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING, Final

from nomadspec.model.errors import UnknownNameError, UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from nomadspec.checkers.simulate.splitmix import SplitMix64
    from nomadspec.model.language.rule import Rule

_EVENT_WEIGHTS: Final = (0, 0, 1, 1, 1, 4, 4, 16)
"""What outside events draw from: a quarter of them does not happen on a walk."""

_DUTY_WEIGHTS: Final = (1, 1, 1, 4, 4, 16)
"""What other rules draw from: without one of them little would happen any more."""

_PARTS: Final = 1_000_000
"""A rate is read as so many parts, so that chance deals with whole numbers."""


class Weights:
    """The weights of some rules, by their place among them."""

    def __init__(
        self,
        rules: Sequence[Rule],
        *,
        is_swarm: bool = False,
        faults: float | None = None,
        fixed: Mapping[str, int] | None = None,
    ) -> None:
        """Keep what was wished for; without a wish all rules are alike."""
        self._events = [rule.fairness is None for rule in rules]
        self._is_swarm = is_swarm
        self._parts = None if faults is None else _read_rate(faults)
        self._fixed = _read_fixed(rules, fixed or {})
        self.is_even = not (is_swarm or self._fixed) and faults is None
        self._current = [1] * len(rules)

    def begin_walk(self, random: SplitMix64) -> None:
        """Draw the weights of a walk."""
        if self._is_swarm:
            tables = (_EVENT_WEIGHTS if is_event else _DUTY_WEIGHTS for is_event in self._events)
            self._current = [table[random.below(len(table))] for table in tables]
        for place, weight in self._fixed.items():
            self._current[place] = weight

    def choose(self, random: SplitMix64, places: Sequence[int]) -> int:
        """Choose one of some rules; gives the number of its place among them."""
        numbers = self._list_numbers(random, places)
        ends = list(accumulate(self._current[places[number]] for number in numbers))
        if not ends[-1]:
            return numbers[random.below(len(numbers))]
        return numbers[bisect_right(ends, random.below(ends[-1]))]

    def _list_numbers(self, random: SplitMix64, places: Sequence[int]) -> Sequence[int]:
        """List what there is to choose from: where there are outside events and others, only one kind."""
        everything = range(len(places))
        events = [number for number in everything if self._events[places[number]]]
        if self._parts is None or not events or len(events) == len(places):
            return everything
        if random.below(_PARTS) < self._parts:
            return events
        return [number for number in everything if not self._events[places[number]]]


def _read_rate(faults: float) -> int:
    if not 0 <= faults <= 1:
        raise UsageError(f"A rate of faults is a number from 0 to 1, not {faults}.")
    return round(faults * _PARTS)


def _read_fixed(rules: Sequence[Rule], fixed: Mapping[str, int]) -> dict[int, int]:
    names = [rule.name for rule in rules]
    for name, weight in fixed.items():
        if name not in names:
            raise UnknownNameError("rule", name, names)
        if weight < 0:
            raise UsageError(f"The weight of {name} must be 0 or more, not {weight}.")
    return {names.index(name): weight for name, weight in fixed.items()}
