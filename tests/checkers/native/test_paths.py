"""Walks over kept steps by machine code list what the walks in Python list."""

from random import Random

import pytest

from nomadspec.checkers.explore.paths import PlainPaths
from nomadspec.checkers.native.edges import Edges
from nomadspec.checkers.native.paths import Paths


def draw_edges(random: Random, instances: int) -> Edges:
    """Draw a graph: forward steps for the most part, and some back."""
    edges, count = Edges(instances), random.randint(0, 60)
    for world in range(count):
        for _ in range(random.randint(0, 3)):
            is_back = random.random() < 0.05
            target = random.randrange(count) if is_back else random.randint(world, count - 1)
            if target != world:
                edges.add(target, random.randrange(instances))
        edges.close()
    return edges


@pytest.mark.parametrize("instances", [5, 70_000])
def test_random_graphs_are_walked_alike(instances: int) -> None:
    random, cyclic, lingering = Random(instances), 0, 0

    for _ in range(60):
        edges = draw_edges(random, instances)
        fair = [random.random() < 0.7 for _ in range(instances)]
        plain, compiled = PlainPaths(edges), Paths(edges)
        assert plain.list_lingering(fair) == compiled.list_lingering(fair).tolist()
        assert plain.list_cyclic() == compiled.list_cyclic().tolist()
        cyclic += len(plain.list_cyclic())
        lingering += len(plain.list_lingering(fair))

    assert cyclic > 50
    assert lingering > 50
