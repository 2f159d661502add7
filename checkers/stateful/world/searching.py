"""Searching with a seed: walk after walk, each in its own cluster; what is broken is made small and told."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Final

from msgspec import Struct

from nomadspec.checkers.python_gc import collecting_seldom
from nomadspec.checkers.stateful.world.drawing import Drawer
from nomadspec.checkers.stateful.world.drive import Asking, Breach, Drive, GoOn
from nomadspec.checkers.stateful.world.moves import Move, Setup
from nomadspec.checkers.stateful.world.scenario_text import tell
from nomadspec.checkers.stateful.world.shrinking import MOST_TRIES, Failure, shrink
from nomadspec.checkers.stateful.world.themes import draw_theme
from nomadspec.checkers.stopping import interruptible
from nomadspec.invariants.cluster.world import Property, list_properties
from nomadspec.model.specification.profiles import Profile

MOVES_OF_WALK: Final = 250
"""How many moves a walk has before its cluster rests: enough for things to meet, few enough to be fast."""


class Walk(Struct, frozen=True):
    """One walk as it went."""

    setup: Setup
    moves: tuple[Move, ...]
    drive: Drive


class Found(Struct, frozen=True):
    """A property that was broken, with the smallest scenario of it that was found."""

    name: str
    witness: str
    walk: int
    moves: int
    scenario: str


class Search(Struct, frozen=True, kw_only=True):
    """What a search came to."""

    seed: int
    profile: str
    walks: int
    acts: int
    by_act: dict[str, int]
    found: tuple[Found, ...]
    is_stopped: bool = False
    """Whether somebody asked for a stop before all acts were taken."""


def walk_once(
    seed: int,
    number: int,
    profile: Profile,
    properties: tuple[Property, ...],
    moves: int,
    asking: Asking | None = None,
) -> Walk:
    """Walk one walk of a seed; the same number walks the same way wherever it is asked for."""
    theme = draw_theme(Random(f"{seed}/{number}/theme"))  # noqa: S311 -- a walk, and no secret
    drawer = Drawer(Random(f"{seed}/{number}"), theme)  # noqa: S311 -- the same
    setup = drawer.draw_setup()
    drive, taken = Drive(setup.build(profile), asking or Asking(properties)), []
    for at in range(moves):
        move = theme.begins[at] if at < len(theme.begins) else drawer.draw(drive.world)
        if drive.move(move):
            taken.append(move)
            drive.at += 1
        if drive.breach is not None:
            return Walk(setup, tuple(taken), drive)
    drive.rest()
    return Walk(setup, tuple(taken), drive)


def search(
    seed: int,
    acts: int,
    profile: Profile,
    *,
    properties: tuple[Property, ...] | None = None,
    moves: int = MOVES_OF_WALK,
    tries: int = MOST_TRIES,
    progress: Callable[[int], None] | None = None,
) -> Search:
    """Walk until so many acts were taken; each property is told once, with its smallest scenario.

    A wish to stop ends it with what it has.
    """
    asked = list_properties() if properties is None else properties
    found: dict[str, Found] = {}
    by_act: Counter[str] = Counter()
    done = number = 0
    is_stopped = False
    try:
        with interruptible(), collecting_seldom():
            while done < acts:
                walk = walk_once(seed, number, profile, asked, moves)
                done += walk.drive.acts
                number += 1
                by_act.update(type(one).__name__ for one in walk.drive.done if not isinstance(one, GoOn))
                breach = walk.drive.breach
                if breach is not None and breach.name not in found:
                    found[breach.name] = _make_small(walk, breach, number - 1, profile, tries)
                    asked = tuple(each for each in asked if each.name != breach.name)
                if progress is not None:
                    progress(done)
    except KeyboardInterrupt:
        is_stopped = True
    return Search(
        seed=seed,
        profile=profile.name,
        walks=number,
        acts=done,
        by_act=dict(sorted(by_act.items())),
        found=tuple(found.values()),
        is_stopped=is_stopped,
    )


def _make_small(walk: Walk, breach: Breach, number: int, profile: Profile, tries: int) -> Found:
    """Make the scenario of what was broken small, and tell it."""
    small = shrink(Failure(walk.setup, walk.moves, is_eager=False, breach=breach), profile, tries)
    told = tell(small, profile)
    return Found(breach.name, small.breach.witness, number, len(small.moves), told)
