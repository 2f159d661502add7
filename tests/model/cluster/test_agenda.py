"""What is kept and remembered is what a look at everything finds, after each act of random walks."""

from random import Random

import pytest
from msgspec.structs import replace
from rpds import HashTrieMap

from nomadspec.checkers.stateful.world.drawing import Drawer
from nomadspec.checkers.stateful.world.moves import Pass, find_move, pass_time
from nomadspec.model.cluster.acts import JudgeHealth, PullAllocs, StartTasks, StopTasks, list_choices
from nomadspec.model.cluster.acts.registry import show
from nomadspec.model.cluster.agenda import NOTHING_KEPT, Agenda, compute_agenda
from nomadspec.model.cluster.components.client import has_news, is_stopping, is_waiting, list_runners
from nomadspec.model.cluster.scheduler.planner import Waiting
from nomadspec.model.cluster.world import World
from nomadspec.model.specification.profiles import NOMAD_2_0

SEEDS = (6, 9, 15)
MOVES = 400


def walk(seed: int, *, forgets: bool) -> list[World]:
    """Walk at random; forgetting, with nothing kept or waiting when an act begins."""
    drawer = Drawer(Random(seed))
    world = drawer.draw_setup().build(NOMAD_2_0)
    worlds = [world]
    for _ in range(MOVES):
        move = drawer.draw(world)
        if isinstance(move, Pass):
            world = pass_time(world, move.ms)
        elif (chosen := find_move(world, move)) is not None:
            world = chosen.take(forget(world) if forgets else world)
        worlds.append(world)
    return worlds


def forget(world: World) -> World:
    """Give the same world with nothing at hand that is found out sooner than by looking at all of it."""
    workers = {
        name: replace(worker, call=worker.call and replace(worker.call, waiting=Waiting()))
        for name, worker in world.workers.items()
    }
    return replace(world, kept=NOTHING_KEPT, workers=HashTrieMap(workers))


def test_an_agenda_that_follows_is_the_one_that_a_look_at_all_nodes_finds() -> None:
    seen: set[str] = set()

    for world in (world for seed in SEEDS for world in walk(seed, forgets=False)):
        assert world.kept.is_of(world.state, world.clients)
        assert world.agenda == compute_agenda(world.state, world.clients)
        seen.update(name for name in Agenda.__struct_fields__ if getattr(world.agenda, name))

    assert seen == set(Agenda.__struct_fields__)


@pytest.mark.parametrize("every", [16, pytest.param(1, marks=pytest.mark.deep)])
@pytest.mark.parametrize("seed", SEEDS[:1])
def test_a_cluster_that_forgets_what_it_found_goes_the_same_way(seed: int, every: int) -> None:
    """Two worlds that differ stay so, for what follows is drawn by what they are: few are compared."""
    kept, forgotten = walk(seed, forgets=False), walk(seed, forgets=True)

    assert len(kept) == len(forgotten)
    for one, other in [*zip(kept, forgotten, strict=True)][::every]:
        assert forget(one) == forget(other)


@pytest.mark.parametrize("seed", SEEDS[:2])
def test_the_acts_of_clients_are_those_that_asking_every_client_finds(seed: int) -> None:
    for world in walk(seed, forgets=False)[::10]:
        assert list_client_acts(world) == ask_every_client(world)


def list_client_acts(world: World) -> set[str]:
    return {show(one) for one in list_choices(world, (PullAllocs, StartTasks, StopTasks, JudgeHealth))}


def ask_every_client(world: World) -> set[str]:
    """Write the acts of clients by a look at each of their allocations."""
    found = set()
    for node_id, client in world.clients.items():
        if client.is_connected and has_news(client, world.state):
            found.add(f"PullAllocs({node_id})")
        for runner in list_runners(client):
            of = f"({node_id}, {runner.alloc.id})"
            if is_waiting(runner):
                found.add(f"StartTasks{of}")
            if is_stopping(runner) and runner.tasks:
                found.add(f"StopTasks{of}")
            watch = runner.watch
            times = (watch.healthy_from_ns, watch.deadline_ns) if watch and watch.outcome is None else ()
            if any(0 < time_ns <= world.now_ns for time_ns in times):
                found.add(f"JudgeHealth{of}")
    return found
