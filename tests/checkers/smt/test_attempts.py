"""What the solver is told in which attempt."""

import pytest
import z3

from nomadspec.checkers.smt.attempts import Assumed, list_attempts, list_brief, list_levels
from nomadspec.checkers.smt.open_world import OpenWorld
from nomadspec.checkers.smt.sums import Sum
from nomadspec.model.logic import count
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


def test_each_choice_of_lemmas_is_tried_for_a_moment_and_all_of_them_longer() -> None:
    *short, last = list_attempts([], [], LEMMAS)

    assert [*SHORT, *SHORT] == [one.assumed for one in short]
    assert [True, True, True, False, False, False] == [one.recalls_only for one in short]
    assert (LEMMAS.all, False) == (last.assumed, last.recalls_only)
    assert all(one.share < last.share and not one.told for one in short)


def test_no_choice_is_tried_twice() -> None:
    same = Assumed(*[("near",)] * 5)

    assert [("near",), ("near",)] == [one.assumed for one in list_brief(same)]


def test_counts_are_told_after_that_and_examples_are_looked_for_last(counts: dict[str, Sum]) -> None:
    attempts = list(list_attempts([counts["due"]], [counts["called"]], LEMMAS))
    told = [one for one in attempts if one.told]
    recalling = [one for one in told if one.recalls_only]

    assert not any(one.told for one in attempts[:6])
    assert recalling == told[: len(recalling)]
    assert {LEMMAS.speaking} == {one.assumed for one in recalling}
    assert (attempts[-1], LEMMAS.all) == (told[-1], attempts[-1].assumed)


def test_a_domain_is_not_worth_much_time() -> None:
    choices = [LEMMAS.near, LEMMAS.all]

    assert [*choices, *choices] == [one.assumed for one in list_brief(LEMMAS)]
