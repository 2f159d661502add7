"""Steps that cannot change worlds for ever: each brings a world higher in one fixed order of all worlds.

The order compares one place after the other: a single cell, or all that renaming exchanges. The values of a
place are ordered by the moves of the steps that are not ranked yet: those to which there is no way back lie
below. A step that surely makes such a move is ranked by it, and what it does elsewhere does not matter; so is
one that makes nothing but such moves wherever it changes anything. Where nobody can be ranked, the rule that
stands in the way of most is left out.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from nomadspec.checkers.explore.partial_order.moves import find_moves
from nomadspec.checkers.explore.partial_order.places import number_places

if TYPE_CHECKING:
    from collections.abc import Mapping

    from nomadspec.checkers.explore.partial_order.facts import Facts
    from nomadspec.checkers.explore.partial_order.moves import Moves


class _Kind(Enum):
    """What a move is."""

    STAYS = "no move"
    LEAVES = "to where there is no way back from"
    RETURNS = "back, or to where there may be a way back from"


@dataclass(frozen=True, slots=True)
class _Shape:
    """How an instance moves a place; several instances do it alike."""

    place: int
    moves: Moves
    first_name: int
    """From this value on, less the lowest, all are names that may be exchanged."""

    def join(self, value: int) -> int:
        """Let all names be one value."""
        return min(value, self.first_name)

    def join_all(self, values: int) -> int:
        """Let all names among some values be one."""
        names = values >> self.first_name
        return values & (1 << self.first_name) - 1 | (1 << self.first_name if names else 0)


def find_ranked(facts: Facts, *, is_renamed: bool) -> int:
    """Find the instances that bring a world higher wherever they change it, as a mask.

    Where worlds stand for those that differ by names, a place must look the same under all names.
    """
    ranking, ranked = _Ranking(facts, is_renamed=is_renamed), 0
    left = frozenset(at for at, is_possible in enumerate(facts.possible) if is_possible)
    while left:
        found = ranking.list_ranked(left)
        if not found:
            left -= ranking.choose_lost(left)
            found = ranking.list_ranked(left)
        if not found:
            break
        ranked |= sum(1 << at for at in found)
        left -= found
    return ranked


class _Ranking:
    """The search for what comes next in the order."""

    def __init__(self, facts: Facts, *, is_renamed: bool) -> None:
        bounded = facts.bounded
        places = number_places(bounded, is_renamed=is_renamed)
        intervals = bounded.frame.intervals
        first_names = [
            -int(interval.low) if is_renamed and term.is_name else int(interval.high - interval.low) + 1
            for interval, term in zip(intervals, bounded.cell_terms, strict=True)
        ]
        self._is_followed, self._shapes = [], []
        for traced in facts.traced:
            moves = find_moves(traced, facts)
            self._is_followed.append(None not in moves.values())
            self._shapes.append(
                [
                    _Shape(places[cell], one, first_names[cell])
                    for cell, one in moves.items()
                    if one is not None
                ]
            )
        self._rules = [instance.rule.name for instance in bounded.instances]

    def choose_lost(self, left: frozenset[int]) -> set[int]:
        """Choose the rule without which most others can be ranked."""
        by_rule: dict[str, set[int]] = defaultdict(set)
        for at in sorted(left, reverse=True):
            by_rule[self._rules[at]].add(at)
        return max(by_rule.values(), key=lambda lost: len(self.list_ranked(left - lost)))

    def list_ranked(self, left: frozenset[int]) -> set[int]:
        """List those of some instances that are ranked by the moves that all of them can make."""
        shapes = {shape for at in left for shape in self._shapes[at]}
        graphs: dict[int, dict[int, int]] = defaultdict(lambda: defaultdict(int))
        for shape in shapes:
            for before, after in enumerate(shape.moves):
                graphs[shape.place][shape.join(before)] |= shape.join_all(after)
        ways = {place: _close(graph) for place, graph in graphs.items()}
        kinds = {shape: _list_kinds(shape, ways[shape.place]) for shape in shapes}
        return {at for at in left if self._is_ranked(at, kinds)}

    def _is_ranked(self, at: int, kinds: Mapping[_Shape, set[_Kind]]) -> bool:
        found = [kinds[shape] for shape in self._shapes[at]]
        is_sure = any(kind == {_Kind.LEAVES} for kind in found)
        return is_sure or (self._is_followed[at] and all(_Kind.RETURNS not in kind for kind in found))


def _list_kinds(shape: _Shape, ways: Mapping[int, int]) -> set[_Kind]:
    found = set()
    for before, after in enumerate(shape.moves):
        for value in range(after.bit_length()):
            if after >> value & 1:
                found.add(_find_kind(shape, ways, before, value))
    return found


def _find_kind(shape: _Shape, ways: Mapping[int, int], before: int, after: int) -> _Kind:
    if before == after:
        return _Kind.STAYS
    old, new = shape.join(before), shape.join(after)
    return _Kind.RETURNS if old == new or ways.get(new, 0) >> old & 1 else _Kind.LEAVES


def _close(graph: Mapping[int, int]) -> dict[int, int]:
    """Find for each value all to which there is a way."""
    ways = dict(graph)
    for through, further in ways.items():
        for value, after in ways.items():
            if after >> through & 1:
                ways[value] = after | further
    return ways
