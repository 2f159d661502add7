"""The same questions as machine code, where a model is so large that Python would take long over each world.

Python asks all guards at each step, and what ``always`` holds of all pairs of objects; that grows with the
scope. Machine code takes a few microseconds in any scope that can be bound, but seconds to compile once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from nomadspec.checkers.native.asking import Wanted, make_possible
from nomadspec.checkers.native.build import is_available
from nomadspec.checkers.native.words import WideError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from nomadspec.checkers.pycode.questions import Question
    from nomadspec.checkers.stepper.layout import Layout
    from nomadspec.model.bounded import BoundedModel

_LEAST_INSTANCES: Final = 150
"""Where fewer things can happen, Python is as quick."""


def find_possible(bounded: BoundedModel, layout: Layout) -> Callable[[int], list[int]] | None:
    """Give the function that lists what can happen in a world; None where machine code is not worth it."""
    if not _is_worth_it(bounded):
        return None
    try:
        return make_possible(bounded, layout).list
    except WideError:
        return None


class CompiledWorlds:
    """What is worth telling of worlds."""

    def __init__(self, bounded: BoundedModel, layout: Layout, questions: Sequence[Question]) -> None:
        """Compile the questions."""
        self._bounded = bounded
        self._questions = questions
        self._code = Wanted(bounded, layout, [(each.flag, each.is_news) for each in questions])
        self._open = (1 << len(questions)) - 1
        self._touched: dict[int | None, int] = {None: self._open}
        self._asked: dict[int | None, tuple[int, ...]] = {}

    def ask(self, packed: int, position: int | None) -> list[str]:
        """List what is worth telling of a world; with the instance that led here, of what it can change."""
        asked = self._asked.get(position)
        if asked is None:
            asked = self._asked[position] = self._list_asked(position)
        return [self._questions[number].name for number in self._code.list(packed, asked)]

    def drop(self, name: str) -> None:
        """Ask no longer about something."""
        for number, question in enumerate(self._questions):
            if question.name == name:
                self._open &= ~(1 << number)
        self._asked.clear()

    def _list_asked(self, position: int | None) -> tuple[int, ...]:
        if position is not None and position not in self._touched:
            writes = self._bounded.traced[position].writes.keys()
            changed = (not question.reads.isdisjoint(writes) for question in self._questions)
            self._touched[position] = sum(is_changed << number for number, is_changed in enumerate(changed))
        return self._code.split(self._touched[position] & self._open)


def compile_worlds(
    bounded: BoundedModel, layout: Layout, questions: Sequence[Question]
) -> CompiledWorlds | None:
    """Compile questions about worlds; None where that is not worth it."""
    if not _is_worth_it(bounded):
        return None
    try:
        return CompiledWorlds(bounded, layout, questions)
    except WideError:
        return None


def _is_worth_it(bounded: BoundedModel) -> bool:
    return len(bounded.instances) >= _LEAST_INSTANCES and is_available()
