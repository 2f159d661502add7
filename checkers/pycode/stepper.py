"""All steps of packed worlds by generated Python code, for searches without machine code or before it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nomadspec.checkers.pycode.program import Program
from nomadspec.checkers.stepper.evaluate import evaluate

if TYPE_CHECKING:
    from nomadspec.checkers.stepper.layout import Layout
    from nomadspec.model.language.bounded import BoundedModel


class Stepper:
    """The initial worlds and the successors of any world of a bounded model, packed."""

    def __init__(self, bounded: BoundedModel, layout: Layout) -> None:
        """Write the code; nothing becomes machine code, which would take longer than a small search."""
        self._program = Program(bounded, layout, may_compile=False)
        self.initial = self._program.initial
        self._bounded, self._layout = bounded, layout
        duties = bounded.duties.of_rules
        self._dutiful = [
            (instance, duties[instance.number].must)
            for instance in bounded.instances
            if instance.number in duties
        ]
        """The instances that may ask a table for what it has not, and what must hold so that they do not."""

    def successors(self, packed: int) -> list[tuple[int, int]]:
        """List the instances that can happen by position, each with the packed world after it."""
        if self._dutiful:
            self._expect_answers(packed)
        compute_after = self._program.compute_after
        return [
            (position, compute_after(packed, position)) for position in self._program.list_possible(packed)
        ]

    def _expect_answers(self, packed: int) -> None:
        """Let the interpreter complain about a rule that has no answer in this world."""
        cells = self._layout.unpack(packed)
        for instance, must in self._dutiful:
            if not evaluate(must, cells):
                self._bounded.step(cells, instance)
