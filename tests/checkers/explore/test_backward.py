"""The way back from the ends of stories."""

from nomadspec.checkers.explore.backward import PlainSources, find_ways
from nomadspec.checkers.explore.endings import Ending
from nomadspec.checkers.explore.levels import list_levels
from nomadspec.checkers.explore.search import Search
from nomadspec.checkers.explore.task import make_task
from nomadspec.checkers.requested_properties import list_with_lemmas
from nomadspec.invariants.catalogue import find_model
from nomadspec.model.language.bounded import BoundedModel


def is_never() -> bool:
    return False


def test_the_worlds_on_shortest_stories_are_those_from_which_the_end_is_near_enough() -> None:
    for reduction in ("none", "symmetry"):
        check_ways(find_model("2pc").at("hasty"), reduction)


def check_ways(bounded: BoundedModel, reduction: str) -> None:
    task = make_task(bounded, ["managers_agree"], reduction, stops_at_first=True)
    search = Search(task)
    search.expand(10_000, 10_000)
    explored, canonical = search.explored, task.reduction.canonical
    ending = Ending(task, explored, explored.found[0])
    levels = list(list_levels(explored.parents))

    ways = find_ways(explored, [ending], PlainSources(task, explored), is_never)

    def is_near(packed: int, distance: int) -> bool:
        if distance == ending.level:
            return ending.ends_at(packed)
        return any(
            canonical(after) in level_of[distance + 1] and is_near(canonical(after), distance + 1)
            for _, after in task.stepper.successors(packed)
        )

    level_of = [{explored.worlds[number] for number in level} for level in levels]
    expected = [{packed for packed in level_of[at] if is_near(packed, at)} for at in range(ending.level + 1)]
    assert ways is not None
    assert expected == [set(way) for way in ways]
    assert {1} == {bits for way in ways for bits in way.values()}


def test_several_endings_share_a_way() -> None:
    bounded = find_model("2pc").at("hasty")
    task = make_task(bounded, list_with_lemmas(bounded), "none", stops_at_first=False)
    search = Search(task)
    search.expand(10_000, 10_000)
    explored = search.explored
    endings = [Ending(task, explored, found) for found in explored.found]

    ways = find_ways(explored, endings, PlainSources(task, explored), is_never)

    assert ways is not None
    assert [{0b11}, 2] == [set(ways[0].values()), len(endings)]
    assert max(ending.level for ending in endings) + 1 == len(ways)


def test_where_time_is_over_there_are_no_ways() -> None:
    task = make_task(find_model("2pc").at("hasty"), None, "none", stops_at_first=True)
    search = Search(task)
    search.expand(10_000, 10_000)
    endings = [Ending(task, search.explored, found) for found in search.explored.found]

    assert find_ways(search.explored, endings, PlainSources(task, search.explored), lambda: True) is None
