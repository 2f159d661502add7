"""Stories of what a search found: back along the parents, then forward with concrete names.

A stored world may stand for others that differ by names. The way forward therefore goes through the worlds
themselves: at each step the first successor that the next stored world stands for. So stories name real ids
and replay as they are, and no renaming has to be kept.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from nomadspec.checkers.explore.failures import find_failure_ahead
from nomadspec.checkers.stepper.checks import Checks
from nomadspec.model.errors import ImpossibleError
from nomadspec.model.language.claim import tell
from nomadspec.model.language.model_promises import PROMISES
from nomadspec.model.language.property import Kind
from nomadspec.model.language.story import DEADLOCK

if TYPE_CHECKING:
    from nomadspec.checkers.explore.search_state import Discovery, Explored
    from nomadspec.checkers.explore.task import Task
    from nomadspec.model.language.property import Property
    from nomadspec.model.language.story import Story


@dataclass(frozen=True, slots=True)
class Walk:
    """A way with concrete names: the initial world, the positions of the instances, and where it ends."""

    first: int
    positions: tuple[int, ...]
    last: int


class Storyteller:
    """Makes stories of numbered worlds."""

    def __init__(self, task: Task, explored: Explored) -> None:
        """Keep what was searched and what was stored."""
        self._task = task
        self._explored = explored

    def tell_discovery(self, discovery: Discovery) -> Story:
        """Tell how a violation came about, along the worlds from which others were found first."""
        return self.tell(self.walk_to(discovery), discovery.property)

    def walk_to(self, discovery: Discovery) -> Walk:
        """Go to a violation, along the worlds from which others were found first."""
        walk = self.walk(self._explored.path_to(discovery.world))
        if discovery.property in PROMISES:
            return self._add_failing_step(walk)
        if discovery.property != DEADLOCK:
            prop = self._task.bounded.model.find_property(discovery.property)
            if prop.kind is Kind.STEP:
                walk = self._add_broken_step(prop, walk)
        return walk

    def tell_reached(self, name: str, number: int) -> Story:
        """Tell how a ``sometimes`` is reached."""
        return self.tell(self.walk(self._explored.path_to(number)), name)

    def tell(self, walk: Walk, about: str, *, case: tuple[str, ...] = (), loop: int | None = None) -> Story:
        """Tell a walk, which is replayed and judged before it is shown."""
        bounded, layout = self._task.bounded, self._task.layout
        instances = [bounded.instances[position] for position in walk.positions]
        return tell(bounded, layout.unpack(walk.first), instances, about=about, case=case, loop=loop)

    def walk(self, numbers: list[int]) -> Walk:
        """Go along stored worlds, each a successor of the one before."""
        stored = [self._explored.worlds[number] for number in numbers]
        first = self._find_initial(stored[0])
        packed, positions = first, []
        for wanted in stored[1:]:
            position, packed = self._find_step(packed, wanted)
            positions.append(position)
        return Walk(first, tuple(positions), packed)

    def _find_initial(self, stored: int) -> int:
        for packed in self._task.stepper.initial:
            if self._task.reduction.canonical(packed) == stored:
                return packed
        raise ImpossibleError("A stored world that no step leads to is no initial world either.")

    def _find_step(self, packed: int, wanted: int) -> tuple[int, int]:
        for position, after in self._task.stepper.successors(packed):
            if self._task.reduction.canonical(after) == wanted:
                return position, after
        raise ImpossibleError("A stored world is not a successor of the world from which it was found.")

    def _add_failing_step(self, walk: Walk) -> Walk:
        """Add the step that fails, if it is one, rather than something that is asked of the world."""
        failure = find_failure_ahead(self._task, walk.last)
        if failure is None:
            raise ImpossibleError("Nothing fails in a world in which something was found to fail.")
        if failure.instance is None:
            return walk
        return Walk(walk.first, (*walk.positions, failure.instance.number), walk.last)

    def _add_broken_step(self, prop: Property, walk: Walk) -> Walk:
        checks = Checks(self._task.bounded, self._task.layout, [prop])
        for position, after in self._task.stepper.successors(walk.last):
            if checks.broken_step(walk.last, position, after) is not None:
                return Walk(walk.first, (*walk.positions, position), after)
        raise ImpossibleError(f"No step breaks {prop.name} where a step was found that does.")
