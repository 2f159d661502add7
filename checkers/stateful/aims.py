"""What a run may aim at: worlds that hardly any run meets by chance.

These are the worlds in which the premise of a property holds, in which a rule can happen, and those that must
be reachable. A few runs without an aim tell which of them come by themselves; the others are aims. Which of
the steps that a number may mean comes nearest to an aim follows from the world alone, so a run repeats.

Some of the runs without an aim wander: of several steps the first is taken that leads to a world in which
this very run has not been. Puzzles are solved by those, since chance goes to and fro.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from nomadspec.checkers.pycode.questions import Question, write_questions
from nomadspec.checkers.stateful.choosing import mix
from nomadspec.checkers.stateful.nearness import write_nearness
from nomadspec.model.errors import ModelError
from nomadspec.model.language.logic import Value, all_of, any_of
from nomadspec.model.language.property import Kind
from nomadspec.model.language.term import Term

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from nomadspec.checkers.property_premises import Premises
    from nomadspec.checkers.pycode.program import Program
    from nomadspec.checkers.stateful.choosing import Chooser
    from nomadspec.checkers.stepper.layout import Layout
    from nomadspec.model.language.bounded import BoundedModel

_RUNS: Final = 60
_STEPS: Final = 40
_OFTEN: Final = 6
"""What so many of the runs without an aim meet needs none."""


_NEARER_THAN_ANY: Final = -1.0
"""How far a step is that fails: there is nothing more worth finding."""


class Aim:
    """A flag of worlds, and how far a world is from it."""

    def __init__(self, name: str, flag: Term, bounded: BoundedModel, layout: Layout) -> None:
        """Keep the flag; the code is written when it is first needed."""
        self.name = name
        self._flag, self._bounded, self._layout = flag, bounded, layout
        self._far: Callable[[int], float] | None = None

    def __repr__(self) -> str:
        """Write it as a failure shows it."""
        return self.name

    def far(self, packed: int) -> float:
        """Tell how far a world is from it; 0 is there."""
        if self._far is None:
            self._far = write_nearness(self._flag, self._bounded, self._layout)
        return self._far(packed)


class Wandering:
    """What a run may do instead of aiming: go where it has not been, as far as it sees."""

    def __repr__(self) -> str:
        """Write it as a failure shows it."""
        return "somewhere new"


WANDER: Final = Wandering()
"""The only one of its kind."""


def list_moods(aims: Sequence[Aim]) -> list[Aim | Wandering | None]:
    """List what a run may draw: half of it an aim, if there is any, and of the rest half to wander."""
    others: list[Aim | Wandering | None] = [None, WANDER]
    return [*(others[place % 2] for place in range(max(2, len(aims) + 1))), *aims]


def list_rare(
    bounded: BoundedModel, layout: Layout, premises: Premises, program: Program, chooser: Chooser
) -> list[Aim]:
    """List what some runs without an aim seldom or never met."""
    flags = {name: flag for name, flag in _list_flags(bounded, premises) if isinstance(flag, Term)}
    ask = write_questions(
        [Question(name, flag, is_news=True) for name, flag in flags.items()], bounded, layout
    )
    times = dict.fromkeys(flags, 0)
    for run in range(_RUNS):
        for name in {name for packed in _walk(run, program, chooser) for name in ask(packed)}:
            times[name] += 1
    return [Aim(name, flag, bounded, layout) for name, flag in flags.items() if times[name] < _OFTEN]


def choose_nearest(aim: Aim, positions: Sequence[int], packed: int, program: Program) -> int:
    """Choose the instance after which a world is nearest to an aim, the first of several, or which fails."""

    def measure(position: int) -> float:
        try:
            return aim.far(program.compute_after(packed, position))
        except ModelError:
            return _NEARER_THAN_ANY

    return min(positions, key=measure)


def _list_flags(bounded: BoundedModel, premises: Premises) -> Iterator[tuple[str, object]]:
    for name, flag in premises.list_of_worlds():
        yield f"premise of {name}", flag
    world = bounded.world(bounded.cell_terms)
    for prop in bounded.model.list_properties(Kind.SOMETIMES):
        yield prop.name, prop(world)
    for rule in bounded.model.rules:
        guards: list[Sequence[Value]] = [
            traced.guard for traced in bounded.traced if traced.instance.rule is rule
        ]
        if guards:
            yield rule.name, any_of(*[all_of(*guard) for guard in guards])


def _walk(run: int, program: Program, chooser: Chooser) -> Iterator[int]:
    """Give the worlds of a run that chance makes, the same in every process."""
    packed = program.initial[run % len(program.initial)]
    yield packed
    for step in range(_STEPS):
        possible = program.list_possible(packed)
        if not possible:
            return
        try:
            packed = program.compute_after(packed, chooser.choose(1 + mix(run, step) % 4095, possible))
        except ModelError:
            return  # a run of the machine that takes this step says what fails
        yield packed
