from collections.abc import Callable, Iterable, Sequence
from itertools import product
from typing import Any

import pytest

from nomadspec.model.errors import StyleError
from nomadspec.model.language.logic import (
    Value,
    all_of,
    any_of,
    as_number,
    binding,
    count,
    exists,
    for_all,
    iff,
    implies,
    ite,
    maximum,
    minimum,
    none_of,
    not_,
    one_of,
    register_algebra,
    remember,
    total,
    watching_premises,
)
from tests.model.language.toys import Mood, compile_text


@pytest.mark.parametrize(("one", "other"), list(product([False, True], repeat=2)))
def test_flags_on_plain_values(one: bool, other: bool) -> None:
    assert (one and other) is all_of(one, other)
    assert (one or other) is any_of(one, other)
    assert (not one and not other) is none_of(one, other)
    assert (not one or other) is implies(one, other)
    assert (one == other) is iff(one, other)
    assert (other if one else one) is ite(one, other, one)
    assert all([one, other]) is for_all(flag for flag in (one, other))
    assert any([one, other]) is exists(flag for flag in (one, other))
    assert one + other == count(flag for flag in (one, other))


def test_nothing_at_all() -> None:
    assert [True, False, True] == [all_of(), any_of(), none_of()]
    assert [True, False, 0] == [for_all(iter(())), exists(iter(())), total(iter(()))]


@pytest.mark.parametrize(("left", "right"), [(1, 2), (2, 1), (3, 3)])
def test_numbers_on_plain_values(left: int, right: int) -> None:
    assert min(left, right) == minimum(left, right)
    assert max(left, right) == maximum(left, right)
    assert left + right == total(iter((left, right)))


@pytest.mark.parametrize("numbers", [(2,), (1, 3, 2), (3, 3, 1, 2)])
def test_the_least_and_the_greatest_of_any_many(numbers: tuple[int, ...]) -> None:
    assert [min(numbers), max(numbers)] == [minimum(*numbers), maximum(*numbers)]


@pytest.mark.parametrize("given", [None, [1, 2], (1, 2), (one for one in (1, 2)), {1: 2}, {1, 2}, "2"])
def test_what_is_no_value_is_refused(given: Any) -> None:
    asked: dict[str, Callable[[], object]] = {
        "maximum": lambda: maximum(given),
        "minimum": lambda: minimum(given, 1),
        "one_of": lambda: one_of(given, 1, 2),
        "ite": lambda: ite(False, 1, given),
    }
    for name, ask in asked.items():
        with pytest.raises(StyleError, match=f"^{name} is given .*, which is no value: it takes values"):
            ask()


def test_one_of_compares_with_each() -> None:
    assert one_of(Mood.CALM, 1, 0)
    assert not one_of(Mood.CALM, 1, 2)
    assert not one_of(Mood.CALM)


def test_a_number_is_a_plain_one() -> None:
    assert [int, int, int] == [type(as_number(value)) for value in (True, Mood.GONE, 3)]
    assert [1, 2, 3] == [as_number(value) for value in (True, Mood.GONE, 3)]


@pytest.mark.parametrize(
    "expression",
    [
        "all_of(1)",
        "any_of('a')",
        "not_(0)",
        "not_(None)",
        "implies(2, True)",
        "iff(1, 1)",
        "ite(1, 2, 3)",
        "for_all(iter([1]))",
        "exists(iter([None]))",
        "total(iter('a'))",
        "all_of(flag for flag in [True])",
    ],
)
def test_what_is_no_flag_is_refused(expression: str) -> None:
    with pytest.raises(StyleError, match=r"A flag \(or in a sum, a number\) was expected where .* stands"):
        compile_text("value()", f"return {expression}")()


# engines bring values of their own


class Wire:
    """A symbolic value that only writes down what happens to it."""

    def __init__(self, text: str) -> None:
        self.text = text


class Weld(Wire):
    """A kind of wire, whose operators are the wire's."""


class WireAlgebra:
    """The operators on wires."""

    def all_of(self, flags: Sequence[Value]) -> Value:
        return Wire(f"all({', '.join(flag.text for flag in flags)})")

    def any_of(self, flags: Sequence[Value]) -> Value:
        return Wire(f"any({', '.join(flag.text for flag in flags)})")

    def not_(self, flag: Value) -> Value:
        return Wire(f"not({flag.text})")

    def ite(self, condition: Value, then: Value, otherwise: Value) -> Value:
        return Wire(f"ite({condition.text}, {then}, {otherwise})")

    def as_number(self, value: Value) -> Value:
        return Wire(f"number({value.text})")


register_algebra(Wire, WireAlgebra())


@pytest.mark.parametrize(
    ("expected", "make"),
    [
        ("all(a)", lambda a, _b: all_of(True, a)),
        ("all(a, b)", all_of),
        ("any(a, b)", lambda a, b: any_of(a, False, b)),
        ("not(a)", lambda a, _b: not_(a)),
        ("any(not(a), b)", implies),
        ("not(any(a, b))", none_of),
        ("ite(a, 1, 2)", lambda a, _b: ite(a, 1, 2)),
        ("number(b)", lambda _a, b: as_number(b)),
        ("all(a, b) as a generator", lambda a, b: for_all(flag for flag in (a, b))),
        ("any(a, b) as a generator", lambda a, b: exists(flag for flag in (a, b, False))),
    ],
)
def test_an_engines_algebra_is_asked(expected: str, make: Callable[[Value, Value], Value]) -> None:
    assert expected.removesuffix(" as a generator") == make(Wire("a"), Weld("b")).text


@pytest.mark.parametrize(
    ("expected", "make"),
    [
        (False, lambda a: all_of(a, False)),
        (True, lambda a: any_of(a, True)),
        (False, lambda a: for_all(flag for flag in (a, False))),
        (True, lambda a: exists(flag for flag in (a, True))),
        (1, lambda a: ite(True, 1, a)),
        (2, lambda a: ite(False, a, 2)),
    ],
    ids=range(6),
)
def test_constants_decide_before_an_algebra_is_asked(expected: Any, make: Callable[[Value], Value]) -> None:
    assert expected == make(Wire("a"))


# engines quantify in their own way


class Listener:
    """A binder that only says what it heard."""

    def for_all(self, flags: Iterable[Value]) -> Value:
        return "for all", list(flags)

    def exists(self, flags: Iterable[Value]) -> Value:
        return "exists", list(flags)

    def total(self, numbers: Iterable[Value]) -> Value:
        return "total", list(numbers)

    def name(self, text: Callable[..., Value], ids: tuple[Value, ...]) -> Value:
        return "named", text(*ids)


def test_a_binder_is_in_charge_of_quantifiers_for_a_while() -> None:
    with binding(Listener()):
        heard: list[object] = [
            for_all(iter([False])),
            exists(iter([True])),
            total(iter([1])),
            count(iter([True])),
        ]

    assert [("for all", [False]), ("exists", [True]), ("total", [1]), ("total", [True])] == heard
    assert for_all(iter([False])) is False


def test_binders_nest() -> None:
    inner = Listener()
    with binding(Listener()):
        with binding(inner):
            pass
        heard: object = for_all(iter([True]))

    assert ("for all", [True]) == heard


def test_a_binder_is_gone_after_an_error() -> None:
    def fail() -> None:
        raise LookupError

    with pytest.raises(LookupError), binding(Listener()):
        fail()

    assert for_all(iter([True])) is True


# what is asked again and again


def double_noting(asked: list[int], number: int) -> int:
    asked.append(number)
    return 2 * number


def test_what_is_remembered_is_worked_out_once_for_each_id() -> None:
    asked: list[int] = []
    double = remember(lambda i: double_noting(asked, i))

    assert [2, 2, 4] == [double(1), double(1), double(2)]
    assert [1, 2] == asked


def test_ids_of_a_binder_are_not_remembered() -> None:
    asked: list[int] = []
    double = remember(lambda i: double_noting(asked, i))
    with binding(Listener()):
        double(1)

    assert [2, 2] == [double(1), double(1)]
    assert [1, 1] == asked


def test_a_binder_names_what_is_to_be_named() -> None:
    double = remember(lambda i: 2 * i, is_named=True)
    with binding(Listener()):
        heard = double(1)

    assert (("named", 2), 2) == (heard, double(1))


def test_premises_can_be_watched() -> None:
    heard: list[Value] = []
    with watching_premises(heard.append):
        implies(False, False)
        implies(True, implies(False, True))
    implies(True, True)

    assert [False, False, True] == heard
