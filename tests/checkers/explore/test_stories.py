"""Stories name real ids, whatever stood for them in the search."""

import pytest

from nomadspec.checkers.explore.search import Search
from nomadspec.checkers.explore.search_state import Explored
from nomadspec.checkers.explore.stories import Storyteller
from nomadspec.checkers.explore.task import Task, make_task
from nomadspec.model.errors import ImpossibleError
from nomadspec.model.language.claim import judge
from nomadspec.model.language.story import replay
from tests.checkers.explore.models import CLUB, DIAL


def search(task: Task) -> Explored:
    searched = Search(task)
    searched.expand(1000, 1000)
    return searched.explored


@pytest.mark.parametrize("reduction", ["none", "symmetry"])
@pytest.mark.parametrize("scope", ["small", "people", "dogs", "guests"])
def test_every_discovery_is_told_and_replays(scope: str, reduction: str) -> None:
    bounded = CLUB.at(scope)
    task = make_task(bounded, None, reduction, stops_at_first=False)
    explored = search(task)
    teller = Storyteller(task, explored)

    stories = [teller.tell_discovery(found) for found in explored.found]
    stories += [teller.tell_reached(name, number) for name, number in explored.reached.items()]

    assert len(stories) >= 1
    for story in stories:
        assert judge(story, replay(story, bounded)).is_true


@pytest.mark.parametrize("reduction", ["none", "symmetry"])
def test_every_stored_world_has_a_walk(reduction: str) -> None:
    task = make_task(CLUB.at("small"), None, reduction, stops_at_first=False)
    explored = search(task)
    teller = Storyteller(task, explored)

    for number, packed in enumerate(explored.worlds):
        walk = teller.walk(explored.path_to(number))
        assert packed == task.reduction.canonical(walk.last)
        cells = task.layout.unpack(walk.first)
        for position in walk.positions:
            after = task.bounded.step(cells, task.bounded.instances[position])
            assert after is not None
            cells = after
        assert walk.last == task.layout.pack(cells)


def test_a_story_begins_at_the_right_initial_world() -> None:
    task = make_task(DIAL.at(), None, "none", stops_at_first=False)
    explored = search(task)

    story = Storyteller(task, explored).tell_discovery(explored.found[0])

    assert story.start is not None
    assert {"to": 3} == story.start.arguments
    assert () == story.steps


def test_a_way_that_was_never_gone_is_impossible() -> None:
    task = make_task(DIAL.at(), None, "none", stops_at_first=False)
    teller = Storyteller(task, search(task))

    with pytest.raises(ImpossibleError, match="not a successor"):
        teller.walk([0, 0])
