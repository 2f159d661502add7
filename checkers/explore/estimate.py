"""An estimate of a search before it is made: a search of a few seconds, and what its levels tell."""

from __future__ import annotations

import time
from dataclasses import dataclass
from itertools import takewhile
from typing import TYPE_CHECKING

from nomadspec.checkers.explore.checkpoint_schedule import Keeper
from nomadspec.checkers.explore.engines import AUTO, check_engine
from nomadspec.checkers.explore.growth import Guess, guess_total
from nomadspec.checkers.explore.levels import list_levels
from nomadspec.checkers.explore.limits import Limits, check_limits
from nomadspec.checkers.explore.reduction import NONE
from nomadspec.checkers.explore.running import Plan, Run
from nomadspec.checkers.explore.search import Search
from nomadspec.checkers.explore.task import count_world_bytes, make_task
from nomadspec.checkers.progress import Progress, Silence

if TYPE_CHECKING:
    from collections.abc import Iterable

    from nomadspec.checkers.explore.search_state import Explored
    from nomadspec.model.language.bounded import BoundedModel
    from nomadspec.model.language.property import Property


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a short search found, and what it lets guess."""

    reduction: str
    distinct: int
    levels: tuple[int, ...]
    """The sizes of the levels that are complete."""
    seconds: float
    per_second: float
    world_bytes: int
    is_exhaustive: bool
    """Whether the short search was the whole one."""
    guess: Guess | None
    """None where too few levels are known, or all are."""


def estimate(
    bounded: BoundedModel,
    *,
    seconds: float,
    properties: Iterable[Property | str] | None = None,
    reduction: str = NONE,
    engine: str = AUTO,
    progress: Progress | None = None,
) -> Estimate:
    """Search for some seconds, violations or not, and guess how many worlds there are in all."""
    check_limits(seconds, None, None, 1)
    check_engine(engine)
    task = make_task(bounded, properties, reduction, stops_at_first=False)
    limits = Limits(seconds)
    begun = time.monotonic()
    with Keeper(None, task) as keeper, limits.catching_interrupt():
        run = Run(task, Plan(engine), limits, keeper, progress or Silence())
        search, _ = run.finish(Search(task))
    explored = search.explored
    elapsed = time.monotonic() - begun
    levels = list_complete(explored)
    guess = None if explored.is_complete else guess_total(levels)
    return Estimate(
        reduction,
        len(explored.worlds),
        levels,
        elapsed,
        len(explored.worlds) / max(elapsed, 1e-9),
        count_world_bytes(task),
        explored.is_complete,
        guess,
    )


def list_complete(explored: Explored) -> tuple[int, ...]:
    """List the sizes of the levels to which nothing will be added: all steps to them were taken."""
    levels = takewhile(lambda level: level.start <= explored.expanded, list_levels(explored.parents))
    return tuple(len(level) for level in levels)
