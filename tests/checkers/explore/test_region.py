"""Where a goal is owed, and the nearest way there."""

from itertools import pairwise

from nomadspec.checkers.explore.graph import Graph
from nomadspec.checkers.explore.region import Region
from nomadspec.checkers.explore.search import Search
from nomadspec.checkers.explore.task import make_task
from tests.checkers.explore.models import DIAL


def make_dial(top: int) -> tuple[Graph, list[int]]:
    """Give the graph of the dial, and where the dial stands in each world."""
    task = make_task(DIAL.at(sizes={"top": top}), ["stops"], "none", stops_at_first=False)
    search = Search(task)
    search.expand(1000, 1000)
    return Graph(task, search.explored), [task.layout.unpack(packed)[0] for packed in search.explored.worlds]


def test_the_goal_is_owed_from_the_premise_to_the_goal() -> None:
    graph, at = make_dial(3)

    region = Region(graph, lambda world: at[world] == 2, lambda world: at[world] == 0)

    assert all(at[world] in {1, 2, 3} for world in region.worlds)
    assert {world for world in range(len(at)) if world in region} == set(region.worlds)
    assert at.index(1) in region
    assert at.index(0) not in region
    # at its top nothing is owed in an initial world, but again after the dial was turned back
    assert at.index(3) not in region
    assert 3 in [at[world] for world in region.worlds]


def test_a_path_passes_the_premise_and_takes_single_steps() -> None:
    graph, at = make_dial(3)
    region = Region(graph, lambda world: at[world] == 2, lambda world: at[world] == 0)

    for world in region.worlds:
        path = region.path_to(world)
        assert graph.explored.parents[path[0]] == path[0]
        assert 2 in [at[passed] for passed in path]
        for before, after in pairwise(path):
            assert after in [graph.edges.targets[place] for place in graph.edges.span(before)]


def test_nearest_worlds_come_first() -> None:
    graph, at = make_dial(3)
    region = Region(graph, lambda world: at[world] == 2, lambda world: at[world] == 0)

    lengths = [len(region.path_to(world)) for world in region.worlds]

    assert sorted(lengths) == lengths
