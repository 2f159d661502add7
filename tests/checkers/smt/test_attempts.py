"""What the solver is told in which attempt."""

from dataclasses import replace

import pytest
import z3

from nomadspec.checkers.smt.attempts import (
    Assumed,
    Attempt,
    Counted,
    list_attempts,
    list_brief,
    list_levels,
    list_rounds,
)
from nomadspec.checkers.smt.open_world import OpenWorld
from nomadspec.checkers.smt.sums import Sum
from nomadspec.model.language.logic import count
from tests.checkers.smt.depot import Depot, depot

ALL = ("near", "about", "speaking", "domain of far")
LEMMAS = Assumed(("near",), ("near", "about"), ALL[:3], ("near", "speaking"), ALL)
SHORT = [LEMMAS.near, LEMMAS.about, LEMMAS.written]


@pytest.fixture(name="counts")
def _counts() -> dict[str, Sum]:
    world = OpenWorld(depot().at(profile="intended"))
    world.frame.binder.take_counts()
    with world.frame.binder.reading():
        s = Depot(world.frame, world.before)
        assert z3.is_expr(count(s.is_due[x] for x in s.boxes))
        assert z3.is_expr(count(s.is_called[x] for x in s.boxes))
        assert z3.is_expr(s.used[world.frame.new_member(Depot.shelves, "shelf")[0]])
    due, called, used = world.frame.binder.take_counts().values()
    return {"due": due, "called": called, "used": used}


def test_the_counts_of_step_and_goal_come_first_and_totals_last(counts: dict[str, Sum]) -> None:
    due, called, used = counts.values()

    assert [[due], [due, called], [due, used, called]] == list_levels([due, used], [called])


def test_counts_that_cannot_be_compared_are_not_lent(counts: dict[str, Sum]) -> None:
    assert [] == list_levels([], [counts["called"]])


def test_each_choice_of_lemmas_is_recalled_before_examples_are_looked_for() -> None:
    attempts = [one for one in list_attempts(Counted(), LEMMAS) if not one.turn]
    mine = [(one.assumed, one.recalls_only) for one in attempts]

    assert [(names, True) for names in SHORT] == mine[:3]
    assert {(names, is_brief) for names in (*SHORT, LEMMAS.all) for is_brief in (True, False)} == set(mine)
    assert len(set(mine)) == len(mine)
    assert not any(one.told or one.recalls_by_two for one in attempts)


def test_no_choice_is_tried_twice() -> None:
    same = Assumed(*[("near",)] * 5)

    assert [True, False] * 3 == [one.recalls_only for one in list_brief(same)]
    assert [0, 0, 1, 1, 2, 2] == [one.turn for one in list_brief(same)]


@pytest.fixture(name="told")
def _told(counts: dict[str, Sum]) -> list[Attempt]:
    counted = Counted([counts["due"]], [counts["called"]], [counts["used"]])
    return [one for one in list_attempts(counted, LEMMAS) if one.told and not one.turn]


def test_examples_are_looked_for_only_by_who_is_told_what_people_wrote(
    counts: dict[str, Sum], told: list[Attempt]
) -> None:
    first = next(list_attempts(Counted([counts["due"]]), LEMMAS))

    assert () == first.told
    assert [LEMMAS.written] == [one.assumed for one in told if not one.recalls_only]


def test_goal_and_step_are_compared_first_and_what_lemmas_count_last(told: list[Attempt]) -> None:
    number = [len(one.told) for one in told]

    assert [LEMMAS.near, ()] == [one.assumed for one in told[:2]]
    assert LEMMAS.speaking == told[-1].assumed
    assert number[0] < number[1] < number[-1]


def test_what_a_lemma_rests_on_is_tried_first(counts: dict[str, Sum]) -> None:
    rested = replace(LEMMAS, named=("about",))
    first = next(list_attempts(Counted([counts["due"]], reasons=[counts["called"]]), rested))

    assert ("about",) == first.assumed
    assert first.told
    assert first.recalls_only


def test_who_is_told_little_is_given_little_to_do(told: list[Attempt]) -> None:
    assert max(one.share for one in told[:2]) < told[-1].share
    assert [1] == [len({one.share for one in told if one.recalls_by_two})]


def test_what_is_short_has_several_turns(counts: dict[str, Sum]) -> None:
    attempts = list(list_attempts(Counted([counts["due"]]), LEMMAS))
    turns = [one.turn for one in attempts]
    again = {one.share for one in attempts if one.turn}

    assert [0, 1, 2] == list(dict.fromkeys(turns))
    assert sorted(turns) == turns
    assert turns.count(1) == turns.count(2) < turns.count(0)
    assert max(again) < max(one.share for one in attempts)


def test_a_domain_is_not_worth_much_time() -> None:
    choices = [LEMMAS.near, LEMMAS.all]

    assert [*choices, *choices] == [one.assumed for one in list_brief(LEMMAS) if not one.turn]


def test_everything_is_tried_for_a_moment_before_anything_is_tried_for_long(counts: dict[str, Sum]) -> None:
    attempts = list(list_attempts(Counted([counts["due"]]), LEMMAS))
    once = [one for one in attempts if not one.turn]
    rounds = list(list_rounds(attempts))
    first, second = rounds[: len(once)], rounds[len(once) : 2 * len(once)]

    for short in (first, second):
        assert once == [replace(one, share=whole.share) for one, whole in zip(short, once, strict=True)]
    assert attempts == rounds[2 * len(once) :]
    assert [1, 1] == [len({one.share for one in short}) for short in (first, second)]
    assert first[0].share < second[0].share < min(one.share for one in attempts)
