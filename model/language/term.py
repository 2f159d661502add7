"""Traced terms: what a rule's text becomes when it runs on the cells of a world instead of on their values.

A ``Term`` is one node of an expression over cells. Terms are hash-consed (equal text is the same object),
know the interval of numbers that they can take and the cells that they read, and fold while they are built.
So a guard that can never hold in a scope is the constant False, and the engines never see it.

Operators: ``cell eq le add mul neg number not and or ite``. ``==`` and friends build terms; what would need a
term's value (``if``, ``and``, ``in`` a set, an index) raises a StyleError that says what to write.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import IntEnum
from typing import Final, Never, TypeAlias

from nomadspec.model.errors import NamingError, StyleError, UnknownValueError
from nomadspec.model.language.logic import Value, register_algebra
from nomadspec.model.language.value_wording import say

Argument: TypeAlias = "Term | int | bool"
Alike: TypeAlias = "Callable[[Term, object, bool], None]"
"""Who refuses what is compared with something of another kind; told whether both are asked to be equal."""

_TEACH = (
    "a rule or property may not {what} a value of the world, since the same text also runs where the value "
    "is not known yet; write {instead}"
)


class BeforeAll:
    """What marks a number that was counted back from an id: it is before the first, where nobody is."""

    __slots__ = ()


class Term:
    """One node of a traced expression; made by a ``TermTable`` and by the operators only."""

    __slots__ = ("args", "high", "id", "is_flag", "is_id", "is_name", "low", "op", "reads", "table")

    def __init__(self, table: TermTable, op: str, args: tuple[Argument, ...], low: int, high: int) -> None:
        """Keep the operator, its arguments and the interval; the table numbers the term."""
        self.table = table
        self.op = op
        self.args = args
        self.low = low
        self.high = high
        self.is_flag = False
        self.is_name = False
        self.is_id = False
        """Whether it is a cell that holds ids or places: less than all of them is NONE there, no slip."""
        self.id = -1
        self.reads: frozenset[int] = frozenset()

    def __eq__(self, other: object) -> Value:
        """Build the term that says whether both are equal."""
        _refuse_naming(self, other)
        return equal(self, other)

    def __ne__(self, other: object) -> Value:
        """Build the term that says whether both differ."""
        _refuse_naming(self, other)
        return _ALGEBRA.not_(equal(self, other))

    def __le__(self, other: Value) -> Value:
        """Build the comparison."""
        _refuse_order(self, other, most=-1)
        return at_most(self, other)

    def __lt__(self, other: Value) -> Value:
        """Build the comparison."""
        _refuse_order(self, other, most=0)
        return at_most(add(self, 1), other)

    def __ge__(self, other: Value) -> Value:
        """Build the comparison."""
        _refuse_order(self, other, most=0)
        return at_most(other, self)

    def __gt__(self, other: Value) -> Value:
        """Build the comparison."""
        _refuse_order(self, other, most=-1)
        return at_most(add(other, 1), self)

    def __add__(self, other: Value) -> Value:
        """Build the sum."""
        _refuse_names(self, other)
        return add(self, other)

    __radd__ = __add__

    def __sub__(self, other: Value) -> Value:
        """Build the difference."""
        _refuse_names(self, other)
        return add(self, negative(other))

    def __rsub__(self, other: Value) -> Value:
        """Build the difference."""
        _refuse_names(self)
        return add(other, negative(self))

    def __mul__(self, other: Value) -> Value:
        """Build the product with a constant."""
        _refuse_names(self, other)
        return times(self, other)

    __rmul__ = __mul__

    def __neg__(self) -> Value:
        """Build the negative."""
        _refuse_names(self)
        return negative(self)

    def __getattr__(self, name: str) -> Never:
        """Refuse, so that no default stands for what a value has not; Python itself asks for other names."""
        if name.startswith("__"):
            raise AttributeError(name=name, obj=self)
        raise StyleError(
            f"it asks for .{name} of a value of the world, which has no parts: compare it with ==."
        )

    def __bool__(self) -> Never:
        """Refuse: this is where `if`, `and`, `or`, `not` and `in` a tuple end up."""
        raise self._slip(
            "branch on", "all_of, any_of, not_, one_of, ite, minimum, maximum or t.when(condition)"
        )

    def __hash__(self) -> Never:
        """Refuse: a look-up in a set or dictionary would compare objects, not values."""
        if self.op == "member":
            raise NamingError(
                "an id of a set of interchangeable ones is put into a Python set or used as a key, where its "
                "number would tell it from the others; write a function for a dictionary, "
                "own = lambda i: s.own[i], and a condition for a set, for i in s.ids if i != j."
            )
        raise self._slip(
            "look up",
            "one_of(value, ...) or ite, and keep it out of sets, keys of dictionaries and functools.cache",
        )

    def __index__(self) -> Never:
        """Refuse: a Python list cannot be indexed by what is not known."""
        raise self._slip("index a Python list or range by", "a local function, or index a declared table")

    def __iter__(self) -> Never:
        """Refuse: a single value is not a collection."""
        raise self._slip("iterate over", "a generator over a declared set")

    def __getitem__(self, key: object) -> Never:
        """Refuse: only tables are indexed."""
        raise self._slip("index", "s.table[i] only where the field has an index set")

    def __format__(self, spec: str) -> Never:
        """Refuse: text made of a value would be another text each time."""
        raise self._slip("write as text", "a comparison with the value that is meant")

    def __str__(self) -> Never:
        """Refuse: as for formatting."""
        raise self._slip("write as text", "a comparison with the value that is meant")

    def __and__(self, other: object) -> Never:
        """Refuse: these operators mean something else for numbers."""
        raise self._slip("use & | ^ ~ on", "all_of, any_of, iff or not_")

    __rand__ = __or__ = __ror__ = __xor__ = __rxor__ = __and__

    def __invert__(self) -> Never:
        """Refuse: on a Python bool it gives a number."""
        raise self._slip("use & | ^ ~ on", "all_of, any_of, iff or not_")

    def __floordiv__(self, other: object) -> Never:
        """Refuse: the solver would have to leave linear arithmetic."""
        raise self._slip("divide", "+, - and * by a constant only")

    __rfloordiv__ = __mod__ = __rmod__ = __truediv__ = __rtruediv__ = __floordiv__
    __divmod__ = __rdivmod__ = __floordiv__

    def __pow__(self, other: object) -> Never:
        """Refuse: as for dividing."""
        raise self._slip("raise to a power", "+, - and * by a constant only")

    __rpow__ = __lshift__ = __rlshift__ = __rshift__ = __rrshift__ = __pow__

    def __abs__(self) -> Never:
        """Refuse: the sign of what is not known yet is not known."""
        raise self._slip("take the absolute value of", "maximum(x, -x)")

    def __int__(self) -> Never:
        """Refuse: a number would have to be known."""
        raise self._slip(
            "make a Python number of", "the value as it is, and total or count where it is a flag"
        )

    __float__ = __complex__ = __round__ = __trunc__ = __floor__ = __ceil__ = __int__

    def __len__(self) -> Never:
        """Refuse: a single value is not a collection."""
        raise self._slip("take the length of", "count over a declared set")

    def __contains__(self, other: object) -> Never:
        """Refuse: as for the length."""
        raise self._slip("look something up in", "exists over a declared set")

    def _slip(self, what: str, instead: str) -> StyleError:
        kind = NamingError if self.op == "member" else UnknownValueError
        return kind(_TEACH.format(what=what, instead=instead) + ".")

    def __repr__(self) -> str:
        """Show the expression."""
        if self.op == "cell":
            return f"c{self.args[0]}"
        return f"{self.op}({', '.join(map(repr, self.args))})"


class TermTable:
    """The hash-consing table of one traced model: equal text is the same object."""

    def __init__(self, expect_alike: Alike | None = None) -> None:
        """Start empty; a strict table knows what cells hold, and lets nothing else be compared with them."""
        self.expect_alike = expect_alike
        self._terms: dict[tuple[object, ...], Term] = {}
        self._compared: dict[tuple[int, int], Value] = {}
        self.plans: dict[int, Callable[[Sequence[int]], int]] = {}
        """How terms are computed in a world, by their numbers, once somebody has asked."""

    def cell(
        self,
        position: int,
        low: int,
        high: int,
        *,
        is_flag: bool,
        is_name: bool = False,
        is_id: bool = False,
    ) -> Term:
        """Make the term that reads a cell; a name is an interchangeable id: nobody calculates with it."""
        term = self.make("cell", (position, is_flag), low, high, is_flag=is_flag)
        term.is_name = is_name
        term.is_id = is_id
        term.reads = frozenset({position})
        return term

    def member(self, owner: int, number: int) -> Term:
        """Make the term that stands for one interchangeable id; its set is known by a number, too."""
        term = self.make("member", (number, owner), number, number, is_flag=False)
        term.is_name = True
        return term

    def keep_kind(self, branch: Value) -> Value:
        """Give what a choice chooses, so that what it is shows later on: a status, or what is before all."""
        if isinstance(branch, BeforeAll) and isinstance(branch, int):
            number = int(branch)
            return self.make("before", (number,), number, number, is_flag=False)
        return branch if isinstance(branch, IntEnum) else _checked(branch)

    def compare_choice(self, choice: Term, constant: int) -> Value:
        """Fold or build ``choice == constant`` branch by branch, once: tables of statuses ask often."""
        known = self._compared.get((choice.id, constant))
        if known is None:
            condition, then, otherwise = choice.args
            cases = (equal(then, constant), equal(otherwise, constant))
            if any(isinstance(case, bool) for case in cases):
                known = _ALGEBRA.ite(condition, *cases)
            else:
                known = self.make("eq", (choice, constant), 0, 1)
            self._compared[choice.id, constant] = known
        return known

    def make(self, op: str, args: tuple[Argument, ...], low: int, high: int, *, is_flag: bool = True) -> Term:
        """Give the one term with this operator and these arguments."""
        # a term stands there by its number, which no constant is taken for: it stands beside its type
        key = (op, low, high, *[arg.id if type(arg) is Term else (type(arg), arg) for arg in args])
        known = self._terms.get(key)
        if known is not None:
            return known
        term = Term(self, op, args, low, high)
        term.is_flag = is_flag
        term.id = len(self._terms)
        term.reads = frozenset().union(*[arg.reads for arg in args if type(arg) is Term])
        self._terms[key] = term
        return term


def equal(left: Value, right: Value) -> Value:  # noqa: PLR0911 -- one fold a return
    """Fold or build ``left == right``."""
    left, right = _checked(left), _checked(right)
    if not isinstance(left, Term):
        return left == right
    if isinstance(right, Term) and left.id == right.id:
        return True
    _same_kind(left, right)
    if left.is_flag and isinstance(right, bool):
        return left if right else _ALGEBRA.not_(left)
    if not left.is_flag and _are_apart(left, right):
        return False
    if left.op == "ite" and not isinstance(right, Term):
        return left.table.compare_choice(left, right)
    if left.op == "add" and not isinstance(right, Term) and not isinstance(left.args[1], Term):
        return equal(left.args[0], right - left.args[1])
    if isinstance(right, Term) and right.id < left.id:
        left, right = right, left
    return left.table.make("eq", (left, right), 0, 1)


def at_most(left: Value, right: Value) -> Value:
    """Fold or build ``left <= right``."""
    left, right = _number(left), _number(right)
    (left_low, left_high), (right_low, right_high) = _interval(left), _interval(right)
    if left_high <= right_low:
        return True
    if left_low > right_high:
        return False
    if isinstance(left, Term) and isinstance(right, Term):
        (base, more), (other, less) = _offset(left), _offset(right)
        if base.id == other.id:
            return more <= less
    return _table(left, right).make("le", (left, right), 0, 1)


def _offset(term: Term) -> tuple[Term, int]:
    """Take a term apart into what it is made from and the constant that is added to it."""
    if term.op == "add" and isinstance(term.args[0], Term) and isinstance(term.args[1], int):
        return term.args[0], term.args[1]
    return term, 0


def add(left: Value, right: Value) -> Value:  # noqa: PLR0911 -- one fold a return
    """Fold or build ``left + right``; a constant ends up last and merged."""
    left, right = _number(left), _number(right)
    if not isinstance(left, Term):
        left, right = right, left
    if not isinstance(left, Term):
        return left + right
    if not isinstance(right, Term):
        if right == 0:
            return left
        if left.op == "add" and not isinstance(left.args[1], Term):
            return add(left.args[0], left.args[1] + right)
    elif right.op == "add" and not isinstance(right.args[1], Term):
        return add(add(left, right.args[0]), right.args[1])
    elif left.op == "add" and not isinstance(left.args[1], Term):
        return add(add(left.args[0], right), left.args[1])
    elif _are_opposite(left, right):
        return 0
    (left_low, left_high), (right_low, right_high) = _interval(left), _interval(right)
    low, high = left_low + right_low, left_high + right_high
    return left.table.make("add", (left, right), low, high, is_flag=False)


def negative(value: Value) -> Value:
    """Fold or build ``-value``."""
    value = _number(value)
    if not isinstance(value, Term):
        return -value
    if value.op == "neg":
        return value.args[0]
    return value.table.make("neg", (value,), -value.high, -value.low, is_flag=False)


def times(value: Term, factor: Value) -> Value:
    """Fold or build ``value * factor`` for a constant factor."""
    value, factor = _number(value), _number(factor)
    if isinstance(factor, Term):
        raise UnknownValueError(
            "A rule or property may multiply by a constant or a size only, not two values of the world."
        )
    if factor in (0, 1):
        return value if factor else 0
    low, high = sorted((value.low * factor, value.high * factor))
    return value.table.make("mul", (value, factor), low, high, is_flag=False)


class TermAlgebra:
    """The operators on terms, folding as they build."""

    def all_of(self, flags: Sequence[Value]) -> Value:
        """Flatten, drop what repeats, and notice contradictions."""
        parts, constants = _flatten("and", flags)
        if False in constants or _has_opposites("and", parts) or _is_contradictory(parts):
            return False
        return _join("and", parts)

    def any_of(self, flags: Sequence[Value]) -> Value:
        """Flatten, drop what repeats, and notice tautologies."""
        parts, constants = _flatten("or", flags)
        if True in constants or _has_opposites("or", parts):
            return True
        return _join("or", parts)

    def not_(self, flag: Value) -> Value:
        """Negate, unless it is negated already."""
        if isinstance(flag, bool):
            return not flag
        _expect_flag(flag)
        return flag.args[0] if flag.op == "not" else flag.table.make("not", (flag,), 0, 1)

    def ite(self, condition: Value, then: Value, otherwise: Value) -> Value:
        """Choose; equal branches and choices between flags fold away."""
        _expect_flag(condition)
        if condition.table.expect_alike is not None:
            then, otherwise = (condition.table.keep_kind(branch) for branch in (then, otherwise))
        else:
            then, otherwise = _checked(then), _checked(otherwise)
        if is_same(then, otherwise):
            return then
        if _is_flag(then) or _is_flag(otherwise):
            return self._choose_flag(condition, then, otherwise)
        if condition.op == "not":
            return self.ite(condition.args[0], otherwise, then)
        if isinstance(otherwise, Term) and otherwise.op == "ite" and is_same(otherwise.args[0], condition):
            otherwise = otherwise.args[2]
        if isinstance(then, Term) and then.op == "ite" and is_same(then.args[0], condition):
            then = then.args[1]
        if is_same(then, otherwise):
            return then
        (then_low, then_high), (other_low, other_high) = _interval(then), _interval(otherwise)
        low, high = min(then_low, other_low), max(then_high, other_high)
        term = condition.table.make("ite", (condition, then, otherwise), low, high, is_flag=False)
        term.is_name = any(isinstance(branch, Term) and branch.is_name for branch in (then, otherwise))
        return term

    def _choose_flag(self, condition: Term, then: Value, otherwise: Value) -> Value:
        if not (_is_flag(then) and _is_flag(otherwise)):
            raise StyleError("ite chooses between two flags or between two numbers, not between one of each.")
        if isinstance(then, bool):
            return (
                self.any_of([condition, otherwise])
                if then
                else self.all_of([self.not_(condition), otherwise])
            )
        if isinstance(otherwise, bool):
            return self.any_of([self.not_(condition), then]) if otherwise else self.all_of([condition, then])
        return condition.table.make("ite", (condition, then, otherwise), 0, 1)

    def as_number(self, value: Value) -> Value:
        """Read a flag as 0 or 1."""
        return _number(value)


_ALGEBRA = TermAlgebra()
register_algebra(Term, _ALGEBRA)


def _refuse_names(*values: Value) -> None:
    if any(isinstance(value, Term) and value.is_name for value in values):
        raise StyleError(
            "A rule or property may not calculate with ids, which are names that mean nothing: "
            "compare them with ==, or declare places whose order shows by index(...)."
        )


def _refuse_order(name: Term, other: Value, *, most: int) -> None:
    """Refuse the order of ids, which means nothing, but let NONE and SKIP be told from them."""
    if name.table.expect_alike is None:
        return  # engines order ids to choose one of several worlds that differ by names
    name.table.expect_alike(name, other, False)  # noqa: FBT003 -- see Alike
    values = [value for value in (name, other) if isinstance(value, Term) and value.is_name]
    is_telling = name.is_name and isinstance(other, int) and other <= most
    if values and not is_telling:
        raise NamingError(
            "A rule or property may not order ids, which are names that mean nothing: compare them with ==, "
            "or declare places whose order shows by index(...)."
        )


def _refuse_naming(one: Term, other: object) -> None:
    """Refuse what is compared with something of another kind, as a number with an id, in a strict table."""
    if one.table.expect_alike is None:
        return
    one.table.expect_alike(one, other, True)  # noqa: FBT003 -- see Alike
    name, number = (one, other) if one.is_name else (other, one)
    is_number = number.high >= 0 and not number.is_name if isinstance(number, Term) else _is_id_like(number)
    if isinstance(name, Term) and name.is_name and is_number:
        what = "a number of the world" if isinstance(number, Term) else f"the number {number}"
        raise NamingError(
            f"An id is compared with {what}: the ids of a set are interchangeable, so that none "
            "can be told from the others; compare two ids, or declare the set with index(...)."
        )


_AS_THEY_ARE: Final = frozenset({Term, bool, int})


def _is_id_like(number: object) -> bool:
    return isinstance(number, int) and not isinstance(number, bool) and number >= 0


def _checked(value: Value) -> Value:
    """Let terms, ints and bools pass; an IntEnum member becomes its int."""
    if type(value) in _AS_THEY_ARE:
        return value
    if isinstance(value, int):
        return int(value)
    hint = " Where nothing stands in a field, write NONE." if value is None else ""
    raise StyleError(
        f"A value of the world was combined with {say(value)}, which is neither a flag nor a number.{hint}"
    )


def _number(value: Value) -> Value:
    value = _checked(value)
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, Term) and value.is_flag:
        return value.table.make("number", (value,), 0, 1, is_flag=False)
    return value


def _interval(value: Value) -> tuple[int, int]:
    return (value.low, value.high) if type(value) is Term else (int(value), int(value))


def _are_apart(left: Value, right: Value) -> bool:
    (left_low, left_high), (right_low, right_high) = _interval(left), _interval(right)
    return left_high < right_low or right_high < left_low


def _are_opposite(left: Term, right: Term) -> bool:
    return any(a.op == "neg" and is_same(a.args[0], b) for a, b in ((left, right), (right, left)))


def is_same(left: Value, right: Value) -> bool:
    """True if two values, traced or plain, are the same text: equal terms of a table are one object."""
    if isinstance(left, Term) or isinstance(right, Term):
        return left is right
    return type(left) is type(right) and bool(left == right)


def _is_flag(value: Value) -> bool:
    return value.is_flag if type(value) is Term else isinstance(value, bool)


def _same_kind(left: Value, right: Value) -> None:
    if _is_flag(left) != _is_flag(right):
        raise StyleError(
            "A flag was compared with a number: compare flags with flags and numbers with numbers."
        )


def _expect_flag(value: Value) -> None:
    if not _is_flag(value):
        raise StyleError("A number stands where a flag was expected: compare it with something.")


def _table(*values: Value) -> TermTable:
    return next(value.table for value in values if isinstance(value, Term))


def _flatten(op: str, flags: Sequence[Value]) -> tuple[list[Term], list[bool]]:
    """List the parts of flags, none twice, and apart from them those that are constants."""
    parts: dict[int, Term] = {}
    constants: list[bool] = []
    for flag in flags:
        if not isinstance(flag, Term):
            _expect_flag(flag)
            constants.append(flag)
        elif flag.op == op:
            parts.update({part.id: part for part in flag.args if isinstance(part, Term)})
        else:
            _expect_flag(flag)
            parts[flag.id] = flag
    return list(parts.values()), constants


def _has_opposites(op: str, parts: Sequence[Term]) -> bool:
    """True if ``x`` stands beside ``not_(x)``, or the parts of ``x`` do if it is of this operator."""
    negated = [part.args[0] for part in parts if part.op == "not"]
    if not negated:
        return False
    present = {part.id for part in parts}
    return any(
        present.issuperset(_list_ids(part.args if part.op == op else (part,)))
        for part in negated
        if isinstance(part, Term)
    )


def _list_ids(parts: Sequence[Argument]) -> list[int]:
    return [part.id for part in parts if isinstance(part, Term)]


def _is_contradictory(parts: Sequence[Term]) -> bool:
    """True if a cell would have to be two values, as in ``x == 1 and x == 2``."""
    pinned: dict[int, int] = {}
    for part in parts:
        if part.op == "eq" and isinstance(part.args[0], Term) and not isinstance(part.args[1], Term):
            value = int(part.args[1])
            if pinned.setdefault(part.args[0].id, value) != value:
                return True
    return False


def _join(op: str, parts: Sequence[Term]) -> Value:
    if len(parts) == 1:
        return parts[0]
    return parts[0].table.make(op, tuple(parts), 0, 1)
