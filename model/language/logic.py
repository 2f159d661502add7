"""The operator style: what a rule or property says instead of ``if``, ``and``, ``or``, ``not`` and loops.

A rule's text runs on plain Python values, on traced terms (model/language/term.py) and on a solver's terms
(checkers/smt). So it may not ask Python to decide on a value of the world, since for two of the three there
is nothing to decide yet; it combines values with the functions of this module and with ``== != < <= > >=``,
``+``, ``-`` and ``*`` by a constant.

    all_of any_of none_of not_ implies iff one_of      flags to a flag
    ite minimum maximum                                a choice between two values
    for_all exists count total                         over a generator: ``for_all(p(n) for n in s.nodes)``
    remember                                           a local function of ids that is asked again and again

Two rules for this file: nothing here knows an engine, and nothing here knows a model. An engine's values
bring their algebra (``register_algebra``), and an engine that reads a set as something else than a range of
ids puts a binder in charge of the quantifiers (``binding``).
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar, Token
from inspect import GEN_CREATED, getgeneratorstate
from types import GeneratorType
from typing import Any, ParamSpec, Protocol, TypeAlias, TypeVar, cast

from nomadspec.model.errors import StyleError
from nomadspec.model.language.value_wording import say

Value: TypeAlias = Any
"""A bool or an int, a term, or a solver's term: whatever the engine that runs the text works with."""


Flag: TypeAlias = bool
"""The same where it is a flag, as a type checker sees it."""

_T = TypeVar("_T")
_C_contra = TypeVar("_C_contra", contravariant=True)
_P = ParamSpec("_P")


class Own(Protocol[_C_contra]):
    """What is compared with its own kind alone: an id with those of its set, a status with its enum."""

    def __lt__(self, other: _C_contra, /) -> bool:
        """Compare; what may stand beside it says of which kind it is."""
        ...


class Algebra(Protocol):
    """How the operators act on the symbolic values of one engine."""

    def all_of(self, flags: Sequence[Value]) -> Flag:
        """Combine flags, at least one of them symbolic and none of them a bool."""
        ...

    def any_of(self, flags: Sequence[Value]) -> Flag:
        """Combine flags, at least one of them symbolic and none of them a bool."""
        ...

    def not_(self, flag: Value) -> Flag:
        """Negate a symbolic flag."""
        ...

    def ite(self, condition: Value, then: Value, otherwise: Value) -> Value:
        """Choose by a condition; at least one of the three is symbolic."""
        ...

    def as_number(self, value: Value) -> int:
        """Read a symbolic flag as 0 or 1, and leave a symbolic number as it is."""
        ...


class Binder(Protocol):
    """Who quantifies while an engine reads sets otherwise than as ranges of ids."""

    def for_all(self, flags: Iterable[Value]) -> Flag:
        """Consume the generator; true while every flag holds."""
        ...

    def exists(self, flags: Iterable[Value]) -> Flag:
        """Consume the generator; true while some flag holds."""
        ...

    def total(self, numbers: Iterable[Value]) -> int:
        """Consume the generator and add up."""
        ...

    def name(self, text: Callable[..., Value], ids: tuple[Value, ...]) -> Value:
        """Give what a function of ids says of some, by a name of its own where that helps."""
        ...


_algebras: dict[type, Algebra] = {}
_binder: ContextVar[Binder | None] = ContextVar("binder", default=None)
_met_iterators: ContextVar[dict[int, object] | None] = ContextVar("met_iterators", default=None)
"""By its id, each iterator that a quantifier went through: none of them ends before the text does."""
_is_reading: ContextVar[bool] = ContextVar("is_reading", default=False)
"""Whether texts are read: which way they go depends on no value, so what is in order then is so always."""
_listener: ContextVar[Callable[[Value], None] | None] = ContextVar("listener", default=None)


_NO_VALUES = frozenset({GeneratorType, type(None), dict, filter, frozenset, list, map, set, str, tuple, zip})
"""What stands for many values, or for none."""


class Bundle:
    """Several values that are chosen as one."""

    __slots__ = ()

    def merge(self, condition: Value, otherwise: Value) -> Value:
        """Give these values where the condition holds and others where it does not."""
        raise NotImplementedError


def register_algebra(of: type, algebra: Algebra) -> None:
    """Say how the operators act on values of this type and its subtypes."""
    _algebras[of] = algebra


@contextmanager
def binding(binder: Binder) -> Iterator[None]:
    """Put a binder in charge of the quantifiers for a while."""
    token = _binder.set(binder)
    try:
        yield
    finally:
        _binder.reset(token)


@contextmanager
def reading_texts() -> Iterator[None]:
    """Look for a while at the iterators that quantifiers go through, which takes time."""
    token = _is_reading.set(True)
    try:
        yield
    finally:
        _is_reading.reset(token)


def look_out() -> Token[dict[int, object] | None]:
    """Refuse while texts are read, until ``look_away``, an iterator that two quantifiers go through."""
    return _met_iterators.set({} if _is_reading.get() else None)


def look_away(token: Token[dict[int, object] | None]) -> None:
    """Go back to what was refused before ``look_out`` gave this token."""
    _met_iterators.reset(token)


@contextmanager
def watching_premises(listener: Callable[[Value], None]) -> Iterator[None]:
    """Tell a listener the premise of each ``implies`` for a while."""
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)


def all_of(*flags: Flag) -> Flag:
    """True while each of the flags holds."""
    flag: Value
    open_flags = []
    for flag in flags:
        if flag is False:
            return False
        if flag is not True:
            open_flags.append(flag)
    return _algebra_of(open_flags[0]).all_of(open_flags) if open_flags else True


def any_of(*flags: Flag) -> Flag:
    """True while at least one of the flags holds."""
    flag: Value
    open_flags = []
    for flag in flags:
        if flag is True:
            return True
        if flag is not False:
            open_flags.append(flag)
    return _algebra_of(open_flags[0]).any_of(open_flags) if open_flags else False


def not_(flag: Flag) -> Flag:
    """True while the flag does not hold."""
    given: Value = flag
    if given is True or given is False:
        return not given
    return _algebra_of(given).not_(given)


def none_of(*flags: Flag) -> Flag:
    """True while not one of the flags holds."""
    return not_(any_of(*flags))


def implies(premise: Flag, conclusion: Flag) -> Flag:
    """True while the conclusion holds wherever the premise does."""
    listener = _listener.get()
    if listener is not None:
        listener(premise)
    return any_of(not_(premise), conclusion)


def iff(left: Flag, right: Flag) -> Flag:
    """True while both flags hold or neither does."""
    return all_of(left) == all_of(right)


def one_of(value: Own[_T], *candidates: _T) -> Flag:
    """True while the value equals one of the candidates."""
    _expect_values("one_of", value, *candidates)
    return any_of(*[value == candidate for candidate in candidates])


def ite(condition: Flag, then: _T, otherwise: _T) -> _T:
    """Give one value where the condition holds and another where it does not."""
    if {type(condition), type(then), type(otherwise)} & _NO_VALUES:
        _expect_values("ite", condition, then, otherwise)
    asked: Value = condition
    if asked is True:
        return then
    if asked is False:
        return otherwise
    chosen: _T = (
        then.merge(asked, otherwise)
        if isinstance(then, Bundle)
        else _algebra_of(asked).ite(asked, then, otherwise)
    )
    return chosen


def minimum(first: int, *others: int) -> int:
    """Give the smallest of some numbers."""
    _expect_values("minimum", first, *others)
    for other in others:
        first = ite(first <= other, first, other)
    return first


def maximum(first: int, *others: int) -> int:
    """Give the largest of some numbers."""
    _expect_values("maximum", first, *others)
    for other in others:
        first = ite(first <= other, other, first)
    return first


def _expect_values(name: str, *given: Value) -> None:
    """Raise a StyleError where one of them is no value: Python would find it equal to nothing."""
    for one in given:
        if type(one) in _NO_VALUES:
            raise StyleError(
                f"{name} is given {say(one)}, which is no value: it takes values one by one; "
                "of a generator or list write a star before it, maximum(*(s.load[n] for n in s.nodes))."
            )


def for_all(flags: Iterable[Flag]) -> Flag:
    """True while each flag of a generator over declared sets holds."""
    flags = _expect_fresh(flags)
    binder = _binder.get()
    if binder is not None:
        return binder.for_all(flags)
    flag: Value
    open_flags = []
    for flag in flags:
        if flag is False:
            return False
        if flag is not True:
            open_flags.append(flag)
    return all_of(*open_flags)


def exists(flags: Iterable[Flag]) -> Flag:
    """True while some flag of a generator over declared sets holds."""
    flags = _expect_fresh(flags)
    binder = _binder.get()
    if binder is not None:
        return binder.exists(flags)
    flag: Value
    open_flags = []
    for flag in flags:
        if flag is True:
            return True
        if flag is not False:
            open_flags.append(flag)
    return any_of(*open_flags)


def total(numbers: Iterable[int]) -> int:
    """Add up the numbers of a generator over declared sets; a flag counts 1 where it holds."""
    numbers = _expect_fresh(numbers)
    binder = _binder.get()
    if binder is not None:
        return binder.total(numbers)
    return add_up(numbers)


count: Callable[[Iterable[Flag]], int] = total
"""Count the flags that hold."""


def _expect_fresh(values: Iterable[Value]) -> Iterable[Value]:
    """Refuse a generator of which somebody has taken values: what is left depends on these.

    Of what cannot be asked, as ``map``, nothing is left, whatever the values are.
    """
    met, one = _met_iterators.get(), values
    if met is None and type(values) is GeneratorType:
        return values
    while isinstance(one, Iterator):
        if _is_begun(one) or (met is not None and id(one) in met):
            raise StyleError(
                f"A {type(one).__name__} is gone through for the second time, when little or nothing is left "
                "of it: write it where it is used, for_all(p(n) for n in s.nodes), or list(...) around it."
            )
        if met is not None:
            met[id(one)] = one
        one = _find_within(one)
    is_lazy = isinstance(values, map | filter | zip) and _binder.get() is None
    return list(values) if is_lazy else values


def _is_begun(values: object) -> bool:
    """True if it is a generator of which somebody has taken values."""
    return isinstance(values, GeneratorType) and getgeneratorstate(values) != GEN_CREATED


def _find_within(values: object) -> Any:  # noqa: ANN401 -- whatever it goes through
    """Find what a generator expression goes through, which may be an iterator itself."""
    frame = values.gi_frame if isinstance(values, GeneratorType) else None
    return frame.f_locals.get(".0") if frame else None


def add_up(numbers: Iterable[Value]) -> int:
    """Add up the numbers one by one, whoever is in charge of the quantifiers."""
    result = 0
    for number in numbers:
        result = result + as_number(number)
    return result


def remember(text: Callable[_P, _T], *, is_named: bool = False) -> Callable[_P, _T]:
    """Let a function of ids, which lives as long as one rule's text, be worked out once for each plain id.

    Where an engine binds ids of its own there is nothing to remember them by, and it is worked out each time.
    A flag that is named may stand there by its name alone, without what it says.
    """
    asked: Callable[..., Value] = text
    known: dict[tuple[Value, ...], Value] = {}

    def recalled(*ids: Value) -> Value:
        binder = _binder.get()
        if binder is not None and is_named:
            return binder.name(asked, ids)
        if binder is not None or not all(isinstance(each, int) for each in ids):
            return asked(*ids)
        if ids not in known:
            known[ids] = asked(*ids)
        return known[ids]

    return cast("Callable[_P, _T]", recalled)


def as_number(value: Value) -> int:
    """Read a flag as 0 or 1, and leave a number as it is."""
    if isinstance(value, int):
        return int(value)
    return _algebra_of(value).as_number(value)


def _algebra_of(value: Value) -> Algebra:
    for kind in type(value).__mro__:
        algebra = _algebras.get(kind)
        if algebra is not None:
            return algebra
    raise StyleError(
        f"A flag (or in a sum, a number) was expected where {say(value)} stands: "
        "compare it with something, or give a generator to for_all, exists, count or total (not to none_of: "
        "write not_(exists(...)))."
    )
