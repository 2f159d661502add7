"""Steps in which a rule makes one slip: it writes one cell otherwise than it does, or overlooks a condition.

Everything is known of the world before that is proved. The world after has unknowns of its own: they are what
the rule writes, but for one at most, which may have any other value of its domain.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import z3

from nomadspec.checkers.smt.algebra import as_term
from nomadspec.checkers.smt.decode import decode, read_value
from nomadspec.checkers.smt.limits import state_limits
from nomadspec.checkers.smt.scope_reading import is_in_order
from nomadspec.checkers.smt.translate import SolverState
from nomadspec.model.language.term import Term

if TYPE_CHECKING:
    from collections.abc import Collection

    from nomadspec.checkers.smt.single_steps import SingleSteps
    from nomadspec.model.language.bounded import BoundedModel, Cells
    from nomadspec.model.language.logic import Value
    from nomadspec.model.language.trace import TracedInstance


class StatePair(SolverState):
    """A world and one after it as unknowns, side by side, as terms over the cells of two worlds read them."""

    def __init__(self, bounded: BoundedModel, before: SolverState) -> None:
        """Give the world after unknowns of its own."""
        super().__init__(bounded, "after", before.context)
        self.after = self.cells
        self.cells = (*before.cells, *self.after)


class Slips:
    """Looks for slips, from any world with everything that is proved."""

    def __init__(self, bounded: BoundedModel, steps: SingleSteps) -> None:
        """Give each cell of the world after an unknown."""
        self._bounded = bounded
        self._steps = steps
        self._pair = StatePair(bounded, steps.before)

    def find(self, traced: TracedInstance, refused: Value, accepted: Value) -> tuple[Cells, Cells] | None:
        """Find a slip of an instance that one statement refuses and another one lets pass.

        Both are terms over the cells of the two worlds. Gives the world before and the one after.
        """
        pair, before = self._pair, self._steps.before
        seen = self._list_seen(refused, accepted)
        writes = {cell: before.translate(value) for cell, value in traced.writes.items()}
        usual = dict(enumerate(before.cells)) | writes
        slips = [
            *[pair.after[cell] != usual[cell] for cell in seen],
            *[z3.Not(before.translate(part)) for part in traced.guard],
        ]
        if not slips:
            return None
        example = self._steps.find_example(
            traced.instance,
            z3.AtMost(*slips, 1),
            *[pair.is_inside(cell, pair.after[cell]) for cell in seen],
            *self._list_orders(seen),
            *state_limits(self._bounded, before, traced).values(),
            z3.Not(pair.translate(refused)),
            pair.translate(accepted),
        )
        if example is None:
            return None
        after = usual | {cell: pair.after[cell] for cell in seen}
        return decode(before, example), tuple(read_value(example, value) for value in after.values())

    def _list_seen(self, *statements: Value) -> list[int]:
        """List the cells of the world after that statements read, with all of a queue if there is one."""
        count = len(self._pair.after)
        read = frozenset[int]().union(*[said.reads for said in statements if isinstance(said, Term)])
        seen = {cell - count for cell in read if cell >= count}
        for places in self._list_queues():
            seen.update(places if not seen.isdisjoint(places) else ())
        return sorted(seen)

    def _list_orders(self, seen: Collection[int]) -> list[Value]:
        """List that the queues among some cells are queues after the step too."""
        after, context = self._pair.after, self._pair.context
        touched = [places for places in self._list_queues() if places.start in seen]
        return [as_term(is_in_order([after[cell] for cell in places]), context) for places in touched]

    def _list_queues(self) -> list[range]:
        frame = self._bounded.frame
        placed = [frame.placed[queue.name] for queue in frame.schema.queues]
        return [range(one.base, one.base + one.span) for one in placed]
