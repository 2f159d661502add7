"""The way back through the levels of a compiled search: its own machine code takes the steps again."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, Final

from nomadspec.checkers.explore.backward import PlainSources
from nomadspec.checkers.native.chunk import Chunk
from nomadspec.checkers.native.edges import Edges
from nomadspec.checkers.native.goal import Goal
from nomadspec.model.errors import ImpossibleError
from nomadspec.model.language.term import Term

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from nomadspec.checkers.explore.backward import Wanted
    from nomadspec.checkers.explore.compiled import CompiledExplored
    from nomadspec.checkers.explore.endings import Ending
    from nomadspec.checkers.explore.task import Task
    from nomadspec.checkers.native.chunk import Made
    from nomadspec.checkers.native.table import Table
    from nomadspec.checkers.native.worlds import StoredWorlds

_SMALL: Final = 100
"""Levels up to this size are walked in Python."""


class CompiledSources:
    """Looks for worlds by their steps, with machine code."""

    def __init__(self, task: Task, explored: CompiledExplored, table: Table, worlds: StoredWorlds) -> None:
        """Take what was stored, and memory for steps."""
        self._task = task
        self._table = table
        self._worlds = worlds
        self._program = explored.program
        self._plain = PlainSources(task, explored)
        self._chunk = Chunk(explored.program, notes_all=True)

    def list_ends(self, level: range, ending: Ending) -> Sequence[int]:
        """List the worlds of a level at which stories end."""
        if len(level) <= _SMALL or ending.is_broken_at_start:
            return self._plain.list_ends(level, ending)
        find = self._make_finder(ending)
        found: list[int] = []
        begin = level.start
        while begin < level.stop:
            made = self._chunk.make(self._worlds, begin, level.stop)
            found += [number for number in find(made) if number < made.end]
            if made.end == begin:  # a fault, of which the interpreter speaks
                found += self._plain.list_ends(range(begin, begin + 1), ending)
            begin = max(made.end, begin + 1)
        return found

    def list_before(self, level: range, wanted: Wanted) -> Wanted:
        """List the worlds of a level from which a step leads to worlds that are wanted."""
        if len(level) <= _SMALL:
            return self._plain.list_before(level, wanted)
        self._chunk.ask_only(())
        found: Wanted = {}
        begin = level.start
        while begin < level.stop:
            edges = Edges(self._program.instances)
            end = self._take_steps(begin, level.stop, edges)
            if not wanted.keys().isdisjoint(edges.targets):  # seldom, so that it pays to ask first
                for offset, bits in _find_wanted(edges, wanted):
                    found[begin + offset] = found.get(begin + offset, 0) | bits
            begin = end
        return found

    def _make_finder(self, ending: Ending) -> Callable[[Made], Sequence[int]]:
        """Make what finds the ends among worlds whose successors were made."""
        if not ending.is_about_worlds:
            questions = [prop.name for prop in self._task.properties]
            asked = len(questions) if ending.property is None else questions.index(ending.name)
            self._chunk.ask_only([asked])
            return lambda _: self._list_noted(asked)
        self._chunk.ask_only(())
        value = ending.question.value
        if not isinstance(value, Term):
            raise ImpossibleError("What nothing can change was broken by a step.")
        goal = Goal(self._program.words, self._program.intervals, value)
        return lambda made: self._chunk.list_missing(goal, made.count)

    def _list_noted(self, question: int) -> list[int]:
        """List the worlds of which machine code noted that a question was answered there."""
        return list(
            dict.fromkeys(note.world for note in self._chunk.read_notes() if note.question == question)
        )

    def _take_steps(self, begin: int, stop: int, edges: Edges) -> int:
        """Take the steps of some worlds from the first on; give the first whose steps were not taken."""
        worlds, count = self._worlds, len(self._worlds)
        made = self._chunk.make(worlds, begin, stop)
        self._chunk.insert(self._table, worlds, begin, made.count, 1 << 62, edges)
        if made.end == begin or len(worlds) != count:
            raise ImpossibleError("Steps that were taken before lead elsewhere when they are taken again.")
        self._chunk.read_edges(edges, begin, made.end)
        return made.end


def _find_wanted(edges: Edges, wanted: Wanted) -> Iterator[tuple[int, int]]:
    """Find the steps to what is wanted: the world before, and what its target leads to."""
    for place, target in enumerate(edges.targets):
        if target in wanted:
            yield bisect_right(edges.ends, place), wanted[target]
