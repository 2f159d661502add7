"""What one sees at once of flags and numbers where some flags hold: a guard often says where a table ends.

Nothing here is a proof of everything that follows. What is not seen is asked in every world.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from nomadspec.model.language.logic import not_
from nomadspec.model.language.term import Term

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from nomadspec.model.language.domain import Interval
    from nomadspec.model.language.logic import Value
    from nomadspec.model.language.stray_indexes import Stray

Sum: TypeAlias = "tuple[dict[int, int], int]"
"""A sum of terms, by their numbers how often each is in it, and of a constant."""


class Bounds:
    """What follows from flags that hold, and from numbers that lie between others."""

    def __init__(self, flags: Sequence[Value], within: Sequence[tuple[Term, Interval]] = ()) -> None:
        """Take what holds, and what else is known of numbers."""
        self._flags = tuple(flags)
        self._within = within
        self._terms: dict[int, Term] = {}
        self._known: dict[int, bool] = {}
        self._pinned: dict[int, int] = {}
        self._compared: list[tuple[Value, Value, int]] = []
        """Numbers of which the first is no more than the second, even if something is added to it."""
        choices = [part for flag in flags for part in self._take(flag)]
        for choice in choices:
            left = [one for one in choice.args if self.decide(one) is not False]
            if len(left) == 1:
                list(self._take(left[0]))
        self._compared += [(number, interval.high, 0) for number, interval in within]
        self._least: list[Sum] = [self._compute_difference(*each) for each in self._compared]
        """Sums that are no more than 0."""

    def admits(self, stray: Stray) -> bool:
        """True if the key of a stray is a member wherever the flags hold."""
        return self.admits_key(stray, stray.key)

    def admits_key(self, stray: Stray, key: Value) -> bool:
        """True if one of the keys from which a stray chooses is a member wherever the flags hold."""
        if not isinstance(key, Term):
            return key < stray.extent and (key >= 0 or stray.is_nobody)
        if key.op == "ite":
            condition: Value
            condition, then, otherwise = key.args
            cases = ((condition, then), (not_(condition), otherwise))
            return all(
                self.decide(case) is False or self._where(case).admits_key(stray, chosen)
                for case, chosen in cases
            )
        low, high = self._find_interval(key)
        return high < stray.extent and (low >= 0 or stray.is_nobody)

    def _where(self, flag: Value) -> Bounds:
        return self if self.decide(flag) else Bounds((*self._flags, flag), self._within)

    def decide(self, flag: Value) -> bool | None:
        """True if a flag holds, as far as one sees it."""
        if not isinstance(flag, Term):
            return bool(flag)
        known = self._known.get(flag.id)
        if known is None:
            known = self._find_out(flag)
        return known

    def _find_out(self, flag: Term) -> bool | None:
        if flag.op == "not":
            inner = self.decide(flag.args[0])
            return None if inner is None else not inner
        if flag.op in {"and", "or"}:
            ends = flag.op == "or"
            parts = [self.decide(part) for part in flag.args]
            if ends in parts:
                return ends
            return None if None in parts else not ends
        if flag.op in {"eq", "le"}:
            left, right = map(self._find_simple, flag.args)
            if flag.op == "le":
                return True if left[1] <= right[0] else False if left[0] > right[1] else None
            return False if left[1] < right[0] or left[0] > right[1] else None
        return None

    def _take(self, flag: Value) -> Iterator[Term]:
        """Take what follows from a flag that holds; gives the choices among that."""
        if not isinstance(flag, Term):
            return
        part: Value
        if flag.op == "and":
            for part in flag.args:
                yield from self._take(part)
        inner = flag.args[0] if flag.op == "not" else None
        if isinstance(inner, Term) and inner.op == "or":
            for part in inner.args:
                yield from self._take(not_(part))
        self._known[flag.id] = True
        if isinstance(inner, Term):
            self._known[inner.id] = False
        self._compare(inner if isinstance(inner, Term) else flag, is_denied=inner is not None)
        if flag.op == "or":
            yield flag

    def _compare(self, flag: Term, *, is_denied: bool) -> None:
        if flag.op == "eq" and isinstance(flag.args[0], Term) and not isinstance(flag.args[1], Term):
            if not is_denied:
                self._pinned[flag.args[0].id] = int(flag.args[1])
        elif flag.op == "le":
            left, right = flag.args
            self._compared.append((right, left, 1) if is_denied else (left, right, 0))

    def _compute_difference(self, one: Value, other: Value, more: int) -> Sum:
        parts, constant = _subtract(self._add_up(one), self._add_up(other))
        return parts, constant + more

    def _find_interval(self, key: Term) -> tuple[int, int]:
        """Find between what a number lies: what is no more than 0 and has it in it says so."""
        low, high = self._find_simple(key)
        own = self._add_up(key)
        for least in self._least:
            high = min(high, -self._find_lowest(_subtract(least, own)))
            low = max(low, self._find_lowest(_unite(least, own)))
        return low, high

    def _find_simple(self, value: Value) -> tuple[int, int]:
        if not isinstance(value, Term):
            return int(value), int(value)
        pinned = self._pinned.get(value.id)
        if pinned is not None:
            return pinned, pinned
        if value.op in {"add", "neg", "ite", "number"}:
            total = self._add_up(value)
            below = self._find_lowest(total)
            above = -self._find_lowest(({one: -many for one, many in total[0].items()}, -total[1]))
            return max(below, value.low), min(above, value.high)
        return value.low, value.high

    def _find_lowest(self, total: Sum) -> int:
        parts, lowest = total
        for one, many in parts.items():
            term = self._terms[one]
            pinned = self._pinned.get(one)
            low, high = (term.low, term.high) if pinned is None else (pinned, pinned)
            lowest += many * (low if many > 0 else high)
        return lowest

    def _add_up(self, value: Value) -> Sum:
        """Take a number apart into the terms that it adds up, with the choices that are made."""
        if not isinstance(value, Term):
            return {}, int(value)
        if value.op == "add":
            return _unite(self._add_up(value.args[0]), self._add_up(value.args[1]))
        if value.op == "neg":
            return _subtract(({}, 0), self._add_up(value.args[0]))
        if value.op == "ite":
            is_so = self.decide(value.args[0])
            if is_so is not None:
                return self._add_up(value.args[1 if is_so else 2])
        if value.op == "number":
            is_so = self.decide(value.args[0])
            if is_so is not None:
                return {}, int(is_so)
        self._terms[value.id] = value
        return {value.id: 1}, 0


def _unite(one: Sum, other: Sum) -> Sum:
    parts = dict(one[0])
    for term, many in other[0].items():
        parts[term] = parts.get(term, 0) + many
    return {term: many for term, many in parts.items() if many}, one[1] + other[1]


def _subtract(one: Sum, other: Sum) -> Sum:
    return _unite(one, ({term: -many for term, many in other[0].items()}, -other[1]))
