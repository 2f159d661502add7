"""The search between two worlds: it can be left and taken up anywhere."""

from copy import deepcopy
from itertools import count

import pytest

from nomadspec.checkers.explore.search import Search
from nomadspec.checkers.explore.search_state import Discovery, Explored
from nomadspec.checkers.explore.task import Task, make_task
from tests.checkers.explore.models import CLUB, DIAL, LAMPS


def make(reduction: str = "none") -> Task:
    return make_task(CLUB.at("small"), None, reduction, stops_at_first=False)


def flatten(explored: Explored) -> list[object]:
    edges = explored.edges
    return [
        *(explored.worlds, explored.numbers, explored.parents, explored.fired, explored.expanded),
        *(explored.level_end, explored.depth, explored.generated, explored.found, explored.reached),
        None if edges is None else (edges.ends, edges.targets, edges.positions),
    ]


def test_it_can_be_left_after_any_world() -> None:
    for task in (make(), make("symmetry"), make_task(LAMPS.at(), None, "none", stops_at_first=False)):
        whole = Search(task)
        whole.expand(1000, 1000)
        broken = Search(task)
        while not broken.is_over:
            broken = Search(task, deepcopy(broken.explored))
            broken.expand(3, 1000)

        assert flatten(whole.explored) == flatten(broken.explored)
        assert whole.explored.is_complete


def test_initial_worlds_count_as_generated_and_as_the_first_level() -> None:
    task = make_task(DIAL.at(), [], "none", stops_at_first=True)

    explored = Search(task).explored

    assert (3, 3, 3, 1) == (
        len(explored.worlds),
        explored.generated,
        explored.level_end,
        explored.depth,
    )


def test_the_first_violation_of_each_property_is_kept() -> None:
    task = make_task(DIAL.at(), None, "none", stops_at_first=False)
    search = Search(task)
    search.expand(1000, 1000)

    names = [found.property for found in search.explored.found]

    assert ["is_low", "only_falls", "is_never_turned"] == names
    assert Discovery("is_low", 2) == search.explored.found[0]
    assert task.layout.unpack(search.explored.worlds[2])[0] == 3


def test_it_is_over_at_the_first_violation_that_decides() -> None:
    task = make_task(DIAL.at(), ["only_falls", "is_never_turned"], "none", stops_at_first=True)
    search = Search(task)
    search.expand(1000, 1000)

    assert search.is_over
    assert not search.explored.is_complete
    assert "only_falls" == search.explored.found[0].property


def test_states_are_bounded_between_two_worlds() -> None:
    search = Search(make())

    search.expand(1000, 20)

    assert 20 <= len(search.explored.worlds) < 40


def test_it_is_left_after_a_world_that_took_long(monkeypatch: pytest.MonkeyPatch) -> None:
    seconds = count()
    monkeypatch.setattr("nomadspec.checkers.explore.search.time.monotonic", lambda: next(seconds))
    search = Search(make())

    search.expand_for_a_while(1000)

    assert 1 == search.explored.expanded
