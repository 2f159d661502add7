"""Which story of each violation is told: a shortest one, and of these one with the fewest switches."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from nomadspec.checkers.explore.backward import PlainSources
from nomadspec.checkers.explore.compiled import CompiledExplored, compile_search
from nomadspec.checkers.explore.compiled_sources import CompiledSources
from nomadspec.checkers.explore.reduction import NONE, SYMMETRY
from nomadspec.checkers.explore.search import Search
from nomadspec.checkers.explore.switches import find_walks
from nomadspec.checkers.explore.task import make_task
from nomadspec.checkers.native.table import Table
from nomadspec.checkers.native.worlds import StoredWorlds

if TYPE_CHECKING:
    from collections.abc import Callable

    from nomadspec.checkers.explore.backward import Sources
    from nomadspec.checkers.explore.search_state import Discovery, Explored
    from nomadspec.checkers.explore.stories import Walk
    from nomadspec.checkers.explore.task import Task

_NOT_COMPARED: Final = "the story is a shortest one, but there was no time to look for fewer switches"
_LEAST: Final = 100_000
_TIMES: Final = 10
"""A shorter story is looked for among so many times the worlds of the search that left steps out."""


@dataclass(frozen=True, slots=True)
class Told:
    """The walks that are told of violations, and what others may be better."""

    walks: Mapping[str, Walk] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


def find_told(task: Task, explored: Explored, is_over: Callable[[], bool]) -> Told:
    """Find the walk of each violation that is told; where time is over before, some are missing."""
    if task.partial_order is not None:
        return _find_all_shorter(task, explored, is_over)
    if not explored.found:
        return Told()
    walks = dict(find_walks(task, explored, make_sources(task, explored), is_over))
    return Told(walks, () if walks else (_NOT_COMPARED,))


def _find_all_shorter(task: Task, explored: Explored, is_over: Callable[[], bool]) -> Told:
    """Find stories that are shortest ones though the search left steps out, or say that there may be some."""
    most = max(_LEAST, _TIMES * len(explored.worlds))
    walks: dict[str, Walk] = {}
    notes = []
    for discovery in explored.found:
        is_compiled = isinstance(explored, CompiledExplored)
        walks |= _find_shorter(task, discovery, most, is_over, is_compiled=is_compiled)
        if discovery.property not in walks:
            notes.append(
                f"{discovery.property} may have a shorter story: it was looked for in up to {most:,} worlds"
            )
    if explored.reached:
        notes.append("`sometimes` may be reached sooner: steps were left out")
    return Told(walks, tuple(notes))


def make_sources(task: Task, explored: Explored) -> Sources:
    """Choose who takes the steps of a search again."""
    if not isinstance(explored, CompiledExplored) or not isinstance(explored.worlds, StoredWorlds):
        return PlainSources(task, explored)
    table = explored.table
    if table is None and explored.worlds.memory.folder is None:
        table = Table(explored.program, explored.worlds)
    if table is None:
        return PlainSources(task, explored)  # a table may find no room where worlds found none
    return CompiledSources(task, explored, table, explored.worlds)


def _find_shorter(
    task: Task, discovery: Discovery, most: int, is_over: Callable[[], bool], *, is_compiled: bool
) -> dict[str, Walk]:
    """Search for one violation again and leave out no steps, which could have made a shorter story."""
    reduction = SYMMETRY if task.is_reduced else NONE
    whole = make_task(task.bounded, [discovery.property], reduction, stops_at_first=True)
    begun = Search(whole)
    compiled = compile_search(whole, begun.explored) if is_compiled and not begun.is_over else ""
    search = begun if isinstance(compiled, str) else compiled
    while not search.is_over and not search.explored.found:
        if is_over() or len(search.explored.worlds) >= most:
            return {}
        search.expand(1, most)
    hastened = search.explored.hasten(whole)
    return dict(find_walks(hastened, search.explored, make_sources(hastened, search.explored), is_over))
