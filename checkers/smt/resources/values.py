"""Unknown values that ordinary Python can be run on.

A number, a flag or a set stands for all its values at once. It adds and compares like the plain one. Where
Python must know (in an ``if``, an ``or``, a look-up in a set), it asks whoever runs the function which way to
go, and the function is run once for each way (``paths.py``).

All unknown values have one hash, so a look-up in Python's own sets and dicts comes down to comparing. A plain
number beside them would never be compared; so in a set or a dict all values are unknown, or none is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Final, Protocol, TypeAlias

import z3

from nomadspec.checkers.smt.algebra import as_term, is_same
from nomadspec.checkers.smt.symbols import Role, new_number
from nomadspec.model.errors import ImpossibleError
from nomadspec.model.language.logic import Value, all_of, any_of, register_algebra

if TYPE_CHECKING:
    from collections.abc import Sequence

_HASH: Final = 7


class Guide(Protocol):
    """Who decides where Python must know."""

    @property
    def context(self) -> Value:
        """The solver's context that all terms are made in."""
        ...

    def decide(self, term: Value) -> bool:
        """Choose which way to go where a term decides."""
        ...


class Symbolic:
    """An unknown value: a term of the solver, and who decides where Python must know."""

    __slots__ = ("guide", "term")

    def __init__(self, term: Value, guide: Guide) -> None:
        """Keep both."""
        self.term = term
        self.guide = guide

    def __eq__(self, other: object) -> Value:
        """Compare; the answer is unknown as well, unless both are the same text."""
        return self._flag(self.term == _term_of(other, self))

    def __ne__(self, other: object) -> Value:
        """Compare."""
        return self._flag(self.term != _term_of(other, self))

    def __hash__(self) -> int:
        """Give the hash that all unknown values have."""
        return _HASH

    def __repr__(self) -> str:
        """Show the term."""
        return str(self.term)

    def _flag(self, term: Value) -> Value:
        simple = z3.simplify(term)
        if z3.is_true(simple) or z3.is_false(simple):
            return z3.is_true(simple)
        return SymbolicFlag(simple, self.guide)


class SymbolicFlag(Symbolic):
    """An unknown flag."""

    __slots__ = ()
    __hash__ = Symbolic.__hash__

    def __bool__(self) -> bool:
        """True if it holds on the way that is chosen here."""
        return self.guide.decide(self.term)


class SymbolicNumber(Symbolic):
    """An unknown whole number."""

    __slots__ = ()
    __hash__ = Symbolic.__hash__

    def __bool__(self) -> bool:
        """True if it is other than 0 on the way that is gone."""
        return self.guide.decide(self.term != 0)

    def __add__(self, other: object) -> SymbolicNumber:
        """Add."""
        return SymbolicNumber(self.term + _term_of(other, self), self.guide)

    __radd__ = __add__

    def __sub__(self, other: object) -> SymbolicNumber:
        """Take away."""
        return SymbolicNumber(self.term - _term_of(other, self), self.guide)

    def __rsub__(self, other: object) -> SymbolicNumber:
        """Take away from a plain number."""
        return SymbolicNumber(_term_of(other, self) - self.term, self.guide)

    def __lt__(self, other: object) -> Value:
        """Compare."""
        return self._flag(self.term < _term_of(other, self))

    def __le__(self, other: object) -> Value:
        """Compare."""
        return self._flag(self.term <= _term_of(other, self))

    def __gt__(self, other: object) -> Value:
        """Compare."""
        return self._flag(self.term > _term_of(other, self))

    def __ge__(self, other: object) -> Value:
        """Compare."""
        return self._flag(self.term >= _term_of(other, self))


Member: TypeAlias = "Callable[[Value], Value]"
"""Says of a term whether it is in a set."""


class SymbolicSet:
    """An unknown set of numbers, of any size; adding to it changes it as Python's sets change."""

    __slots__ = ("_member", "guide")

    def __init__(self, member: Member, guide: Guide) -> None:
        """Keep what says who is in it."""
        self._member = member
        self.guide = guide

    def has(self, term: Value) -> Value:
        """Say of a term whether it is in the set."""
        return self._member(term)

    def add(self, item: object) -> None:
        """Put a number in."""
        before, added = self._member, _plain_term(item, self.guide)
        self._member = lambda term: z3.Or(before(term), term == added)

    def __contains__(self, item: object) -> bool:
        """True if a number is in the set on the way that is gone."""
        return self.guide.decide(self._member(_plain_term(item, self.guide)))

    def __or__(self, other: Iterable[object]) -> SymbolicSet:
        """Unite with another set."""
        member, others = self._member, _member_of(other, self.guide)
        return SymbolicSet(lambda term: z3.Or(member(term), others(term)), self.guide)

    __ror__ = __or__

    def difference(self, other: Iterable[object]) -> SymbolicSet:
        """Leave out what is in another set."""
        member, others = self._member, _member_of(other, self.guide)
        return SymbolicSet(lambda term: z3.And(member(term), z3.Not(others(term))), self.guide)

    def isdisjoint(self, other: Iterable[object]) -> Value:
        """True while no number is in both sets."""
        if isinstance(other, SymbolicSet):
            return self._for_all(lambda term: z3.Not(z3.And(self.has(term), other.has(term))))
        apart = [z3.Not(self.has(_plain_term(item, self.guide))) for item in other]
        return SymbolicFlag(as_term(all_of(*apart), self.guide.context), self.guide)

    def __le__(self, other: Iterable[object]) -> Value:
        """True while all its numbers are in another set."""
        others = _member_of(other, self.guide)
        return self._for_all(lambda term: z3.Implies(self.has(term), others(term)))

    def __ge__(self, other: Iterable[object]) -> Value:
        """True while all numbers of another set are in it."""
        if isinstance(other, SymbolicSet):
            return other <= self
        inside = [self.has(_plain_term(item, self.guide)) for item in other]
        return SymbolicFlag(as_term(all_of(*inside), self.guide.context), self.guide)

    def __bool__(self) -> bool:
        """True if there is a number in it on the way that is gone."""
        return not self.guide.decide(self._for_all(lambda term: z3.Not(self.has(term))).term)

    def __iter__(self) -> Value:
        """Refuse: nobody knows how many there are."""
        raise ImpossibleError("A set of any size cannot be gone through one by one.")

    def _for_all(self, say: Member) -> SymbolicFlag:
        anyone = new_number(Role.ANYONE, context=self.guide.context)
        return SymbolicFlag(z3.ForAll([anyone], say(anyone)), self.guide)


class _Algebra:
    """The operators of the model's logic on unknown flags and numbers."""

    def all_of(self, flags: Sequence[Value]) -> Value:
        """Combine flags, at least one of them symbolic and none of them a bool."""
        return _combined(z3.And, flags)

    def any_of(self, flags: Sequence[Value]) -> Value:
        """Combine flags, at least one of them symbolic and none of them a bool."""
        return _combined(z3.Or, flags)

    def not_(self, flag: Value) -> Value:
        """Negate a symbolic flag."""
        return SymbolicFlag(z3.Not(flag.term), flag.guide)

    def ite(self, condition: Value, then: Value, otherwise: Value) -> Value:
        """Choose by a condition, which is symbolic."""
        if is_same(_term_of(then, condition), _term_of(otherwise, condition)):
            return then
        chosen = z3.If(condition.term, _term_of(then, condition), _term_of(otherwise, condition))
        return (SymbolicFlag if z3.is_bool(chosen) else SymbolicNumber)(chosen, condition.guide)

    def as_number(self, value: Value) -> Value:
        """Read a symbolic flag as 0 or 1, and leave a symbolic number as it is."""
        flag = isinstance(value, SymbolicFlag)
        return SymbolicNumber(z3.If(value.term, 1, 0), value.guide) if flag else value


def _combined(combine: Callable[..., Value], flags: Sequence[Value]) -> Value:
    return SymbolicFlag(combine(*[flag.term for flag in flags]), flags[0].guide)


def _term_of(value: object, beside: Symbolic) -> Value:
    if isinstance(value, Symbolic):
        return value.term
    if not isinstance(value, int):
        raise ImpossibleError(f"The unknown {beside} is compared with {value!r}, which is no number.")
    return as_term(value, beside.guide.context)


def _plain_term(item: object, guide: Guide) -> Value:
    return item.term if isinstance(item, Symbolic) else as_term(item, guide.context)


def _member_of(other: Iterable[object], guide: Guide) -> Member:
    if isinstance(other, SymbolicSet):
        return other.has
    items = [_plain_term(item, guide) for item in other]
    return lambda term: as_term(any_of(*[term == item for item in items]), guide.context)


register_algebra(Symbolic, _Algebra())
