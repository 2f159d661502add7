"""What is known of counts over sets of any size: which of two is the larger, and when one is nothing.

A count is an unknown number (sums.py). It is at least one exactly if some member has the property that is
counted, and no larger than another count if no member has its property without having the other. Both are
said with witnesses: either the numbers compare as they should, or there is a member that shows why not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import permutations
from typing import TYPE_CHECKING, TypeAlias

import z3

from nomadspec.checkers.smt.sums import find_pattern
from nomadspec.checkers.smt.symbols import Role, new_number, new_value_for

if TYPE_CHECKING:
    from nomadspec.checkers.smt.sums import Sum
    from nomadspec.model.language.logic import Value

    Named: TypeAlias = Mapping[str, Sequence[Value]]
    """For some sets the members that a rule is about."""


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


def list_near_comparisons(counts: Iterable[Sum], named: Named) -> Iterator[Value]:
    """List how counts over one set compare but for one member, which is named or stands around them."""
    known = _list_simple(counts)
    for small in known:
        around = _name_around(small)
        yield _leave_one_out(small, around)
        for large in known:
            if small is not large and are_alike(small, large):
                beside = [*_list_beside(small, around), *_list_beside(large, _name_around(large))]
                members = {one.get_id(): one for one in (*beside, *named.get(large.sets[0][0].name, ()))}
                for member in members.values():
                    yield _compare_but_for(member, (small, around), (large, _name_around(large)))
        for member in _list_beside(small, around):
            other = new_number(Role.AROUND, "another", small.name, context=small.text.ctx)
            second = [other if one.eq(member) else one for one in around]
            yield _compare_but_for(member, (small, around), (small, second))


def _list_beside(count: Sum, around: Sequence[Value]) -> list[Value]:
    """List the members around a count that are of the set that is counted."""
    counted = count.sets[0][0].name
    return [one for one, name in zip(around, count.around, strict=True) if name == counted]


def list_goal_facts(goals: Iterable[Sum]) -> Iterator[Value]:
    """List what is known of the counts of a goal: when they are nothing or one, and how they compare."""
    known = _list_simple(goals)
    yield from list_bounds(known)
    yield from (_count_whoever(one) for one in known if one.around)
    yield from map(_find_two, known)
    yield from list_comparisons(known)


def list_goal_comparisons(goals: Iterable[Sum], lent: Iterable[Sum]) -> Iterator[Value]:
    """List how the counts of a goal compare with each other, and which of other counts are no smaller."""
    known = list(goals)
    names = {one.name for one in known}
    yield from list_comparisons(known)
    for one in known:
        for other in lent:
            if other.name not in names and are_alike(one, other):
                yield _compare(one, other)


def list_strict_comparisons(goals: Iterable[Sum], steps: Iterable[Sum]) -> Iterator[Value]:
    """List how the counts of a goal compare with each other and a step's, and when they are not equal."""
    known, others = _list_simple(goals), _list_simple(steps)
    pairs = [*permutations(known, 2)]
    pairs += [pair for one in known for other in others for pair in ((one, other), (other, one))]
    for small, large in pairs:
        if small is not large and are_alike(small, large):
            yield _compare(small, large)
            yield _compare_strictly(small, large)


def _list_simple(counts: Iterable[Sum]) -> list[Sum]:
    """List the counts over one set that are no totals."""
    return [one for one in counts if len(one.sets) == 1 and not one.is_total]


def are_alike(one: Sum, other: Sum) -> bool:
    """True if two counts are of members of the same sets, so that they can be compared."""
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


def _count_whoever(count: Sum) -> Value:
    """True while a count is at least one where a member is counted: recalled by the count and the member."""
    around = _name_around(count)
    own = new_number(Role.OWN, context=count.text.ctx)
    is_counted = count.says([own], around)
    fact = z3.Implies(is_counted, count.at(around) >= 1)
    return _close([own, *around], fact, is_counted, count.at(around))


def _find_two(count: Sum) -> Value:
    """True while a count is at most one, or two members that differ are counted."""
    around = _name_around(count)
    total = count.at(around)
    some, second = (
        new_value_for(Role.SOME, count.name, which, around=around, context=count.text.ctx)
        for which in ("first", "second")
    )
    are_two = z3.And(some != second, count.says([some], around), count.says([second], around))
    return _close(around, z3.Or(total <= 1, are_two), total)


def _compare_strictly(small: Sum, large: Sum) -> Value:
    """True while a count is smaller than another that has a member more, or a member counts for it alone."""
    first, second = _name_around(small), _name_around(large)
    around = list({one.get_id(): one for one in (*first, *second)}.values())
    own = new_number(Role.OWN, context=small.text.ctx)
    odd = new_value_for(Role.ONLY, small.name, large.name, 0, around=around, context=small.text.ctx)
    is_odd = z3.And(small.says([odd], first), z3.Not(large.says([odd], second)))
    is_more = z3.And(large.says([own], second), z3.Not(small.says([own], first)))
    less = small.at(first)
    is_less = z3.If(less >= 0, less, 0) < large.at(second)
    return z3.ForAll([*around, own], z3.Implies(is_more, z3.Or(is_less, is_odd)))


def _compare_but_for(
    member: Value, small: tuple[Sum, Sequence[Value]], large: tuple[Sum, Sequence[Value]]
) -> Value:
    """True while a count is no larger than another, one member left aside, or some other member shows why."""
    (few, first), (many, second) = small, large
    less, more = few.at(first), many.at(second)
    around = list({one.get_id(): one for one in (*first, *second)}.values())
    depends = [one for one in around if not one.eq(member)]
    depends += [member] if len(depends) < len(around) else []
    about = few.name, many.name, "but for", member
    odd = new_value_for(Role.ONLY, *about, around=depends, context=few.text.ctx)
    is_odd = z3.And(odd != member, few.says([odd], first), z3.Not(many.says([odd], second)))
    in_few, in_many = few.says([member], first), many.says([member], second)
    gain = z3.If(z3.And(in_many, z3.Not(in_few)), 1, z3.If(z3.And(in_few, z3.Not(in_many)), -1, 0))
    least = z3.If(less >= 0, less, 0) + gain
    return _close(around, z3.Or(least <= z3.If(more >= 0, more, 0), is_odd), less, more)


def _leave_one_out(count: Sum, around: Sequence[Value]) -> Value:
    """True while a count is smaller than its set where some member is not counted."""
    ((_, size),) = count.sets
    own = new_number(Role.OWN, context=count.text.ctx)
    is_out = z3.And(own >= 0, own < size, z3.Not(count.says([own], around)))
    return z3.ForAll([*around, own], z3.Implies(is_out, count.at(around) < size))


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
