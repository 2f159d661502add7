"""Kinds of things that Python finds unequal without asking them: a number and a tuple, two lengths of a list.

While a model is read, each comparison in its texts is handed to the functions below (comparison_checks.py).
They refuse what is never equal, whatever the world holds, and do otherwise what Python does.
"""

from __future__ import annotations

import operator
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, ValuesView
from collections.abc import Set as AbstractSet
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import is_dataclass
from enum import Enum
from itertools import product
from numbers import Number
from types import FunctionType
from typing import Any, Final, TypeAlias

from nomadspec.model.errors import StyleError
from nomadspec.model.language.domain import NONE, SKIP
from nomadspec.model.language.literals import Given
from nomadspec.model.language.part import Part
from nomadspec.model.language.term import Term
from nomadspec.model.language.value_wording import say

Pattern: TypeAlias = "tuple[str, int | None]"
"""The kind of a pattern of ``match``, and how long a sequence it wants; None where that is open."""

_NOBODY: Final = frozenset({NONE, SKIP})
_PLAIN: Final = frozenset({bool, int})
_KINDS: Final[tuple[tuple[Any, str], ...]] = (
    (Number | Term, "number"),
    (str | bytes | bytearray, "text"),
    (type(None), "nothing"),
    (Iterator | ValuesView, "iterator"),
    (tuple, "tuple"),
    (list, "list"),
    (deque, "deque"),
    (range, "range"),
    (AbstractSet, "set"),
    (Mapping, "mapping"),
    (Part, "part"),
)
"""The kinds, each with its classes; whatever else there is, is an object."""
_IN_ORDER: Final = frozenset({"tuple", "list", "deque"})
_HOLDING: Final = _IN_ORDER | {"set", "mapping"}
_OF_ONE: Final = frozenset({"discard", "remove"})
"""What asks a set for one member; its other methods ask for those of another set."""
_JOINING: Final[Mapping[str, Callable[[Any, Any], Any]]] = {
    "BitAnd": operator.and_,
    "BitOr": operator.or_,
    "BitXor": operator.xor,
    "Sub": operator.sub,
}
_PATTERNS: Final = {
    "number": "number",
    "text": "text",
    "mapping": "mapping",
    **dict.fromkeys(("tuple", "list"), "sequence"),
}
"""Which patterns match something of a kind."""
_DEEPEST: Final = 4
_ONE_BY_ONE: Final = "compare values one by one"
_NOTHING: Final = "write NONE, or another number or flag, where nothing is meant"

_ended: ContextVar[list[str]] = ContextVar("ended", default=[])  # noqa: B039 -- nobody adds to the default
"""The functions that ended without a value while texts were looked at."""


@contextmanager
def noting_ends() -> Iterator[None]:
    """Note for a while which functions end without a value."""
    token = _ended.set([])
    try:
        yield
    finally:
        _ended.reset(token)


def note_end(name: str) -> None:
    """Note that a function ended without a value."""
    _ended.get().append(name)


def compare_equal(left: Any, right: Any) -> Any:  # noqa: ANN401 -- whatever a text compares
    """Compare with ``==``; raises a StyleError where both could never be equal."""
    _expect_alike(left, right)
    return left == right


def compare_unequal(left: Any, right: Any) -> Any:  # noqa: ANN401 -- as above
    """Compare with ``!=``; raises a StyleError where both could never be equal."""
    _expect_alike(left, right)
    return left != right


def find_in(left: Any, holder: Any) -> Any:  # noqa: ANN401 -- as above
    """Look for something with ``in``; raises a StyleError where some of what is there is never equal."""
    holder = _expect_among(left, holder)
    return left in holder


def miss_in(left: Any, holder: Any) -> Any:  # noqa: ANN401 -- as above
    """Look for something with ``not in``; raises a StyleError as ``find_in`` does."""
    holder = _expect_among(left, holder)
    return left not in holder


def look_up(method: Any) -> Any:  # noqa: ANN401 -- whatever has a name like those of collections
    """Give a method that looks for something, such as ``get`` of a dict, so that it looks at kinds."""
    holder = getattr(method, "__self__", None)
    if not isinstance(holder, list | tuple | dict | deque | AbstractSet):
        return method

    def ask(*asked: Any) -> Any:  # noqa: ANN401 -- as above
        if isinstance(holder, AbstractSet) and method.__name__ not in _OF_ONE:
            asked = tuple(list(one) if isinstance(one, Iterator) else one for one in asked)
            for other in asked:
                _expect_common_kind(holder, other)
        elif asked:
            _expect_among(asked[0], holder)
        return method(*asked)

    return ask


def look_at(holder: Any, key: Any) -> Any:  # noqa: ANN401 -- as above
    """Give what stands at a key; raises a StyleError where no key of a mapping is of its kind."""
    if isinstance(holder, Mapping):
        _expect_among(key, holder)
    return holder[key]


def join_sets(left: Any, operator: str, right: Any) -> Any:  # noqa: ANN401 -- as above
    """Combine two things by an operator; raises a StyleError where two sets have no kind in common."""
    if isinstance(left, AbstractSet) and isinstance(right, AbstractSet):
        _expect_common_kind(left, right)
    return _JOINING[operator](left, right)


def match_with(subject: Any, *patterns: Pattern) -> Any:  # noqa: ANN401 -- as above
    """Give what is matched; raises a StyleError where a pattern is of a kind that it never is.

    Of patterns of several lengths, by which texts tell what they are handed, one has to fit.
    """
    kind = _kind_of(subject)
    own = _PATTERNS.get(kind)
    lengths = {length for wanted, length in patterns if wanted == own} if kind in _IN_ORDER else set()
    fits_none = bool(lengths) and lengths.isdisjoint({None, len(subject)}) and _holds_world(subject)
    for wanted, length in patterns:
        if (own is not None and wanted != own) or fits_none:
            many = "" if length is None else f" of {length}"
            raise StyleError(
                f"it matches {say(subject)} with a {wanted}{many}, which it never is; {_ONE_BY_ONE}."
            )
    return subject


def _ordering(order: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """Make the comparison that also looks at what stands in two lists or tuples."""

    def compare(left: Any, right: Any) -> Any:  # noqa: ANN401 -- as above
        if type(left) in _PLAIN or type(right) in _PLAIN:
            _expect_two_flags_or_none(left, right)
        elif _kind_of(left) in _IN_ORDER:
            _expect_alike(left, right)
        return order(left, right)

    return compare


compare_less = _ordering(operator.lt)
compare_most = _ordering(operator.le)
compare_more = _ordering(operator.gt)
compare_least = _ordering(operator.ge)


def _expect_alike(left: Any, right: Any) -> None:  # noqa: ANN401 -- as above
    if type(left) in _PLAIN and type(right) in _PLAIN:
        _expect_two_flags_or_none(left, right)
        return
    one, other = _kind_of(left), _kind_of(right)
    if "part" in {one, other}:
        return  # it refuses by itself to be compared
    if "iterator" in {one, other}:
        raise _never_equal(left, right)
    if one != other:
        _expect_own_answer(left, right)
    elif one in _IN_ORDER:
        if len(left) != len(right) and (_holds_world(left) or _holds_world(right)):
            raise _never_equal(left, right, f", of {len(left)} and {len(right)}")
        for pair in zip(left, right, strict=False):
            _expect_alike(*pair)
    elif one in _HOLDING:
        _expect_common_kind(left, right)
    elif one == "object" and left is not right and not (_says_equal(left) or _says_equal(right)):
        _expect_alike_objects(left, right)


def _expect_two_flags_or_none(left: object, right: object) -> None:
    """Refuse a flag beside a number; whether a scope has a feature is a flag."""
    if isinstance(left, int) and isinstance(right, int) and isinstance(left, bool) != isinstance(right, bool):
        raise StyleError(
            f"it compares {say(left)} with {say(right)}, a flag with a number: write the flag itself, as "
            "each feature of a scope is one, or not_(...) of it."
        )


def _expect_own_answer(left: object, right: object) -> None:
    """Let through what says itself what it equals, and None, as long as that is known to be meant."""
    if _says_equal(left) or _says_equal(right):
        return
    if left is not None and right is not None:
        raise _never_equal(left, right)
    functions = _ended.get()
    if functions:
        raise StyleError(
            f"it compares {say(left)} with {say(right)}, and {functions[0]}() ends without a value, which it "
            "should return; where it means that nothing is there, write return None."
        )
    is_meant = not any(
        isinstance(one, bool) or (type(one) is int and one in _NOBODY) for one in (left, right)
    )
    if not is_meant or _holds_world(left) or _holds_world(right):
        raise _never_equal(left, right)


def _expect_alike_objects(left: object, right: object) -> None:
    """Let through objects that hold no value of the world, and two of a dataclass whose parts are alike."""
    if type(left) is type(right) and is_dataclass(left) and type(left).__eq__ is not object.__eq__:
        for pair in zip(_list_parts(left), _list_parts(right), strict=False):
            _expect_alike(*pair)
    elif _are_of_two_enums(left, right) or _holds_world(left) or _holds_world(right):
        raise _never_equal(left, right)


def _are_of_two_enums(left: object, right: object) -> bool:
    return isinstance(left, Enum) and isinstance(right, Enum) and type(left) is not type(right)


def _expect_common_kind(left: Iterable[Any], right: Iterable[Any]) -> None:
    """Refuse two sets, or mappings, of which no member can be one of both."""
    for one, other in product(left, right):
        if _kind_of(one) != _kind_of(other):
            raise _never_equal(one, other)
    if isinstance(left, Mapping) and isinstance(right, Mapping):
        if left.keys() != right.keys() and (_holds_world(left) or _holds_world(right)):
            raise _never_equal(left, right, ", which have other keys")
        for key in left.keys() & right.keys():
            _expect_alike(left[key], right[key])


def _expect_among(left: Any, holder: Any) -> Any:  # noqa: ANN401 -- as above
    """Give what something is looked for in; what gives its members once is made a list."""
    if isinstance(holder, Iterator):
        holder = list(holder)
    kind = _kind_of(holder)
    if isinstance(getattr(type(holder), "__contains__", None), FunctionType):
        return holder  # what somebody wrote there looks at kinds itself
    if kind == "range" and _kind_of(left) not in {"number", "part"}:
        raise _never_equal(left, 0)
    if kind in _HOLDING or isinstance(holder, ValuesView):
        for one in holder:
            _expect_alike(left, one)
    return holder


def _kind_of(thing: object) -> str:
    return next((name for kind, name in _KINDS if isinstance(thing, kind)), "object")


def _says_equal(thing: object) -> bool:
    """True if somebody wrote when an object equals another one: what is compared there is looked at."""
    says = type(thing).__eq__
    return isinstance(says, FunctionType) and not says.__code__.co_filename.startswith("<")


def _holds_world(thing: object, depth: int = 0) -> bool:
    """True if something is, or holds, a value or id of the world."""
    if isinstance(thing, Term | Given | Part):
        return True
    if depth == _DEEPEST or isinstance(thing, str | range | Iterator):
        return False
    return any(_holds_world(part, depth + 1) for part in _list_parts(thing))


def _list_parts(thing: object) -> list[Any]:
    if isinstance(thing, Mapping):
        return [*thing.keys(), *thing.values()]
    if isinstance(thing, Sequence | AbstractSet | deque):
        return list(thing)
    if isinstance(thing, type | FunctionType):
        return []
    slots = [getattr(thing, name, None) for name in getattr(type(thing), "__slots__", ())]
    return [*getattr(thing, "__dict__", {}).values(), *slots]


def _never_equal(left: object, right: object, how: str = "") -> StyleError:
    instead = _NOTHING if left is None or right is None else _ONE_BY_ONE
    return StyleError(
        f"it compares {say(left)} with {say(right)}{how}, so that the answer is always the same; {instead}."
    )
