"""What the solver is told in which attempt."""

import pytest
import z3

from nomadspec.checkers.smt.attempts import Assumed, list_attempts, list_brief, list_levels
from nomadspec.checkers.smt.open_world import OpenWorld
from nomadspec.checkers.smt.sums import Sum
from nomadspec.model.logic import count
from tests.checkers.smt.depot import Depot, depot

LEMMAS = Assumed(("near",), ("near", "speaking"), ("near", "speaking", "far"))


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


def test_without_counts_there_are_two_attempts() -> None:
    attempts = list(list_attempts([], [], LEMMAS))

    assert [((), LEMMAS.near), ((), LEMMAS.all)] == [(one.told, one.assumed) for one in attempts]
    assert attempts[0].share < attempts[1].share


def test_little_is_told_first_and_examples_are_looked_for_last(counts: dict[str, Sum]) -> None:
    attempts = list(list_attempts([counts["due"]], [counts["called"]], LEMMAS))
    recalling = [number for number, one in enumerate(attempts) if one.recalls_only]

    assert recalling == list(range(1, len(recalling) + 1))
    assert all(LEMMAS.speaking == attempts[number].assumed for number in recalling)
    assert not attempts[0].told
    assert attempts[-1].told
    assert LEMMAS.all == attempts[-1].assumed


def test_a_domain_is_not_worth_much_time() -> None:
    assert [LEMMAS.near, LEMMAS.all] == [one.assumed for one in list_brief(LEMMAS.near, LEMMAS.all)]
