"""Several flags of a packed world, asked by one function that computes what they share once."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from nomadspec.checkers.pycode.program import define
from nomadspec.checkers.pycode.writer import Writer, indent
from nomadspec.model.term import Term

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from nomadspec.checkers.stepper.layout import Layout
    from nomadspec.model.bounded import BoundedModel
    from nomadspec.model.term import Argument

Ask: TypeAlias = Callable[[int], list[str]]
"""Lists whose flags of a packed world have the answer that is worth telling."""


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
        """Whether the answer may be worth telling."""
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


class Asker:
    """Asks about worlds and steps only what a step can have changed, and drops what need not be asked again.

    An answer that was not worth telling before a step still is not if the step wrote none of the cells that
    the flag reads. Dropping is only remembered at first: code is written again when twice as much was dropped
    as the last time.
    """

    def __init__(
        self,
        bounded: BoundedModel,
        layout: Layout,
        worlds: Iterable[Question],
        list_of_step: Callable[[int], Iterable[Question]],
    ) -> None:
        """Keep what to ask of worlds, and how to list what is asked of an instance's steps."""
        self._bounded = bounded
        self._layout = layout
        self._worlds = [question for question in worlds if question.is_open]
        self._list_of_step = list_of_step
        self._dropped: set[str] = set()
        self._ask_any = self._write(self._worlds)
        self._worlds_after: dict[int, Ask] = {}
        self._written: dict[tuple[str, ...], Ask] = {}
        self._steps_by: dict[int, Ask] = {}

    def drop(self, name: str) -> None:
        """Ask no longer about something."""
        self._dropped.add(name)
        if (count := len(self._dropped)) & (count - 1):
            return
        self._worlds = [question for question in self._worlds if question.name not in self._dropped]
        self._ask_any = self._write(self._worlds)
        for kept in (self._worlds_after, self._written, self._steps_by):
            kept.clear()

    def ask_world(self, packed: int, position: int | None = None) -> list[str]:
        """List what is worth telling of a world; with the instance that led here, of what it can change."""
        if position is None:
            return self._without_dropped(self._ask_any(packed))
        ask = self._worlds_after.get(position)
        if ask is None:
            ask = self._worlds_after[position] = self._write_changed(position)
        found = ask(packed)
        return self._without_dropped(found) if found else found

    def ask_step(self, before: int, position: int) -> list[str]:
        """List what is worth telling of an instance's step from a world."""
        ask = self._steps_by.get(position)
        if ask is None:
            ask = self._steps_by[position] = self._write_steps(position)
        found = ask(before)
        return self._without_dropped(found) if found else found

    def _without_dropped(self, found: list[str]) -> list[str]:
        return [name for name in found if name not in self._dropped]

    def _write_changed(self, position: int) -> Ask:
        """Write the questions whose answer an instance can change; many instances share them."""
        writes = self._bounded.traced[position].writes.keys()
        asked = [question for question in self._worlds if not question.reads.isdisjoint(writes)]
        names = tuple(question.name for question in asked)
        if names not in self._written:
            self._written[names] = self._write(asked)
        return self._written[names]

    def _write_steps(self, position: int) -> Ask:
        asked = self._list_of_step(position)
        return self._write([each for each in asked if each.is_open and each.name not in self._dropped])

    def _write(self, asked: Sequence[Question]) -> Ask:
        return write_questions(asked, self._bounded, self._layout)
