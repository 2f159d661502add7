"""Quantifiers and sums over sets of any size."""

import pytest
import z3

from nomadspec.checkers.smt.binder import OpenBinder, UnreadableError
from nomadspec.model.errors import StyleError
from nomadspec.model.language.logic import (
    Value,
    all_of,
    binding,
    count,
    exists,
    for_all,
    implies,
    not_,
    total,
)
from tests.checkers.smt.toys import Desk, can_be, is_valid

CLERKS = z3.Int("clerks")
SHELVES = z3.Int("shelves")
SOME = (CLERKS >= 0, SHELVES >= 0)
IS_FREE = z3.Function("free", z3.IntSort(), z3.BoolSort())
KNOWS = z3.Function("knows", z3.IntSort(), z3.IntSort(), z3.BoolSort())


class Sets:
    """The two sets of a world, read by a binder."""

    def __init__(self) -> None:
        self.binder = OpenBinder()

    @property
    def clerks(self) -> Value:
        return self.binder.iterate(Desk.clerks, CLERKS)

    @property
    def shelves(self) -> Value:
        return self.binder.iterate(Desk.shelves, SHELVES)


@pytest.fixture
def s() -> Value:
    sets = Sets()
    with binding(sets.binder):
        yield sets
    sets.binder.finish()


def test_a_statement_about_all_is_about_each(s: Value) -> None:
    everyone = for_all(IS_FREE(x) for x in s.clerks)

    assert is_valid(IS_FREE(2), everyone, CLERKS == 3)
    assert not is_valid(IS_FREE(3), everyone, CLERKS == 3)
    assert not is_valid(IS_FREE(-1), everyone, CLERKS == 3)


def test_a_statement_about_some_is_about_a_member(s: Value) -> None:
    someone = exists(IS_FREE(x) for x in s.clerks)

    assert is_valid(IS_FREE(0), someone, CLERKS == 1)
    assert not can_be(someone, CLERKS == 0)
    assert is_valid(someone, IS_FREE(4), CLERKS == 5)


def test_an_empty_set_has_no_member_that_could_fail(s: Value) -> None:
    assert is_valid(for_all(IS_FREE(x) for x in s.clerks), CLERKS == 0)
    assert is_valid(not_(exists(IS_FREE(x) for x in s.clerks)), CLERKS == 0)


def test_constant_flags_only_ask_whether_there_are_members(s: Value) -> None:
    assert for_all(True for _ in s.clerks) is True
    assert exists(False for _ in s.clerks) is False
    assert is_valid(for_all(False for _ in s.clerks) == (CLERKS == 0), *SOME)
    assert is_valid(exists(True for _ in s.clerks) == (CLERKS > 0), *SOME)
    assert is_valid(for_all(False for _ in s.clerks for _ in s.shelves), CLERKS == 1, SHELVES == 0)


def test_quantifiers_nest(s: Value) -> None:
    served = for_all(exists(KNOWS(x, y) for y in s.clerks) for x in s.clerks)
    known = exists(for_all(KNOWS(x, y) for x in s.clerks) for y in s.clerks)

    assert is_valid(served, known, CLERKS > 0)
    assert can_be(served, not_(known), CLERKS == 2, KNOWS(0, 1), KNOWS(1, 0), not_(KNOWS(0, 0)))


def test_one_generator_may_bind_two_members(s: Value) -> None:
    strangers = for_all(implies(x != y, not_(KNOWS(x, y))) for x in s.clerks for y in s.clerks)

    assert is_valid(not_(KNOWS(0, 1)), strangers, CLERKS == 2)
    assert not is_valid(not_(KNOWS(1, 1)), strangers, CLERKS == 2)


def test_a_flag_that_decides_early_leaves_nothing_open(s: Value) -> None:
    told = all_of(False, for_all(IS_FREE(x) for x in s.clerks))

    assert told is False
    assert [] == s.binder.open


@pytest.mark.parametrize("wanted", [False])
def test_a_generator_without_items_says_nothing(s: Value, wanted: bool) -> None:
    assert for_all(IS_FREE(x) for x in s.clerks if wanted) is True
    assert exists(IS_FREE(x) for x in s.clerks if wanted) is False
    assert 0 == total(IS_FREE(x) for x in s.clerks if wanted)


def test_places_of_an_index_are_visited_one_by_one_beside_members(s: Value) -> None:
    told = for_all(KNOWS(x, i) for x in s.clerks for i in range(2))

    assert is_valid(all_of(KNOWS(5, 0), KNOWS(5, 1)), told, CLERKS == 6)
    assert not is_valid(KNOWS(5, 2), told, CLERKS == 6)


def test_the_same_text_is_the_same_term(s: Value) -> None:
    first: Value = for_all(exists(KNOWS(x, y) for y in s.shelves) for x in s.clerks)
    second = for_all(exists(KNOWS(x, y) for y in s.shelves) for x in s.clerks)

    assert first.eq(second)


def test_a_sum_depends_on_the_members_around_it(s: Value) -> None:
    """One unknown for all would say that all clerks know equally many."""
    equally = for_all(
        count(KNOWS(x, n) for n in s.shelves) == count(KNOWS(y, n) for n in s.shelves)
        for x in s.clerks
        for y in s.clerks
    )

    assert not is_valid(equally, CLERKS == 2)


def test_a_sum_is_the_same_wherever_its_text_is(s: Value) -> None:
    few = for_all(count(KNOWS(x, n) for n in s.shelves) <= 3 for x in s.clerks)
    again = for_all(count(KNOWS(z, m) for m in s.shelves) <= 3 for z in s.clerks)

    assert is_valid(again, few)


def test_a_sum_of_flags_is_never_negative_and_may_be_anything_else(s: Value) -> None:
    free = count(IS_FREE(x) for x in s.clerks)

    assert is_valid(free >= 0)
    assert can_be(free == 7)


def test_a_sum_of_a_constant_counts_the_members(s: Value) -> None:
    assert is_valid(count(True for _ in s.clerks) == CLERKS)
    assert is_valid(total(2 for _ in s.clerks for _ in s.shelves) == 2 * CLERKS * SHELVES)


def test_a_sum_over_an_index_is_exact(s: Value) -> None:
    assert is_valid(count(IS_FREE(i) for i in range(2)) == 2, IS_FREE(0), IS_FREE(1))


def test_a_loop_requires_of_every_member(s: Value) -> None:
    for x in s.clerks:
        told = s.binder.close_all(IS_FREE(x))

    assert is_valid(IS_FREE(1), told, CLERKS == 2)


@pytest.mark.parametrize(
    "slip",
    [
        lambda s: len(list(s.clerks)),
        lambda s: sum(1 for _ in s.clerks),
        lambda s: for_all(len(list(s.shelves)) <= 2 for _ in s.clerks),
    ],
    ids=["len", "sum", "len inside"],
)
def test_taking_the_unknown_member_for_the_only_one_is_refused(slip: Value) -> None:
    sets = Sets()

    with binding(sets.binder), pytest.raises(UnreadableError, match="gone through by something else"):
        slip(sets)


def test_a_member_that_got_out_is_refused() -> None:
    sets = Sets()
    kept = []
    with binding(sets.binder):
        for x in sets.clerks:
            kept.append(x)
            sets.binder.use_open()

    with pytest.raises(UnreadableError, match="after the loop or generator"):
        sets.binder.finish(for_all(IS_FREE(x) for x in kept))


def test_a_generator_that_was_left_early_is_refused() -> None:
    sets = Sets()
    members = sets.clerks
    next(members)

    with pytest.raises(UnreadableError, match="left before its end"):
        sets.binder.finish()


def test_a_number_is_no_flag() -> None:
    sets = Sets()

    with binding(sets.binder), pytest.raises(StyleError, match="compare it with something"):
        for_all(x + 1 for x in sets.clerks)
