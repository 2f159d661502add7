"""Where the shortest stories of a violation end."""

from nomadspec.checkers.explore.endings import Ending
from nomadspec.checkers.explore.search import Search
from nomadspec.checkers.explore.search_state import Discovery, Explored
from nomadspec.checkers.explore.task import Task, make_task
from nomadspec.model.language.model import Model
from tests.checkers.explore.models import DIAL, FORKS
from tests.checkers.explore.partial_order.errands import ERRANDS, RIGHT, SECOND


def search(model: Model) -> tuple[Task, Explored]:
    task = make_task(model.at(), None, "none", stops_at_first=False)
    under_way = Search(task)
    under_way.expand(1000, 1000)
    return task, under_way.explored


def end_of(task: Task, explored: Explored, name: str) -> Ending:
    (found,) = [one for one in explored.found if one.property == name]
    return Ending(task, explored, found)


def test_a_broken_world_is_a_step_away_from_the_last_stored_one() -> None:
    task, explored = search(ERRANDS)
    ending = end_of(task, explored, "left_is_low")
    start = explored.worlds[0]
    turned = next(after for position, after in task.stepper.successors(start) if position == RIGHT)

    assert (1, True, True) == (ending.level, ending.is_about_worlds, ending.has_last_step)
    assert ending.ends_at(turned)
    assert not ending.ends_at(start)
    assert [SECOND] == [position for position, _ in ending.list_last(turned)]


def test_an_initial_world_may_be_broken() -> None:
    task, explored = search(DIAL)
    ending = end_of(task, explored, "is_low")

    assert (0, False) == (ending.level, ending.has_last_step)
    assert [False, False, True] == [ending.ends_at(packed) for packed in task.stepper.initial]
    assert [] == ending.list_last(task.stepper.initial[2])


def test_a_broken_step_is_the_last_one() -> None:
    task, explored = search(DIAL)
    ending = end_of(task, explored, "only_falls")
    (last, *_) = [packed for packed in task.stepper.initial if ending.ends_at(packed)]

    assert (0, False, True) == (ending.level, ending.is_about_worlds, ending.has_last_step)
    assert ["TurnBack"] == [task.bounded.instances[at].rule.name for at, _ in ending.list_last(last)]


def test_a_stuck_world_is_an_end_itself() -> None:
    task, explored = search(FORKS)
    ending = end_of(task, explored, "deadlock")
    stuck = explored.worlds[next(found.world for found in explored.found)]

    assert (2, False) == (ending.level, ending.has_last_step)
    assert ending.ends_at(stuck)
    assert not ending.ends_at(explored.worlds[0])


def test_how_far_it_is_comes_from_the_discovery() -> None:
    task, explored = search(ERRANDS)

    deep = max(range(len(explored.worlds)), key=lambda number: len(explored.path_to(number)))

    assert 3 == Ending(task, explored, Discovery("left_before_above", deep)).level
