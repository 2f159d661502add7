"""What is known of counts over sets of any size: which of two is the larger, and when one is nothing.

A count is an unknown number (sums.py). It is at least one exactly if some member has the property that is
counted, and no larger than another count if no member has its property without having the other. Both are
said with witnesses: either the numbers compare as they should, or there is a member that shows why not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import permutations
from typing import TYPE_CHECKING

import z3

from nomadspec.checkers.smt.sums import find_pattern
from nomadspec.checkers.smt.symbols import Role, new_number, new_value_for

if TYPE_CHECKING:
    from nomadspec.checkers.smt.sums import Sum
    from nomadspec.model.language.logic import Value


def list_pairings(goals: Iterable[Sum], steps: Iterable[Sum]) -> Iterator[Value]:
    """List how what a goal counts compares with what a step counts of the same sets, for the same members."""
    known = list(steps)
    for goal in goals:
        for step in known:
            if goal is not step and goal.around == step.around and are_alike(goal, step):
                yield _compare(goal, step)
                yield _compare(step, goal)


def list_comparisons(counts: Iterable[Sum]) -> Iterator[Value]:
    """List what is known of some counts two by two, and that totals are no less than nothing."""
    known = list(counts)
    for one in known:
        if one.is_total:
            around = _name_around(one)
            yield _close(around, one.at(around) >= 0, one.at(around))
    for one, other in permutations(known, 2):
        if are_alike(one, other):
            yield _compare(one, other)


def list_count_facts(counts: Iterable[Sum]) -> Iterator[Value]:
    """List what is known of some counts, by themselves and two by two."""
    known = list(counts)
    yield from list_bounds(known)
    yield from list_comparisons(known)


def list_bounds(counts: Iterable[Sum]) -> Iterator[Value]:
    """List when counts over one set are nothing."""
    for one in counts:
        if len(one.sets) == 1:
            yield from _bound(one)


def are_alike(one: Sum, other: Sum) -> bool:
    """Tell whether two counts are of members of the same sets, so that they can be compared."""
    return [ids.name for ids, _ in one.sets] == [ids.name for ids, _ in other.sets]


def _bound(count: Sum) -> Iterator[Value]:
    around = _name_around(count)
    total = count.at(around)
    own = new_number(Role.OWN, context=count.text.ctx)
    some = new_value_for(Role.SOME, count.name, around=around, context=count.text.ctx)
    yield _close(around, z3.Or(total <= 0, count.says([some], around)), total)
    yield z3.ForAll([*around, own], z3.Implies(count.says([own], around), total >= 1))


def _compare(small: Sum, large: Sum) -> Value:
    """True while a count is no larger than another, or that a member counts for the first one alone.

    Counts of what is about one node, or one job, are compared where they are about the same.
    """
    first, second = _name_around(small), _name_around(large)
    less, more = small.at(first), large.at(second)
    around = list({one.get_id(): one for one in (*first, *second)}.values())
    names = small.name, large.name
    odd = [
        new_value_for(Role.ONLY, *names, place, around=around, context=small.text.ctx)
        for place in range(len(small.sets))
    ]
    is_odd = z3.And(small.says(odd, first), z3.Not(large.says(odd, second)))
    return _close(around, z3.Or(less <= z3.If(more >= 0, more, 0), is_odd), less, more)


def _name_around(count: Sum) -> list[Value]:
    return [
        new_number(Role.AROUND, name, count.around[:place].count(name), context=count.text.ctx)
        for place, name in enumerate(count.around)
    ]


def _close(around: Sequence[Value], fact: Value, *shown: Value) -> Value:
    """Say a fact of all members around, whenever the counts are spoken of."""
    if not around:
        return fact
    pattern = find_pattern(around, shown)
    return z3.ForAll(list(around), fact, patterns=[pattern] if pattern is not None else [])
