"""What can happen in a world, and what is wrong with it, written as code once for all runs of a machine."""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Final

from nomadspec.checkers.progress import Progress, Silence
from nomadspec.checkers.pycode.checks import CodeChecks
from nomadspec.checkers.pycode.program import Program
from nomadspec.checkers.pycode.questions import write_rest
from nomadspec.checkers.stateful.aims import WANDER, Aim, Wandering, choose_nearest, list_rare
from nomadspec.checkers.stateful.choosing import Chooser, mix
from nomadspec.checkers.stepper.layout import Layout
from nomadspec.checkers.stepper.second_look import SecondLook
from nomadspec.model.errors import UnknownNameError
from nomadspec.model.language.property import Kind
from nomadspec.model.language.story import DEADLOCK, label_instance

if TYPE_CHECKING:
    from nomadspec.checkers.requested_properties import Asked
    from nomadspec.model.language.bounded import BoundedModel, Cells


_TRIED: Final = 5
"""So many of the steps that can happen are compared in a run that has an aim."""

_FREE: Final = 8
"""One in so many steps of such a run is left to chance, since the way may lead around something."""


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


REST: Final = Choice(-1, "rest")
"""Nothing happens."""


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
        self._chooser = Chooser([bounded.model.rules.index(each.rule) for each in bounded.instances])
        self._by_text = {choice.text: choice for choice in self.choices}
        self._program = Program(bounded, self.layout)
        self._checks = CodeChecks(bounded, self.layout, asked.properties, self._meet)
        self.met: Counter[str] = Counter()
        """How many runs met each premise."""
        self._met: set[str] = set()
        self._aim: Aim | None = None
        self._been: set[int] | None = None
        """The worlds in which this run was; None where it does not wander."""
        self._asks_deadlock = asked.has_deadlock
        self._ask_rest = write_rest(bounded, self.layout)
        self.initial = self._program.initial
        self._look = SecondLook(bounded, asked.properties)
        self._look.check_some()
        self._visited = 0

    def begin_run(self, expected: int) -> None:
        """Count a run, and say so; making a failure smaller takes more runs than were expected."""
        self.runs += 1
        self.met.update(self._met)
        self._met.clear()
        self._chooser.set_mood(0)
        self._aim = None
        self._been = None
        self.progress.update("runs", self.runs, max(self.runs, expected))

    def set_mood(self, mood: int) -> None:
        """Let a number decide how much each rule counts in this run."""
        self._chooser.set_mood(mood)

    @cached_property
    def aims(self) -> list[Aim]:
        """What a run may aim at, since chance seldom leads there."""
        return list_rare(self.bounded, self.layout, self._checks.premises, self._program, self._chooser)

    def set_aim(self, aim: Aim | Wandering | None) -> None:
        """Let the steps of this run go where something holds, until it does; or wherever it has not been."""
        self._been = set() if aim is WANDER else None
        self._aim = aim if isinstance(aim, Aim) else None

    def choose(self, number: int, possible: list[int], packed: int) -> Choice:
        """Say which of the instances that can happen in a world a number means."""
        position = self._chooser.choose(number, possible)
        if self._been is not None:
            return self.choices[self._find_new(position, number, possible, packed)]
        if self._aim is None or len(possible) == 1 or number % _FREE == 0:
            return self.choices[position]
        if not self._aim.far(packed):
            self._aim = None
            return self.choices[position]
        tried = self._list_tried(position, number, possible)
        return self.choices[choose_nearest(self._aim, tried, packed, self._program)]

    def _list_tried(self, position: int, number: int, possible: list[int]) -> list[int]:
        """List what a number may mean in a run that does not leave its steps to chance, the usual first."""
        others = [self._chooser.choose(mix(number, salt), possible) for salt in range(_TRIED - 1)]
        return list(dict.fromkeys([position, *others]))

    def _find_new(self, position: int, number: int, possible: list[int], packed: int) -> int:
        """Find an instance that leads where this run has not been; the usual one if none does."""
        been = self._been if self._been is not None else set()
        been.add(packed)
        tried = self._list_tried(position, number, possible)
        new = (one for one in tried if self._program.compute_after(packed, one) not in been)
        return next(new, position)

    def find_choice(self, text: str) -> Choice:
        """Find an instance by what stories call it."""
        if text not in self._by_text:
            raise UnknownNameError("step", text, self._by_text)
        return self._by_text[text]

    def find_beginning(self, text: str) -> int:
        """Find an initial world by the start rule that makes it; the first one without a text."""
        texts = [choice.text for choice in self.beginnings]
        if text and text not in texts:
            raise UnknownNameError("initial world", text, texts)
        return self.initial[texts.index(text) if text else 0]

    def name_beginning(self, packed: int) -> str:
        """Write the start rule that makes an initial world; nothing where there is none."""
        return self.beginnings[self.initial.index(packed)].text

    def list_possible(self, packed: int) -> list[int]:
        """List the positions of the instances that can happen in a world."""
        return self._program.list_possible(packed)

    def take(self, packed: int, position: int) -> int:
        """Compute the world after an instance, and count it."""
        self.fired[self._rules[position]] += 1
        return self._program.compute_after(packed, position)

    def _meet(self, name: str) -> bool:
        """Note a premise that was met, and keep asking for it: each run counts."""
        self._met.add(name)
        return False

    def find_wrong(self, packed: int, position: int | None, possible: list[int]) -> str | None:
        """Name what is wrong with a world to which an instance led: a property, or a deadlock."""
        wrong = None
        found = list(self._checks.ask_world(packed, position))
        self._look_now_and_then(packed, self.reached | {prop.name for prop in found})
        for prop in found:
            if prop.kind is Kind.SOMETIMES:
                self._checks.drop(prop)
                self.reached.add(prop.name)
            elif wrong is None:
                wrong = prop.name
        is_stuck = self._asks_deadlock and not possible and wrong is None
        if is_stuck and not self._ask_rest(packed):
            return DEADLOCK
        return wrong

    def _look_now_and_then(self, packed: int, noted: set[str]) -> None:
        """Ask the texts themselves what is true in some of the worlds, and where steps lead."""
        number, self._visited = self._visited, self._visited + 1
        if not self._look.is_due(number):
            return
        unpack, compute_after = self.layout.unpack, self._program.compute_after
        possible = self._program.list_possible(packed)

        def lead(at: int) -> Cells | None:
            return unpack(compute_after(packed, at)) if at in possible else None

        self._look.check(unpack(packed), lead, noted)

    def find_wrong_step(self, before: int, position: int, after: int) -> str | None:
        """Name the property that an instance violates between two worlds."""
        return next((prop.name for prop in self._checks.ask_step(before, position, after)), None)


def _label_start(bounded: BoundedModel, first: Cells) -> str:
    """Write the start rule that makes an initial world; there is one where there are several worlds."""
    starts = (start for start, cells in bounded.starts if start is not None and cells == first)
    return "".join(str(label_instance(bounded, start)) for start in islice(starts, 1))
