"""Strongly connected components, compared with reachability both ways."""

from random import Random

from nomadspec.checkers.explore.components import Components
from tests.checkers.explore.graphs import make_edges


def find_reachable(steps: dict[int, list[int]], start: int, members: set[int]) -> set[int]:
    found = {start}
    queue = [start]
    for world in queue:
        for target in steps[world]:
            if target in members and target not in found:
                found.add(target)
                queue.append(target)
    return found


def test_components_are_worlds_that_reach_each_other() -> None:
    random = Random(1)
    for _ in range(200):
        count = random.randint(1, 12)
        steps = {
            world: [random.randrange(count) for _ in range(random.randint(0, 3))] for world in range(count)
        }
        components = Components(make_edges(steps, count))
        for members in (set(range(count)), {world for world in range(count) if random.random() < 0.7}):
            reach = {world: find_reachable(steps, world, members) for world in members}
            mutual = {
                frozenset(other for other in reach[world] if world in reach[other]) for world in members
            }
            expected = sorted(sorted(part) for part in mutual if len(part) > 1)
            assert expected == sorted(components.find(members))


def test_a_loop_at_one_world_is_no_component() -> None:
    assert [] == Components(make_edges({0: [0]}, 1)).find([0])


def test_a_long_path_needs_no_deep_stack() -> None:
    count = 50_000
    steps = {world: [(world + 1) % count] for world in range(count)}

    (component,) = Components(make_edges(steps, count)).find(range(count))

    assert list(range(count)) == component
