"""The operators on solver terms mean what they mean on plain values."""

from collections.abc import Callable
from enum import IntEnum
from itertools import product
from typing import Any

import pytest
import z3

from nomadspec.checkers.smt.algebra import as_term, equals, is_same, refusing_branches
from nomadspec.model.errors import StyleError
from nomadspec.model.language.logic import (
    Value,
    all_of,
    any_of,
    as_number,
    iff,
    implies,
    ite,
    maximum,
    minimum,
    not_,
    one_of,
)


class Colour(IntEnum):
    RED = 0
    GREEN = 1


FLAGS = list(product([False, True], repeat=2))


def compute(term: object) -> object:
    """Let the solver simplify a term without unknowns to a plain value."""
    value = z3.simplify(as_term(term))
    return z3.is_true(value) if z3.is_bool(value) else value.as_long()


@pytest.mark.parametrize(("left", "right"), FLAGS)
def test_flags_combine_as_plain_ones_do(left: bool, right: bool) -> None:
    for combine in (all_of, any_of, implies, iff):
        plain = combine(left, right)

        assert plain == compute(combine(z3.BoolVal(left), z3.BoolVal(right)))
        assert plain == compute(combine(left, z3.BoolVal(right)))
        assert plain == compute(combine(z3.BoolVal(left), right))
    assert (not left) == compute(not_(z3.BoolVal(left)))


@pytest.mark.parametrize(("left", "right"), [(0, 0), (0, 1), (2, 1), (-1, 3)])
def test_numbers_combine_as_plain_ones_do(left: int, right: int) -> None:
    combining: list[Callable[..., Any]] = [minimum, maximum, lambda a, b: ite(a < b, a + 1, b - a)]
    for combine in combining:
        assert combine(left, right) == compute(combine(z3.IntVal(left), z3.IntVal(right)))


def test_labels_are_numbers() -> None:
    colour = z3.Int("colour")
    told = z3.substitute(one_of(colour, Colour.GREEN), (colour, z3.IntVal(1)))

    assert compute(told) is True
    assert 0 == compute(ite(z3.BoolVal(val=True), Colour.RED, Colour.GREEN))


def test_a_flag_counts_as_a_number() -> None:
    assert 1 == compute(as_number(z3.BoolVal(val=True)))
    assert 7 == compute(as_number(z3.IntVal(7)))


def test_what_is_decided_folds_before_the_solver_sees_it() -> None:
    flag = z3.Bool("flag")

    assert all_of(flag, False) is False
    assert any_of(flag, True) is True
    same: Value = not_(not_(flag))
    assert same.eq(flag)
    assert ite(flag, 3, 3) == 3
    assert equals(2, 2) is True
    assert equals(flag, flag) is True


def test_a_number_in_the_place_of_a_flag_is_refused() -> None:
    number = z3.Int("number")

    with pytest.raises(StyleError, match="compare it with something"):
        all_of(z3.Bool("flag"), number)


def test_true_and_one_are_not_the_same() -> None:
    assert not is_same(1, True)
    assert not is_same(z3.IntVal(1), 1)
    assert is_same(z3.Int("x"), z3.Int("x"))


def test_a_branch_on_what_is_unknown_is_refused_while_texts_are_read() -> None:
    """The solver's own answer would be a silent False."""
    size = z3.Int("size")

    with refusing_branches():
        with pytest.raises(StyleError, match="may not branch"):
            bool(size == 3)
        with pytest.raises(StyleError, match="may not branch"):
            _ = size in {1, 2}

    assert not bool(size == 3)
