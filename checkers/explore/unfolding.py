"""Promises for endless paths in a reduced search: for these all worlds are searched, if not too many.

A loop of worlds that stand for others need not be a loop of worlds: it may come back with other names, and
then somebody else is owed a step. And of steps that were left out, one may be what fairness asks for. So
nothing is concluded from a reduced graph. The whole one is searched for the promises alone, which costs what
the reduction saved; hence a large one only for who asks for them by name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from nomadspec.checkers.explore.liveness import Endless, check_endless
from nomadspec.checkers.explore.reduction import NONE
from nomadspec.checkers.explore.task import make_task
from nomadspec.model.language.property import PATH_KINDS

MOST_UNFOLDED: Final = 2_000_000
"""So many worlds are searched without the reduction for who does not ask by name."""

TOO_LARGE: Final = "too large"
"""Which limit it was where there are more."""

if TYPE_CHECKING:
    from collections.abc import Callable

    from nomadspec.checkers.explore.search_state import Explored
    from nomadspec.checkers.explore.task import Task

    SearchWhole = Callable[[Task], tuple[Explored, str | None]]
    """Searches to the end or a limit: what was stored, and which limit."""


def check_promises(
    task: Task, explored: Explored, find_reason: Callable[[], str | None], search_whole: SearchWhole | None
) -> Endless:
    """Check each property of paths; in a reduced search only with somebody who can search the whole graph."""
    asked = task.list_properties(*PATH_KINDS)
    is_whole = not task.is_reduced and task.partial_order is None
    if is_whole or not asked or search_whole is None or _is_cut(task, explored):
        return check_endless(task, explored, find_reason)
    whole = make_task(task.bounded, asked, NONE, stops_at_first=task.stops_at_first)
    found, stopped_by = search_whole(whole)
    if stopped_by == TOO_LARGE:
        return check_endless(task, explored, find_reason)
    endless = check_endless(whole, found, find_reason)
    endless.stopped_by = endless.stopped_by or stopped_by
    endless.notes = (f"for endless paths all {len(found.worlds):,} worlds were visited",)
    if not found.is_complete and stopped_by is not None:
        visited = f"only {len(found.worlds):,} worlds were visited"
        endless.notes = (f"for endless paths {visited}",)
        reason = f"it needs all worlds without the reduction, and {visited} ({stopped_by})"
        endless.not_checked = dict.fromkeys(endless.not_checked, reason)
    return endless


def _is_cut(task: Task, explored: Explored) -> bool:
    """True if the search ended before it was complete: then the whole one would be longer still."""
    has_ended_early = task.stops_at_first and any(
        task.is_decisive(found.property) for found in explored.found
    )
    return has_ended_early or not explored.is_complete
