"""How stories of a violation can end, and after how many steps: the first that was found is a shortest."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nomadspec.checkers.stepper.checks import Checks
from nomadspec.checkers.stepper.question import ask_property, ask_rest
from nomadspec.model.errors import ModelError
from nomadspec.model.language.property import Kind
from nomadspec.model.language.story import DEADLOCK

if TYPE_CHECKING:
    from nomadspec.checkers.explore.search_state import Discovery, Explored
    from nomadspec.checkers.explore.task import Task
    from nomadspec.model.language.property import Property


class Ending:
    """The shortest ends of the stories of one violation.

    ``level`` says how far from an initial world the last stored world of such a story is. A step may follow:
    the one that breaks a ``step`` property, or the one to a world that breaks an ``always``, since not all of
    those worlds need be stored.
    """

    def __init__(self, task: Task, explored: Explored, discovery: Discovery) -> None:
        """Measure how far the discovery is, and prepare the questions."""
        self.name = discovery.property
        self.property: Property | None = None
        if self.name != DEADLOCK:
            self.property = task.bounded.model.find_property(self.name)
        self.level = len(explored.path_to(discovery.world)) - 1
        self._stepper = task.stepper
        self.is_broken_at_start = self.is_about_worlds and self.level == 0
        """Whether initial worlds are what is wrong."""
        if self.is_about_worlds and self.level > 0:
            self.level -= 1
        if self.property is None:
            self.question = ask_rest(task.bounded, task.layout)
        elif self.is_about_worlds:
            self.question = ask_property(task.bounded, task.layout, self.property)
        else:
            self._checks = Checks(task.bounded, task.layout, [self.property])

    @property
    def is_about_worlds(self) -> bool:
        """True if a world is what is wrong, rather than a step or that there is none."""
        return self.property is not None and self.property.kind is Kind.ALWAYS

    @property
    def has_last_step(self) -> bool:
        """True if a step follows behind the last stored world."""
        return self.property is not None and not self.is_broken_at_start

    def ends_at(self, packed: int) -> bool:
        """True if a world of the level is the last stored one of such a story."""
        try:
            return self._ends_at(packed)
        except ModelError:
            return False  # a step from there fails, so that no search went on to look

    def _ends_at(self, packed: int) -> bool:
        if self.is_broken_at_start:
            return not self.question.ask(packed)
        if self.property is None:
            return not self._stepper.successors(packed) and not self.question.ask(packed)
        return bool(self.list_last(packed))

    def list_last(self, packed: int) -> list[tuple[int, int]]:
        """List the last steps from a world of the level: positions, each with the world after it."""
        if not self.has_last_step:
            return []
        steps = self._stepper.successors(packed)
        if self.is_about_worlds:
            return [step for step in steps if not self.question.ask(step[1])]
        checks = self._checks
        return [
            (position, after)
            for position, after in steps
            if checks.watches(position) and checks.broken_step(packed, position, after) is not None
        ]
