"""What can happen in a world, and what is wrong with it, written as code once for all runs of a machine."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING

from nomadspec.checkers.progress import Progress, Silence
from nomadspec.checkers.pycode.checks import CodeChecks
from nomadspec.checkers.pycode.program import Program
from nomadspec.checkers.pycode.questions import write_rest
from nomadspec.checkers.stepper.layout import Layout
from nomadspec.model.property import Kind
from nomadspec.model.story import DEADLOCK, label_instance

if TYPE_CHECKING:
    from nomadspec.checkers.asked import Asked
    from nomadspec.model.bounded import BoundedModel, Cells


class Choice:
    """An instance as Hypothesis draws and shows it: ``Dequeue(worker1, job1)``.

    Not a dataclass, since Hypothesis shows those as the calls that make them; and hashed by its position, as
    the hash of a text differs from process to process.
    """

    __slots__ = ("position", "text")

    def __init__(self, position: int, text: str) -> None:
        """Keep the place among its like, and the text."""
        self.position = position
        self.text = text

    def __eq__(self, other: object) -> bool:
        """Compare by the position."""
        return isinstance(other, Choice) and self.position == other.position

    def __hash__(self) -> int:
        """Hash by the position."""
        return self.position

    def __repr__(self) -> str:
        """Write it as stories do."""
        return self.text


class Guide:
    """Knows what can happen in a bounded model, checks it and counts it."""

    def __init__(self, bounded: BoundedModel, asked: Asked) -> None:
        """Write the code of the model."""
        self.bounded = bounded
        self.layout = Layout(bounded)
        self.progress: Progress = Silence()
        self.runs = 0
        self.fired: Counter[str] = Counter()
        self.reached: set[str] = set()
        self.choices = [
            Choice(position, str(label_instance(bounded, instance)))
            for position, instance in enumerate(bounded.instances)
        ]
        self.beginnings = [
            Choice(place, _label_start(bounded, cells)) for place, cells in enumerate(bounded.initial)
        ]
        self._rules = [instance.rule.name for instance in bounded.instances]
        self._program = Program(bounded, self.layout)
        self._checks = CodeChecks(bounded, self.layout, asked.properties)
        self._asks_deadlock = asked.has_deadlock
        self._ask_rest = write_rest(bounded, self.layout)
        self.initial = self._program.initial

    def begin_run(self, expected: int) -> None:
        """Count a run, and say so; making a failure smaller takes more runs than were expected."""
        self.runs += 1
        self.progress.update("runs", self.runs, max(self.runs, expected))

    def choices_of(self, rule: str) -> list[Choice]:
        """List the instances of a rule, in their order."""
        return [choice for choice in self.choices if self._rules[choice.position] == rule]

    def list_possible(self, packed: int) -> list[int]:
        """List the positions of the instances that can happen in a world."""
        return self._program.list_possible(packed)

    def rules_of(self, positions: list[int]) -> set[str]:
        """Name the rules of some instances."""
        return {self._rules[position] for position in positions}

    def take(self, packed: int, position: int) -> int:
        """Compute the world after an instance, and count it."""
        self.fired[self._rules[position]] += 1
        return self._program.compute_after(packed, position)

    def find_wrong(self, packed: int, position: int | None, possible: list[int]) -> str | None:
        """Name what is wrong with a world to which an instance led: a property, or a deadlock."""
        wrong = None
        for prop in self._checks.ask_world(packed, position):
            if prop.kind is Kind.SOMETIMES:
                self._checks.drop(prop)
                self.reached.add(prop.name)
            elif wrong is None:
                wrong = prop.name
        is_stuck = self._asks_deadlock and not possible and wrong is None
        if is_stuck and not self._ask_rest(packed):
            return DEADLOCK
        return wrong

    def find_wrong_step(self, before: int, position: int) -> str | None:
        """Name the property that an instance violates from a world."""
        return next((prop.name for prop in self._checks.ask_step(before, position)), None)


def _label_start(bounded: BoundedModel, first: Cells) -> str:
    """Write the start rule that makes an initial world; there is one where there are several worlds."""
    starts = (start for start, cells in bounded.starts if start is not None and cells == first)
    return "".join(str(label_instance(bounded, start)) for start in islice(starts, 1))
