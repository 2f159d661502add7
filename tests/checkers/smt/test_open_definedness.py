"""Where terms are known of which some parts are marks."""

import random

import pytest
import z3

from nomadspec.checkers.smt.open_definedness import OpenAnswers
from nomadspec.model.language.logic import Value
from tests.checkers.smt.toys import is_valid

MARKS = z3.Bools("one other")
OTHERWISE = z3.Bools("otherwise_one otherwise_other")
THERE = z3.Bools("there_one there_other")
PLAIN = z3.Bools("a b")
NUMBER = z3.Int("number")


def read_mark(part: Value) -> Value:
    """Say where each of the marks stands for something."""
    return next((there for mark, there in zip(MARKS, THERE, strict=True) if mark.eq(part)), None)


def state_known(term: Value) -> Value:
    """State where a term is known."""
    return OpenAnswers(read_mark, None).is_known(term)


def make_term(chance: random.Random, depth: int) -> Value:
    """Make a flag of marks and plain flags."""
    if not depth:
        return chance.choice([*MARKS, *PLAIN, NUMBER > 0])
    one, other, third = (make_term(chance, depth - 1) for _ in range(3))
    number = z3.If(one, NUMBER, 3)
    kinds = [
        z3.Not(one),
        z3.And(one, other, third),
        z3.Or(one, other),
        z3.Implies(one, other),
        z3.If(one, other, third),
        one == other,
        number > z3.If(other, 1, NUMBER),
    ]
    return chance.choice(kinds)


@pytest.mark.parametrize("seed", range(60))
def test_what_is_known_is_the_same_whatever_stands_where_there_is_nothing(seed: int) -> None:
    term = make_term(random.Random(seed), 3)
    elsewhere = z3.substitute(term, *zip(MARKS, OTHERWISE, strict=True))
    same = [
        z3.Implies(there, mark == otherwise)
        for there, mark, otherwise in zip(THERE, MARKS, OTHERWISE, strict=True)
    ]

    assert is_valid(term == elsewhere, *same, state_known(term))
    assert is_valid(state_known(term), *THERE)


def test_what_has_no_marks_is_known() -> None:
    assert state_known(z3.ForAll([NUMBER], z3.Implies(PLAIN[0], NUMBER > 3))) is True
    assert state_known(3) is True
    assert state_known(PLAIN[0] == PLAIN[1]) is True


def test_what_is_false_whatever_stands_there_is_known() -> None:
    one, a = MARKS[0], PLAIN[0]

    assert is_valid(state_known(z3.And(a, one)), z3.Not(a))
    assert is_valid(state_known(z3.Or(a, one)), a)
    assert is_valid(state_known(z3.Implies(one, a)), a)
    assert is_valid(state_known(z3.If(a, PLAIN[1], one)), a)
    assert not is_valid(state_known(z3.And(a, one)), a)
    assert not is_valid(state_known(z3.Or(one, z3.Not(one))))


def test_for_all_that_a_quantifier_binds_stands_one_unknown() -> None:
    place, lit = z3.Int("place"), z3.Function("lit", z3.IntSort(), z3.BoolSort())

    def read(part: Value) -> Value:
        return part.arg(0) < NUMBER if part.decl().name() == "lit" else None

    bounded = z3.ForAll([place], z3.Implies(place + 1 < NUMBER, lit(place + 1)))
    unbounded = z3.Exists([place], z3.And(place < NUMBER, lit(place + 1)))

    assert is_valid(OpenAnswers(read, None).is_known(bounded))
    assert not is_valid(OpenAnswers(read, None).is_known(unbounded))
