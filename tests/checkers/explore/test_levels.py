"""Levels of a search, from the parents of its worlds."""

from nomadspec.checkers.explore.levels import list_levels


def test_a_level_holds_what_was_found_from_the_level_before() -> None:
    assert [range(1), range(1, 3), range(3, 5)] == list(list_levels([0, 0, 0, 1, 2]))


def test_several_initial_worlds_are_one_level() -> None:
    assert [range(2), range(2, 4)] == list(list_levels([0, 1, 0, 1]))


def test_without_worlds_there_is_no_level() -> None:
    assert [] == list(list_levels([]))
