"""Moves: what a walk does next, said so that it means something in any world.

An act is named by its class and by which of its choices is taken, not by IDs: when earlier moves are left out
while a failure is made smaller, IDs are others, and the move still does the like.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from nomadspec.checkers.scenario.objects import build_job, build_node
from nomadspec.model.cluster.acts import Act, GainLeadership, RegisterJob, RegisterNode
from nomadspec.model.cluster.acts.registry import find_act
from nomadspec.model.cluster.entities import Job
from nomadspec.model.cluster.world import Settings, World, make_world
from nomadspec.model.specification.profiles import Profile

Options = tuple[tuple[str, str], ...]
"""The options of a node or a job, as a scenario writes them."""


class Take(Struct, frozen=True, tag=True):
    """One of the choices of an act, counted from 0 and around."""

    act: str
    which: int = 0


class Register(Struct, frozen=True, tag=True):
    """An operator registers a job, as new or as a further version."""

    name: str
    options: Options = ()


class Join(Struct, frozen=True, tag=True):
    """A node registers, as new or once more."""

    name: str
    options: Options = ()


class Pass(Struct, frozen=True, tag=True):
    """Time passes; no timer fires by that alone."""

    ms: int


Move = Take | Register | Join | Pass

MS: Final = 1_000_000


class Setup(Struct, frozen=True, kw_only=True):
    """The cluster in which a walk begins: servers with a leader, and nodes alike."""

    nodes: int = 3
    node_options: Options = ()
    workers: int = 2
    pipeline: int = 1
    seed: int = 0

    def build(self, profile: Profile) -> World:
        """Set it up."""
        settings = Settings(profile=profile, seed=self.seed, pipeline_depth=self.pipeline)
        world = GainLeadership().take(make_world(settings, self.workers))
        for number in range(1, self.nodes + 1):
            world = RegisterNode(node=build_node(f"node-{number}", dict(self.node_options))).take(world)
        return world


def find_move(world: World, move: Move) -> Act | None:
    """Find the act that a move is in a world; None where it is not possible, or only time."""
    match move:
        case Take(act=name, which=which):
            choices = list(find_act(name).choices(world))
            return choices[which % len(choices)] if choices else None
        case Register(name=name, options=options) if world.is_led:
            return RegisterJob(job=_build(name, options))
        case Join(name=name, options=options) if world.is_led:
            return RegisterNode(node=build_node(name, dict(options)))
    return None


@lru_cache(maxsize=4096)
def _build(name: str, options: Options) -> Job:
    """Build a job once: reading its document costs more than most acts."""
    return build_job(name, dict(options))


def pass_time(world: World, ms: int) -> World:
    """Let time pass."""
    return replace(world, now_ns=world.now_ns + ms * MS)


def write_options(options: Mapping[str, str] | Options) -> str:
    """Write options as a scenario does."""
    return "".join(f" {name} {value}" for name, value in dict(options).items())
