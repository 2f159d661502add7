"""What several shards found is put in the order of the worlds before and of the instances."""

from array import array
from functools import cache
from random import Random

import pytest

from nomadspec.checkers.explore.sharded.joining import Joiner, Laid, MachineJoiner, PlainJoiner
from nomadspec.checkers.explore.sharded.messages import Stored
from nomadspec.checkers.native.edges import Edges
from nomadspec.checkers.native.program import Program
from nomadspec.checkers.native.words import Words
from nomadspec.checkers.native.worlds import StoredWorlds
from tests.checkers.native.calling import make_program
from tests.checkers.native.models import CALM


@pytest.fixture(params=["plain", "machine"])
def joiner(request: pytest.FixtureRequest) -> Joiner:
    return PlainJoiner() if request.param == "plain" else MachineJoiner(make_calm()[0])


@cache
def make_calm() -> tuple[Program, Words]:
    return make_program(CALM.at())


def make_births(seed: int) -> list[list[int]]:
    """Deal steps, in their order, to three shards."""
    draw = Random(seed)
    births: list[list[int]] = [[], [], []]
    for parent in range(10, 40):
        for position in sorted(draw.sample(range(100), 4)):
            births[draw.randrange(3)].append(position << 32 | parent)
    return births


@pytest.mark.parametrize("seed", range(3))
def test_new_worlds_are_numbered_in_one_order(joiner: Joiner, seed: int) -> None:
    births = make_births(seed)
    ordered = sorted(
        (birth for found in births for birth in found), key=lambda birth: (birth & 0xFFFFFFFF, birth)
    )
    stored = [
        Stored(array("Q", found).tobytes(), array("Q", found).tobytes(), b"", (), len(found), ())
        for found in births
    ]
    worlds = StoredWorlds(make_calm()[1], [1, 2, 3])

    parents, numbers = joiner.join(stored, worlds, tells=True)

    words = array("Q", bytes(worlds.view(0, len(worlds)))).tolist()
    assert [1, 2, 3, *ordered] == words
    assert array("I", [birth & 0xFFFFFFFF for birth in ordered]).tobytes() == bytes(memoryview(parents))
    assert births == [[words[number] for number in found] for found in numbers]


@pytest.mark.parametrize("seed", range(3))
def test_steps_are_kept_in_one_order_less_those_that_change_nothing(joiner: Joiner, seed: int) -> None:
    births, draw = make_births(seed), Random(seed)
    numbers = array("I", range(50))
    laid, expected = [], []
    for entries in births:
        found = array("I", [draw.randrange(50) for _ in entries])
        laid.append(Laid(array("Q", entries).tobytes(), found.tobytes(), numbers))
        expected += [
            (entry & 0xFFFFFFFF, entry >> 32, target) for entry, target in zip(entries, found, strict=True)
        ]
    edges = Edges(10)
    edges.ends.extend([0] * 10)

    joiner.weave(laid, edges, 42)

    assert 42 == len(edges.ends)
    steps = [
        (world, edges.positions[place], edges.targets[place])
        for world in range(42)
        for place in edges.span(world)
    ]
    assert [step for step in sorted(expected) if step[0] != step[2]] == steps
