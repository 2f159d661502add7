"""What a search has stored so far: all that a checkpoint has to keep."""

from __future__ import annotations

import sys
from array import array
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from nomadspec.checkers.explore.paths import Paths, PlainPaths
from nomadspec.checkers.native.numbers import file_numbers
from nomadspec.checkers.stepper.budgets import find_highest
from nomadspec.model.errors import ImpossibleError
from nomadspec.model.language.fingerprint import digest

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from nomadspec.checkers.explore.task import Task
    from nomadspec.checkers.native.edges import Edges
    from nomadspec.checkers.native.numbers import Numbers
    from nomadspec.checkers.stepper.layout import Layout
    from nomadspec.checkers.stepper.question import Question


_GUESSED_BYTES: Final = 65


@dataclass(frozen=True, slots=True)
class Discovery:
    """A property that is violated in a world, or by a step from it."""

    property: str
    world: int


@dataclass(slots=True)
class Explored:
    """The stored worlds in the order in which they were found, and what was counted on the way."""

    edges: Edges | None
    """None unless endless paths will be asked about."""
    fired: list[int]
    """For each instance, how often it happened."""
    worlds: Sequence[int] = field(default_factory=list)
    numbers: dict[int, int] = field(default_factory=dict)
    """The place of each world in ``worlds``."""
    parents: Numbers = field(default_factory=lambda: array("I"))
    """The number of the world from which each was found first; initial worlds are their own."""
    expanded: int = 0
    """How many worlds, from the first on, have had their steps taken."""
    level_end: int = 0
    """Where the worlds end that are as far from the initial ones as the next to be expanded."""
    depth: int = 0
    generated: int = 0
    found: list[Discovery] = field(default_factory=list)
    reached: dict[str, int] = field(default_factory=dict)
    """Each ``sometimes`` that was reached, with the world where it was."""
    seconds: float = 0.0

    @property
    def is_complete(self) -> bool:
        """True if every stored world has had its steps taken."""
        return self.expanded == len(self.worlds)

    def is_deep_enough(self, task: Task) -> bool:
        """True if the next worlds are so far away that a task takes no steps from them."""
        is_level_done = self.expanded == self.level_end and not self.is_complete
        return task.max_depth is not None and is_level_done and self.depth >= task.max_depth

    def hasten(self, task: Task) -> Task:
        """Give the same task with the quickest steps there are."""
        return task

    def find_paths(self) -> Paths:
        """Give who walks over the steps that were kept."""
        return PlainPaths(self.expect_edges())

    def expect_edges(self) -> Edges:
        """Give the steps that were kept, which they are where endless paths are asked about."""
        if self.edges is None:
            raise ImpossibleError("A question about endless paths was asked, but no steps were kept.")
        return self.edges

    def list_missing(self, numbers: Sequence[int], goal: Question) -> Sequence[int]:
        """List those of some worlds in which a goal does not hold."""
        worlds = self.worlds
        return [number for number in numbers if not goal.ask(worlds[number])]

    def measure_table(self) -> int:
        """Measure in bytes what finds a world's number, or guess it where there is none yet."""
        return sys.getsizeof(self.numbers) if self.numbers else _GUESSED_BYTES * len(self.worlds)

    def file(self, folder: Path) -> None:
        """Move to files what is not asked for at random."""
        self.parents = file_numbers(self.parents, folder)
        if self.edges is not None:
            self.edges.file(folder)

    def read(self) -> None:
        """Read worlds that lie elsewhere into a list, with the number of each."""
        if not isinstance(self.worlds, list):
            self.worlds = list(self.worlds)
            self.numbers = {packed: number for number, packed in enumerate(self.worlds)}

    def compute_digest(self, byte_count: int) -> int:
        """Compute the digest of the stored worlds."""
        return digest(self.worlds, byte_count)

    def find_highest(self, layout: Layout, cells: Sequence[int]) -> dict[int, int]:
        """Find the highest value of some cells among the stored worlds, less the lowest possible."""
        return find_highest(layout, self.worlds, cells)

    def add(self, packed: int, parent: int | None) -> int:
        """Store a world that is new and give its number."""
        if not isinstance(self.worlds, list):
            raise ImpossibleError("Worlds that machine code stores are added by machine code.")
        number = len(self.worlds)
        self.numbers[packed] = number
        self.worlds.append(packed)
        self.parents.append(number if parent is None else parent)
        return number

    def path_to(self, number: int) -> list[int]:
        """List the numbers of the worlds on the way to a world, from an initial one on."""
        path = [number]
        while self.parents[path[-1]] != path[-1]:
            path.append(self.parents[path[-1]])
        return path[::-1]
