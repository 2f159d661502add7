"""Whether anything leads to a world: a bounded search back from it.

Backward from a world there is a chain of worlds, no two of them equal, each one step before the next. As long
as there is a longer chain nobody knows; when one begins in an initial world, the world is reachable; and when
none of so many steps exists, all that leads to it has been seen, so it is not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import z3

from nomadspec.checkers.smt.bmc import Picks, find_picked, link, make_picks
from nomadspec.checkers.smt.decode import decode, replay_step
from nomadspec.checkers.smt.question import Answer, Patience, Reply
from nomadspec.checkers.smt.scope_reading import ScopeReading
from nomadspec.checkers.smt.translate import SolverState
from nomadspec.checkers.verdict import Reach, ReachMark

if TYPE_CHECKING:
    from nomadspec.model.language.bounded import BoundedModel, Cells
    from nomadspec.model.language.logic import Value
    from nomadspec.model.language.trace import Instance

_BACK_SHARE: Final = 2.0
"""How much longer than a question about one step a question about what leads to a world may take."""


class BackwardSearch:
    """A search that goes back from one world, one step further at a time."""

    def __init__(self, bounded: BoundedModel, patience: Patience, world: Cells, name: str) -> None:
        """Start with the world itself; the name says in questions whose world it is."""
        self._bounded = bounded
        self._patience = patience
        self._reading = ScopeReading(bounded)
        self._name = name
        self._context = z3.Context()
        self._states = [SolverState(bounded, "0", self._context)]
        """The world first, then what is before it."""
        self._picks: list[Picks] = []
        self._solver = patience.new_solver(context=self._context)
        self._solver.add(self._states[0].equals(world))

    def find(self, max_steps: int) -> tuple[Reach, tuple[Instance, ...], Cells | None]:
        """Say whether the world is reachable; if so, by which instances and from which initial world."""
        for steps in range(max_steps + 1):
            if steps:
                self._extend()
                if self._ask("any", []).answer is Answer.KEPT:
                    return Reach(ReachMark.UNREACHABLE, steps), (), None
            first = self._states[-1]
            starts = z3.Or(*[first.equals(cells) for cells in self._bounded.initial])
            reply = self._ask("initial", [starts])
            if reply.answer is Answer.BROKEN:
                return Reach(ReachMark.REACHABLE, steps), *self._tell(reply.example)
            if reply.answer is Answer.UNKNOWN or self._patience.is_over:
                return Reach(ReachMark.OPEN, steps), (), None
        return Reach(ReachMark.OPEN, max_steps), (), None

    def _extend(self) -> None:
        number = str(len(self._states))
        before = SolverState(self._bounded, number, self._context)
        picks = make_picks(self._bounded, number, self._context)
        self._solver.add(*self._reading.list_background(before))
        self._solver.add(*link(self._reading, before, picks, self._states[-1]))
        self._solver.add(*[z3.Not(before.equals(later.cells)) for later in self._states])
        self._states.append(before)
        self._picks.append(picks)

    def _ask(self, about: str, terms: list[Value]) -> Reply:
        self._patience.limit(self._solver, share=_BACK_SHARE)
        self._solver.push()
        self._solver.add(*terms)
        reply = self._patience.ask(
            self._solver, {}, "search back", self._name, about, f"after {len(self._picks)} steps"
        )
        self._solver.pop()
        return reply

    def _tell(self, example: Value) -> tuple[tuple[Instance, ...], Cells]:
        """Read the way from the initial world off the example, replayed step by step."""
        bounded = self._bounded
        worlds = [decode(state, example) for state in reversed(self._states)]
        instances = tuple(find_picked(bounded, picks, example) for picks in reversed(self._picks))
        for before, instance, after in zip(worlds, instances, worlds[1:], strict=False):
            replay_step(bounded, before, instance, after)
        return instances, worlds[0]
