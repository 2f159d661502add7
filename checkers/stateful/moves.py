"""What can happen in a world, and what is wrong with it, remembered for all runs of a machine."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Final

from nomadspec.checkers.progress import Progress, Silence
from nomadspec.checkers.stepper.checks import Checks
from nomadspec.checkers.stepper.layout import Layout
from nomadspec.checkers.stepper.question import ask_rest
from nomadspec.checkers.stepper.stepper import Stepper
from nomadspec.model.story import DEADLOCK, label_instance

if TYPE_CHECKING:
    from collections.abc import Mapping

    from nomadspec.checkers.asked import Asked
    from nomadspec.model.bounded import BoundedModel, Cells

_MOST_WORLDS: Final = 1 << 16
"""How many worlds are remembered with what can happen in them."""


class Choice:
    """An instance as Hypothesis draws and shows it: ``Dequeue(worker1, job1)``.

    Not a dataclass, since Hypothesis shows those as the calls that make them; and hashed by its position, since
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


@dataclass(frozen=True, slots=True)
class Moves:
    """What can happen in a world: the world after each instance, and the rules of those instances."""

    after: Mapping[int, int]
    rules: frozenset[str]


class Guide:
    """Knows the moves of a bounded model, checks them and counts them."""

    def __init__(self, bounded: BoundedModel, asked: Asked) -> None:
        """Make the tools; they remember from run to run."""
        self.bounded = bounded
        self.layout = Layout(bounded)
        self.progress: Progress = Silence()
        self.runs = 0
        self.fired: Counter[str] = Counter()
        self.reached: set[str] = set()
        self._stepper = Stepper(bounded, self.layout)
        self.initial = self._stepper.initial
        self._checks = Checks(bounded, self.layout, asked.properties)
        self._asks_deadlock = asked.has_deadlock
        self._is_at_rest = ask_rest(bounded, self.layout)
        self.choices = [
            Choice(position, str(label_instance(bounded, instance)))
            for position, instance in enumerate(bounded.instances)
        ]
        self.beginnings = [
            Choice(place, _label_start(bounded, cells)) for place, cells in enumerate(bounded.initial)
        ]
        self.find_moves = lru_cache(_MOST_WORLDS)(self._find_moves)

    def begin_run(self, expected: int) -> None:
        """Count a run, and say so; making a failure smaller takes more runs than were expected."""
        self.runs += 1
        self.progress.update("runs", self.runs, max(self.runs, expected))

    def choices_of(self, rule: str) -> list[Choice]:
        """List the instances of a rule, in their order."""
        return [
            choice for choice in self.choices if self.bounded.instances[choice.position].rule.name == rule
        ]

    def find_wrong(self, packed: int) -> str | None:
        """Name what is wrong with a world: a property that does not hold there, or a deadlock."""
        for reached in self._checks.reached(packed):
            self.reached.add(reached.name)
        prop = self._checks.broken(packed)
        if prop is not None:
            return prop.name
        is_stuck = self._asks_deadlock and not self.find_moves(packed).rules
        return DEADLOCK if is_stuck and not self._is_at_rest.ask(packed) else None

    def find_wrong_step(self, before: int, position: int, after: int) -> str | None:
        """Name the property that a step violates."""
        prop = self._checks.broken_step(before, position, after)
        return None if prop is None else prop.name

    def _find_moves(self, packed: int) -> Moves:
        after = dict(self._stepper.successors(packed))
        instances = self.bounded.instances
        return Moves(after, frozenset(instances[position].rule.name for position in after))


def _label_start(bounded: BoundedModel, first: Cells) -> str:
    """Write the start rule that makes an initial world; there is one where there are several worlds."""
    starts = (start for start, cells in bounded.starts if start is not None and cells == first)
    return "".join(str(label_instance(bounded, start)) for start in islice(starts, 1))
