"""Stored worlds and the ways to them."""

from nomadspec.checkers.explore.search_state import Explored


def make_explored() -> Explored:
    explored = Explored(None, [])
    first = explored.add(70, None)
    other = explored.add(71, None)
    explored.add(72, explored.add(73, other))
    explored.add(74, first)
    return explored


def test_worlds_are_numbered_as_they_come() -> None:
    explored = make_explored()

    assert [70, 71, 73, 72, 74] == explored.worlds
    assert {70: 0, 71: 1, 73: 2, 72: 3, 74: 4} == explored.numbers


def test_a_path_begins_at_an_initial_world() -> None:
    explored = make_explored()

    assert [[0], [1], [1, 2], [1, 2, 3], [0, 4]] == [explored.path_to(number) for number in range(5)]


def test_a_search_is_complete_when_every_world_was_expanded() -> None:
    explored = make_explored()
    assert not explored.is_complete

    explored.expanded = 5

    assert explored.is_complete
