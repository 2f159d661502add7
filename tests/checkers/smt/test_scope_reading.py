"""What candidates say in a scope."""

from itertools import permutations

import pytest

from nomadspec.checkers.smt.scope_reading import ScopeReading, is_in_order
from nomadspec.model.term import Term
from tests.checkers.smt.toys import begin, busy_clerks_wait, desk, finish, served_grows_by_one


@pytest.mark.parametrize("length", [0, 1, 2, 3])
def test_ranks_from_one_on_are_a_queue(length: int) -> None:
    for ranks in permutations([*range(1, length + 1), 0, 0]):
        assert is_in_order(ranks) is True


@pytest.mark.parametrize("ranks", [(1, 1), (2, 0), (3, 1, 0), (2, 2, 1)])
def test_other_ranks_are_not(ranks: tuple[int, ...]) -> None:
    assert is_in_order(ranks) is False


def test_candidates_are_orders_and_properties() -> None:
    reading = ScopeReading(desk(begin, finish, properties=(busy_clerks_wait, served_grows_by_one)))

    assert ("queue line", "busy_clerks_wait") == reading.candidates


def test_a_candidate_is_read_on_plain_values_and_on_terms() -> None:
    bounded = desk(begin, finish, properties=(busy_clerks_wait,))
    reading = ScopeReading(bounded)

    for name in reading.candidates:
        assert reading.say(name, bounded.initial[0]) is True
        assert isinstance(reading.say(name, bounded.cell_terms), Term)


def test_a_goal_is_read_after_an_instance() -> None:
    bounded = desk(begin, finish, properties=(busy_clerks_wait, served_grows_by_one))
    reading = ScopeReading(bounded)
    traced = bounded.traced[0]

    assert isinstance(reading.say_after("served_grows_by_one", traced), Term)
    assert isinstance(reading.say_after("busy_clerks_wait", traced), Term)
