"""Step properties over the cells of both worlds, traced once for all steps of which they ask the same.

Traced for an instance, a step property knows what the step writes, and is another term for each of a
thousand instances. Here the world after a step has cells of its own. A property that asks which rule made the
step, or with which arguments, is traced once for each way in which that is answered.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from nomadspec.checkers.pycode.questions import Question
from nomadspec.checkers.stepper.layout import Layout
from nomadspec.model.language.pairs import Heard, Heeded
from nomadspec.model.language.property import By

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from nomadspec.model.language.bounded import BoundedModel
    from nomadspec.model.language.logic import Value
    from nomadspec.model.language.property import Property
    from nomadspec.model.language.term import Term
    from nomadspec.model.language.world import World


Watch: TypeAlias = "Callable[[Property, World, World, By], Iterable[tuple[str, Value]]]"
"""Traces a step property between two worlds: gives its flag by its name, and what else is of interest."""


class PairLayout(Layout):
    """Where the cells of two worlds lie in one packed integer: those of the one after above the others."""

    __slots__ = ()

    def __init__(self, bounded: BoundedModel) -> None:
        """Lay out one world, and the other behind it."""
        super().__init__(bounded)
        self.shifts += tuple(shift + self.bits for shift in self.shifts)
        self.widths *= 2
        self.bits *= 2


@dataclass(frozen=True, slots=True)
class PairQuestion:
    """A question about two worlds."""

    question: Question
    after: frozenset[int]
    """The cells of the world after that it reads."""
    is_quiet: bool
    """Whether there is nothing to tell where none of these changes."""

    def concerns(self, writes: Iterable[int]) -> bool:
        """True if a step that writes some cells can make it worth telling."""
        return not self.is_quiet or not self.after.isdisjoint(writes)


class Pairs:
    """The step properties of a bounded model, and what else is watched while they are traced."""

    def __init__(self, bounded: BoundedModel, properties: Iterable[Property], watch: Watch) -> None:
        """Trace each property for each way in which the instances answer it."""
        self.questions: list[PairQuestion] = []
        self._bounded = bounded
        self._watch = watch
        self._later = _make_later_cells(bounded)
        chosen = tuple(properties)
        heeded = {prop.name: Heeded() for prop in chosen}
        self._numbers = [
            tuple(
                number
                for prop in chosen
                for number in self._find(prop, heeded[prop.name], _by(bounded, position))
            )
            for position in range(len(bounded.instances))
        ]

    def list_asked(self, position: int) -> list[int]:
        """List the numbers of the questions to which the steps of an instance may be the answer."""
        writes = self._bounded.traced[position].writes.keys()
        return [number for number in self._numbers[position] if self.questions[number].concerns(writes)]

    def _find(self, prop: Property, heeded: Heeded, by: By) -> range:
        """Find the numbers of a property's own questions about a step."""
        found = heeded.find(by)
        if not found.is_made:
            heard = Heard(by)
            made = self._trace(prop, heard, by)
            found = heeded.keep(heard.heard, made)
        numbers: range = found.made
        return numbers

    def _trace(self, prop: Property, heard: Heard, by: By) -> range:
        bounded = self._bounded
        before, after = bounded.world(bounded.cell_terms), bounded.world(self._later)
        first = len(self.questions)
        still = dict(self._watch(prop, before, before, by))
        for name, flag in self._watch(prop, before, after, heard):
            question = Question(name, flag, is_news=name != prop.name)
            if question.is_open:
                self.questions.append(self._make(question, still.get(name, False)))
        return range(first, len(self.questions))

    def _make(self, question: Question, still: Value) -> PairQuestion:
        count = len(self._later)
        after = frozenset(cell - count for cell in question.reads if cell >= count)
        return PairQuestion(question, after, is_quiet=still is (not question.is_news))


def _by(bounded: BoundedModel, position: int) -> By:
    instance = bounded.instances[position]
    return By(instance.rule, instance.arguments)


def _make_later_cells(bounded: BoundedModel) -> tuple[Term, ...]:
    """Make cells for the world after a step, numbered behind those of the world before."""
    count = len(bounded.cell_terms)
    return tuple(
        cell.table.cell(count + at, cell.low, cell.high, is_flag=cell.is_flag, is_name=cell.is_name)
        for at, cell in enumerate(bounded.cell_terms)
    )
