"""Estimates: a short search, its complete levels, and a guess where it was not the whole one."""

from nomadspec.checkers.explore import explore
from nomadspec.checkers.explore.estimate import estimate, list_complete
from nomadspec.checkers.explore.search import Search
from nomadspec.checkers.explore.task import make_task
from nomadspec.invariants.catalogue import find_model
from tests.checkers.failing import GROWING

TWO = find_model("2pc").at("small", sizes={"rms": 3}, profile="nomad-2.0")
AMPLE_S = 3600
"""Longer than any machine takes."""


def test_a_scope_that_is_searched_in_time_needs_no_guess() -> None:
    found = estimate(TWO, seconds=AMPLE_S, engine="interpreted")

    assert found.is_exhaustive
    assert found.guess is None
    assert explore(TWO).distinct == found.distinct == sum(found.levels)
    assert found.per_second > 0


def test_only_levels_to_which_nothing_is_added_are_told() -> None:
    search = Search(make_task(TWO, None, "none", stops_at_first=False))
    whole = estimate(TWO, seconds=AMPLE_S, engine="interpreted").levels
    seen = []
    while not search.is_over:
        search.expand(1, 10_000)
        seen.append(list_complete(search.explored))

    assert all(levels == whole[: len(levels)] for levels in seen)
    assert whole == seen[-1]


def test_a_search_without_time_tells_what_it_saw() -> None:
    found = estimate(find_model("core").at("full", profile="nomad-2.0"), seconds=1e-6)

    assert not found.is_exhaustive
    assert found.guess is None
    assert (1,) == found.levels


def test_what_is_violated_does_not_end_an_estimate_but_what_fails_does() -> None:
    hasty = find_model("2pc").at("hasty")

    assert explore(hasty).distinct < estimate(hasty, seconds=AMPLE_S).distinct
    assert not estimate(GROWING.at(), seconds=AMPLE_S).is_exhaustive
