"""Acts of scenarios and of walks, with the worlds before and after them."""

from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import islice
from pathlib import Path
from random import Random

from msgspec.structs import replace

from nomadspec.checkers.scenario.play import list_files, play
from nomadspec.checkers.scenario.run import Run
from nomadspec.checkers.stateful.world.drawing import Drawer
from nomadspec.checkers.stateful.world.moves import Pass, find_move, pass_time
from nomadspec.model.cluster.acts import Act
from nomadspec.model.cluster.world import World
from nomadspec.model.errors import UnreadableError
from nomadspec.model.specification.profiles import NOMAD_2_0, Profile
from tests.tidy.source import ROOT

Step = tuple[World, Act, World]

SCENARIOS = ("seed", "servers", "nodes", "deployments", "jobs", "allocations")
FEW_SCENARIOS = ("seed", "servers", "nodes", "deployments")
SEEDS = (6, 20, 33, 35, 62, 158)
FEW_SEEDS = (20, 35)
"""In these scenarios and walks acts are all steps that they are in the others."""
MOVES = 300


@cache
def list_steps(folders: tuple[str, ...] = SCENARIOS) -> tuple[Step, ...]:
    """List every act of the scenarios of some folders with the worlds before and after it."""
    files = [file for folder in folders for file in list_files([ROOT / "docs" / "scenarios" / folder])]
    return tuple(step for file in files for step in _play(file))


@cache
def _play(file: Path | UnreadableError) -> tuple[Step, ...]:
    assert isinstance(file, Path), file
    steps: list[Step] = []

    class Watched(Run):
        def take(self, one: Act) -> None:
            before = self.world
            super().take(one)
            steps.append((before, one, self.world))

    play(file, NOMAD_2_0, Watched(NOMAD_2_0, file.parent))
    return tuple(steps)


@lru_cache(16)
def walk(seed: int, profile: Profile) -> tuple[Step, ...]:
    """List every act of a random walk with the worlds before and after it."""
    return tuple(_walk(seed, profile))


def _walk(seed: int, profile: Profile) -> Iterator[Step]:
    drawer = Drawer(Random(seed))
    world = drawer.draw_setup().build(profile)
    for _ in range(MOVES):
        move = drawer.draw(world)
        if isinstance(move, Pass):
            world = pass_time(world, move.ms)
        elif (chosen := find_move(world, move)) is not None:
            before = replace(world, written=())
            world = chosen.take(before)
            yield before, chosen, world


def list_of(kind: type[Act]) -> Iterator[Step]:
    """List the acts of a kind in the scenarios that show most of them."""
    return (step for step in list_steps(FEW_SCENARIOS) if type(step[1]) is kind)


def list_first_of(kind: type[Act], most: int = 40) -> Iterator[Step]:
    """List the first acts of a kind."""
    return islice(list_of(kind), most)
