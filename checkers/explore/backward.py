"""The stored worlds that lie on shortest stories, found level by level from their ends back to the start."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Protocol, TypeAlias

from nomadspec.checkers.explore.levels import list_levels

if TYPE_CHECKING:
    from collections.abc import Callable

    from nomadspec.checkers.explore.endings import Ending
    from nomadspec.checkers.explore.search_state import Explored
    from nomadspec.checkers.explore.task import Task

Wanted: TypeAlias = dict[int, int]
"""For some stored worlds, by number, the endings that they lead to: bit ``i`` for the ending ``i``."""


class Sources(Protocol):
    """Who looks for worlds by the steps that they have."""

    def list_ends(self, level: range, ending: Ending) -> Sequence[int]:
        """List the worlds of a level at which stories end."""
        ...

    def list_before(self, level: range, wanted: Wanted) -> Wanted:
        """List the worlds of a level from which a step leads to worlds that are wanted."""
        ...


class PlainSources:
    """The search in Python: each step of a level is taken again."""

    def __init__(self, task: Task, explored: Explored) -> None:
        """Take what was stored."""
        self._worlds = explored.worlds
        self._stepper = task.stepper
        self._canonical = task.reduction.canonical

    def list_ends(self, level: range, ending: Ending) -> list[int]:
        """List the worlds of a level at which stories end."""
        return [number for number in level if ending.ends_at(self._worlds[number])]

    def list_before(self, level: range, wanted: Wanted) -> Wanted:
        """List the worlds of a level from which a step leads to worlds that are wanted."""
        sought = {self._worlds[number]: bits for number, bits in wanted.items()}
        found: Wanted = {}
        for number in level:
            bits = 0
            for _, after in self._stepper.successors(self._worlds[number]):
                bits |= sought.get(self._canonical(after), 0)
            if bits:
                found[number] = bits
        return found


def find_ways(
    explored: Explored, endings: Sequence[Ending], sources: Sources, is_over: Callable[[], bool]
) -> list[Mapping[int, int]] | None:
    """Find for each level the packed worlds on shortest stories, with their endings; None if time is over."""
    levels = list(list_levels(explored.parents))
    ways: list[Mapping[int, int]] = []
    wanted: Wanted = {}
    for distance in range(max(ending.level for ending in endings), -1, -1):
        if is_over():
            return None
        before = sources.list_before(levels[distance], wanted) if wanted else {}
        for at, ending in enumerate(endings):
            if ending.level == distance:
                for number in sources.list_ends(levels[distance], ending):
                    before[number] = before.get(number, 0) | 1 << at
        wanted = before
        ways.append({explored.worlds[number]: bits for number, bits in wanted.items()})
    return ways[::-1]
