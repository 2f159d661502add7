"""Exploring: every world of a bounded model is visited once, and what was found is reported."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Final

from nomadspec.checkers.explore.keeper import Keeper
from nomadspec.checkers.explore.limits import Limits
from nomadspec.checkers.explore.liveness import check_endless
from nomadspec.checkers.explore.reduction import NONE
from nomadspec.checkers.explore.report import make_report
from nomadspec.checkers.explore.search import Search
from nomadspec.checkers.explore.task import make_task
from nomadspec.checkers.progress import Progress, Silence

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from nomadspec.checkers.explore.explored import Explored
    from nomadspec.checkers.verdict import ExploreReport
    from nomadspec.model.bounded import BoundedModel
    from nomadspec.model.property import Property

_WORLDS_AT_ONCE: Final = 128
"""How many worlds are expanded between two looks at the limits."""


def explore(  # noqa: PLR0913 - each is a choice that callers make by name
    bounded: BoundedModel,
    *,
    properties: Iterable[Property | str] | None = None,
    reduction: str = NONE,
    max_seconds: float | None = None,
    max_memory_mib: float | None = None,
    max_states: int | None = None,
    progress: Progress | None = None,
    checkpoint: Path | str | None = None,
    resume: bool = False,
    stop_at_first: bool = True,
) -> ExploreReport:
    """Visit every world that can be reached, and check the properties (by default all, and deadlock).

    A search that is stopped leaves its checkpoint in the file given; with ``resume`` it goes on from there.
    """
    task = make_task(bounded, properties, reduction, stops_at_first=stop_at_first)
    limits = Limits(max_seconds, max_memory_mib, max_states)
    keeper = Keeper(checkpoint, task)
    search = Search(task, keeper.load() if resume else None)
    keeper.begin(search.explored)
    with limits.catching_interrupt():
        stopped_by = _run(search, limits, keeper, progress or Silence())
        begun = time.monotonic()
        endless = check_endless(task, search.explored, lambda: _find_reason(search.explored, limits))
        search.explored.seconds += time.monotonic() - begun
    stopped_by = stopped_by or endless.stopped_by
    kept = keeper.end(search.explored, is_over=stopped_by is None)
    return make_report(task, search.explored, endless, stopped_by, kept)


def _run(search: Search, limits: Limits, keeper: Keeper, progress: Progress) -> str | None:
    """Search until nothing is left or a limit is reached, and say which."""
    explored = search.explored
    while not search.is_over:
        stopped_by = _find_reason(explored, limits)
        if stopped_by is not None:
            return stopped_by
        begun = time.monotonic()
        search.expand(_WORLDS_AT_ONCE, limits.most_states)
        explored.seconds += time.monotonic() - begun
        keeper.keep_now_and_then(explored)
        try:
            progress.update(f"level {explored.depth}", len(explored.worlds))
        except KeyboardInterrupt:
            limits.interrupt()
    return None


def _find_reason(explored: Explored, limits: Limits) -> str | None:
    return limits.find_reason(len(explored.worlds), sys.getsizeof(explored.numbers))
