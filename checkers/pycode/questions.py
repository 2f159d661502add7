"""Several flags of a packed world, asked by one function that computes what they share once."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final, TypeAlias

from nomadspec.checkers.pycode.program import define
from nomadspec.checkers.pycode.writer import Writer, indent
from nomadspec.model.language.term import Term

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from nomadspec.checkers.stepper.layout import Layout
    from nomadspec.model.language.bounded import BoundedModel
    from nomadspec.model.language.term import Argument

Ask: TypeAlias = Callable[[int], list[str]]
"""Lists whose flags of a packed world have the answer that is worth telling."""

_MOST_WASTED: Final = 1_000
"""How often a function may tell what was dropped before it is written again."""


class Question:
    """A flag, and the answer that is worth telling."""

    __slots__ = ("flag", "is_news", "name", "reads")

    def __init__(self, name: str, flag: Argument, *, is_news: bool) -> None:
        """Keep whose flag it is, and which cells it reads."""
        self.name = name
        self.flag = flag
        self.is_news = is_news
        self.reads: frozenset[int] = flag.reads if isinstance(flag, Term) else frozenset()

    @property
    def is_open(self) -> bool:
        """True if the answer may be worth telling."""
        return isinstance(self.flag, Term) or bool(self.flag) is self.is_news


def write_questions(questions: Sequence[Question], bounded: BoundedModel, layout: Layout) -> Ask:
    """Write the function that asks them all."""
    writer = Writer(bounded, layout, (question.flag for question in questions))
    body = ["found = []"]
    for question in questions:
        body += writer.define(question.flag)
        test = writer.text(question.flag).test
        body.append(f"if {test if question.is_news else f'not {test}'}: found.append({question.name!r})")
    function: Ask = define("ask", ["def ask(w):", *indent([*body, "return found"])])
    return function


def write_rest(bounded: BoundedModel, layout: Layout) -> Ask:
    """Write the function that lists nothing where a world must have a successor."""
    rest = bounded.model.is_at_rest
    flag = False if rest is None else rest(bounded.world(bounded.cell_terms))
    return write_questions([Question("rest", flag, is_news=True)], bounded, layout)


class WrittenWorlds:
    """What is worth telling of worlds, as Python code: a function for all that a step can change."""

    def __init__(self, bounded: BoundedModel, layout: Layout, questions: Sequence[Question]) -> None:
        """Write the function that asks everything."""
        self._bounded = bounded
        self._questions = questions
        self._code = _Code(bounded, layout)
        self._of_any = self._code.write(questions)
        self._after: dict[int, _Written] = {}
        self._alike: dict[tuple[str, ...], _Written] = {}

    def ask(self, packed: int, position: int | None) -> list[str]:
        """List what is worth telling of a world; with the instance that led here, of what it can change."""
        if position is None:
            return self._code.ask(self._of_any, packed)
        written = self._after.get(position)
        if written is None:
            written = self._after[position] = self._write_changed(position)
        return self._code.ask(written, packed)

    def drop(self, name: str) -> None:
        """Ask no longer about something."""
        self._code.dropped.add(name)

    def _write_changed(self, position: int) -> _Written:
        """Write the questions whose answer an instance can change; many instances share them."""
        writes = self._bounded.traced[position].writes.keys()
        asked = [question for question in self._questions if not question.reads.isdisjoint(writes)]
        names = tuple(question.name for question in asked)
        if names not in self._alike:
            self._alike[names] = self._code.write(asked)
        return self._alike[names]


class WrittenSteps:
    """What is worth telling of steps, as Python code: a function for each instance."""

    def __init__(
        self, bounded: BoundedModel, layout: Layout, list_of_step: Callable[[int], Iterable[Question]]
    ) -> None:
        """Keep how to list what is asked of an instance."""
        self._code = _Code(bounded, layout)
        self._list_of_step = list_of_step
        self._by: dict[int, _Written] = {}

    def ask(self, before: int, position: int, _after: int) -> list[str]:
        """List what is worth telling of an instance's step; the world after follows from the one before."""
        written = self._by.get(position)
        if written is None:
            written = self._by[position] = self._code.write(self._list_of_step(position))
        return self._code.ask(written, before)

    def drop(self, name: str) -> None:
        """Ask no longer about something."""
        self._code.dropped.add(name)


class _Written:
    """Questions with the function that asks them, and how often it told what nobody wants to know."""

    __slots__ = ("ask", "asked", "wasted")

    def __init__(self, asked: Sequence[Question], ask: Ask) -> None:
        self.asked = asked
        self.ask = ask
        self.wasted = 0


class _Code:
    """Writes functions that ask questions.

    What is dropped is only left out of answers at first: a function is written again after it has told such
    things so often that this pays.
    """

    def __init__(self, bounded: BoundedModel, layout: Layout) -> None:
        self.dropped: set[str] = set()
        self._bounded = bounded
        self._layout = layout

    def write(self, questions: Iterable[Question]) -> _Written:
        """Write a function for what is open."""
        asked = [each for each in questions if each.is_open and each.name not in self.dropped]
        return _Written(asked, write_questions(asked, self._bounded, self._layout))

    def ask(self, written: _Written, packed: int) -> list[str]:
        """List what is worth telling and was not dropped."""
        found = written.ask(packed)
        if not found:
            return found
        wanted = [name for name in found if name not in self.dropped]
        if len(wanted) < len(found):
            written.wasted += 1
            if written.wasted == _MOST_WASTED:
                again = self.write(written.asked)
                written.asked, written.ask, written.wasted = again.asked, again.ask, 0
        return wanted
