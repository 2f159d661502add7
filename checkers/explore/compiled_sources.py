"""The way back through the levels of a compiled search: its own machine code takes the steps again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from nomadspec.checkers.explore.backward import PlainSources
from nomadspec.checkers.explore.edges import Edges
from nomadspec.checkers.explore.levels import list_levels
from nomadspec.checkers.native.chunk import Chunk
from nomadspec.model.errors import ImpossibleError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nomadspec.checkers.explore.backward import Wanted
    from nomadspec.checkers.explore.compiled import CompiledExplored
    from nomadspec.checkers.explore.endings import Ending
    from nomadspec.checkers.explore.task import Task
    from nomadspec.checkers.native.table import Table
    from nomadspec.checkers.native.worlds import StoredWorlds

_SMALL: Final = 100
"""Levels up to this size are walked in Python."""


class CompiledSources:
    """Looks for worlds by their steps, with machine code."""

    def __init__(self, task: Task, explored: CompiledExplored, table: Table, worlds: StoredWorlds) -> None:
        """Take what was stored, and memory for steps; no question is asked of them."""
        self._instances = len(task.bounded.instances)
        self._table = table
        self._worlds = worlds
        self._explored = explored
        self._expanded = explored.expanded
        self._levels = tuple(list_levels(explored.parents))
        self._plain = PlainSources(task, explored)
        self._chunk = Chunk(explored.program, len(task.properties) + 2)

    def list_ends(self, level: range, ending: Ending) -> Sequence[int]:
        """List the worlds of a level at which stories end."""
        is_known = ending.property is None or (ending.is_about_worlds and ending.has_last_step)
        if not is_known or len(level) <= _SMALL:
            return self._plain.list_ends(level, ending)
        # what was expanded leads to stored worlds only, so that machine code knows where
        done = max(level.start, min(level.stop, self._expanded))
        expanded, rest = range(level.start, done), range(done, level.stop)
        return [*self._list_known_ends(expanded, level.stop, ending), *self._plain.list_ends(rest, ending)]

    def list_before(self, level: range, wanted: Wanted) -> Wanted:
        """List the worlds of a level from which a step leads to worlds that are wanted."""
        if len(level) <= _SMALL:
            return self._plain.list_before(level, wanted)
        found: Wanted = {}
        begin = level.start
        while begin < level.stop:
            edges = Edges(self._instances)
            end = self._take_steps(begin, level.stop, edges)
            if not wanted.keys().isdisjoint(edges.targets):
                _collect(edges, begin, wanted, found)
            begin = end
        return found

    def _list_known_ends(self, expanded: range, following: int, ending: Ending) -> Sequence[int]:
        """List the ends among expanded worlds of a level: those that are stuck, or lead to broken worlds."""
        if ending.property is None:
            stuck = self._list_stuck(expanded)
            return [number for number in stuck if ending.ends_at(self._worlds[number])]
        broken = self._explored.list_missing(range(following, self._find_end(following)), ending.question)
        return list(self.list_before(expanded, dict.fromkeys(broken, 1)))

    def _list_stuck(self, level: range) -> list[int]:
        """List the worlds of a level that no step changes."""
        found: list[int] = []
        begin = level.start
        while begin < level.stop:
            edges = Edges(self._instances)
            end = self._take_steps(begin, level.stop, edges)
            found += [begin + offset for offset in range(end - begin) if not edges.span(offset)]
            begin = end
        return found

    def _find_end(self, begin: int) -> int:
        """Find where the level ends that begins with a world."""
        return next((level.stop for level in self._levels if level.start == begin), begin)

    def _take_steps(self, begin: int, stop: int, edges: Edges) -> int:
        """Take the steps of some worlds from the first on; give the first whose steps were not taken."""
        worlds, count = self._worlds, len(self._worlds)
        made = self._chunk.make(worlds, begin, stop)
        self._chunk.insert(self._table, worlds, begin, made.count, 1 << 62, edges)
        if made.end == begin or len(worlds) != count:
            raise ImpossibleError("Steps that were taken before lead elsewhere when they are taken again.")
        self._chunk.read_edges(edges, begin, made.end)
        return made.end


def _collect(edges: Edges, begin: int, wanted: Wanted, found: Wanted) -> None:
    """Note the worlds with a step to what is wanted."""
    targets = edges.targets
    for offset in range(len(edges.ends)):
        bits = 0
        for place in edges.span(offset):
            bits |= wanted.get(targets[place], 0)
        if bits:
            found[begin + offset] = bits
