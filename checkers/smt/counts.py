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

if TYPE_CHECKING:
    from nomadspec.checkers.smt.sums import Sum
    from nomadspec.model.logic import Value


def list_count_facts(counts: Iterable[Sum]) -> Iterator[Value]:
    """List what is known of some counts, by themselves and two by two."""
    known = list(counts)
    for one in known:
        yield from _bound(one)
    for one, other in permutations(known, 2):
        if one.members[0].ids is other.members[0].ids:
            yield _compare(one, other)


def _bound(count: Sum) -> Iterator[Value]:
    around = _name_around(count, "of")
    total = count.at(around)
    own = z3.Int("counted", total.ctx)
    some = _witness(f"some {count.name}", around, total.ctx)
    yield _close(around, z3.Or(total <= 0, count.says(some, around)), total)
    yield z3.ForAll([*around, own], z3.Implies(count.says(own, around), total >= 1))


def _compare(small: Sum, large: Sum) -> Value:
    """Say that a count is no larger than another, or that a member counts for the first one alone."""
    first, second = _name_around(small, "small"), _name_around(large, "large")
    less, more = small.at(first), large.at(second)
    around = [*first, *second]
    odd = _witness(f"only {small.name} {large.name}", around, less.ctx)
    is_odd = z3.And(small.says(odd, first), z3.Not(large.says(odd, second)))
    return _close(around, z3.Or(less <= z3.If(more >= 0, more, 0), is_odd), less, more)


def _name_around(count: Sum, name: str) -> list[Value]:
    return [z3.Int(f"{name}.{place}", count.text.ctx) for place in range(len(count.members) - 1)]


def _witness(name: str, around: Sequence[Value], context: Value) -> Value:
    if not around:
        return z3.Int(name, context)
    return z3.Function(name, *[z3.IntSort(context)] * (len(around) + 1))(*around)


def _close(around: Sequence[Value], fact: Value, *shown: Value) -> Value:
    """Say a fact of all members around, whenever the counts are spoken of."""
    if not around:
        return fact
    depending = [term for term in shown if term.num_args()]
    pattern = z3.MultiPattern(*depending) if len(depending) > 1 else depending[0]
    return z3.ForAll(list(around), fact, patterns=[pattern])
