"""The same questions as machine code, where a model is so large that Python would take long over each world.

Python asks all guards at each step, and what ``always`` holds of all pairs of objects; that grows with the
scope. Machine code takes a few microseconds in any scope that can be bound, but seconds to compile once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from nomadspec.checkers.native.asking import Wanted
from nomadspec.checkers.native.words import WideError
from nomadspec.checkers.pycode.pairs import PairLayout, Pairs
from nomadspec.checkers.pycode.possible import is_worth_compiling
from nomadspec.model.errors import StyleError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from nomadspec.checkers.pycode.pairs import Watch
    from nomadspec.checkers.pycode.questions import Question
    from nomadspec.checkers.stepper.layout import Layout
    from nomadspec.model.language.bounded import BoundedModel
    from nomadspec.model.language.property import Property


class _Compiled:
    """Questions that are asked by number, of an instance only those to which it can be the answer."""

    def __init__(
        self, questions: Sequence[Question], code: Wanted, list_concerned: Callable[[int], Iterable[int]]
    ) -> None:
        self._names = [question.name for question in questions]
        self._code = code
        self._list_concerned = list_concerned
        self._open = (1 << len(questions)) - 1
        self._concerned: dict[int | None, int] = {None: self._open}
        self._asked: dict[int | None, tuple[int, ...]] = {}

    def drop(self, name: str) -> None:
        """Ask no longer about something."""
        for number, other in enumerate(self._names):
            if other == name:
                self._open &= ~(1 << number)
        self._asked.clear()

    def _list_news(self, packed: int, position: int | None) -> list[str]:
        asked = self._asked.get(position)
        if asked is None:
            if position is not None and position not in self._concerned:
                self._concerned[position] = sum(1 << number for number in self._list_concerned(position))
            asked = self._asked[position] = self._code.split(self._concerned[position] & self._open)
        found = self._code.list(packed, asked)
        return [self._names[number] for number in found] if found else []


class CompiledWorlds(_Compiled):
    """What is worth telling of worlds."""

    def __init__(self, bounded: BoundedModel, layout: Layout, questions: Sequence[Question]) -> None:
        """Compile the questions."""
        flags = [(each.flag, each.is_news) for each in questions]
        reads = [question.reads for question in questions]

        def list_touched(position: int) -> list[int]:
            writes = bounded.traced[position].writes.keys()
            return [number for number, cells in enumerate(reads) if not cells.isdisjoint(writes)]

        super().__init__(questions, Wanted(bounded.frame.intervals, layout, flags), list_touched)

    def ask(self, packed: int, position: int | None) -> list[str]:
        """List what is worth telling of a world; with the instance that led here, of what it can change."""
        return self._list_news(packed, position)


class CompiledSteps(_Compiled):
    """What is worth telling of steps."""

    def __init__(self, bounded: BoundedModel, pairs: Pairs) -> None:
        """Compile what was traced over both worlds."""
        questions = [each.question for each in pairs.questions]
        flags = [(each.flag, each.is_news) for each in questions]
        layout = PairLayout(bounded)
        super().__init__(questions, Wanted(2 * bounded.frame.intervals, layout, flags), pairs.list_asked)
        self._shift = layout.bits // 2

    def ask(self, before: int, position: int, after: int) -> list[str]:
        """List what is worth telling of an instance's step between two worlds."""
        return self._list_news(after << self._shift | before, position)


def compile_worlds(
    bounded: BoundedModel, layout: Layout, questions: Sequence[Question]
) -> CompiledWorlds | None:
    """Compile questions about worlds; None where that is not worth it."""
    if not is_worth_compiling(bounded):
        return None
    try:
        return CompiledWorlds(bounded, layout, questions)
    except WideError:
        return None


def compile_steps(
    bounded: BoundedModel, properties: Iterable[Property], watch: Watch
) -> CompiledSteps | None:
    """Compile step properties; None where that is not worth it.

    A text may only be in the style where an instance says what the world after is: such are left alone too.
    """
    if not is_worth_compiling(bounded):
        return None
    try:
        return CompiledSteps(bounded, Pairs(bounded, properties, watch))
    except (StyleError, WideError):
        return None
