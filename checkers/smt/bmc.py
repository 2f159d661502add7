"""Bounded search: whether a story of at most so many steps comes to a world or step without a property.

Each step has one flag for each instance, exactly one of which is up; a cell after the step is a choice by
the flags of the instances that write it. What the solver finds is run on the interpreter, world by world,
before it is told.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

import z3

from nomadspec.checkers.smt.algebra import as_term
from nomadspec.checkers.smt.decode import decode, read_value, replay_step
from nomadspec.checkers.smt.limits import state_limits
from nomadspec.checkers.smt.promise_proofs import find_promises, list_looked_at_before
from nomadspec.checkers.smt.question import Answer, Patience, Reply
from nomadspec.checkers.smt.scope_reading import ScopeReading
from nomadspec.checkers.smt.symbols import Role, new_flag
from nomadspec.checkers.smt.translate import SolverState
from nomadspec.model.errors import ImpossibleError
from nomadspec.model.language.claim import tell
from nomadspec.model.language.logic import all_of, any_of, not_
from nomadspec.model.language.model_promises import PROMISES, TEXTS_HAVE_ANSWERS
from nomadspec.model.language.property import Kind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nomadspec.checkers.progress import Progress
    from nomadspec.model.language.bounded import BoundedModel
    from nomadspec.model.language.logic import Value
    from nomadspec.model.language.story import Story
    from nomadspec.model.language.trace import Instance

Picks: TypeAlias = "tuple[Value, ...]"
"""The flags of a step, one for each instance."""

LENGTH_SHARE: Final = 10.0
"""How much longer than a question about one step a question about a whole story may take."""


class BoundedSearch:
    """A search from the initial worlds that gets one step longer at a time."""

    def __init__(self, bounded: BoundedModel, patience: Patience) -> None:
        """Start in the initial worlds."""
        self._bounded = bounded
        self._patience = patience
        self._reading = ScopeReading(bounded)
        self._context = z3.Context()
        self._states = [SolverState(bounded, "0", self._context)]
        self._picks: list[Picks] = []
        self._solver = patience.new_solver(context=self._context)
        self._solver.add(z3.Or(*[self._states[0].equals(cells) for cells in bounded.initial]))

    def find_stories(self, goals: Sequence[str], max_steps: int, progress: Progress) -> dict[str, Story]:
        """Find a shortest story against each property or promise, of at most so many steps."""
        found: dict[str, Story] = {}
        for length in range(max_steps + 1):
            progress.update("bounded search, steps", length, max_steps)
            if length:
                self._extend()
            asked = [
                name for name in goals if name not in found and (name not in PROMISES or length < max_steps)
            ]
            found |= self._find_broken({name: self._is_broken(name) for name in asked}, LENGTH_SHARE)
            if len(found) == len(goals) or self._patience.is_over:
                break
        return found

    def _find_broken(self, broken: dict[str, Value], share: float) -> dict[str, Story]:
        """Ask for all of them at once, then again for those that the example does not break."""
        found: dict[str, Story] = {}
        while broken and not self._patience.is_over:
            reply = self._ask(" or ".join(broken), any_of(*broken.values()), share)
            if reply.answer is Answer.UNKNOWN and len(broken) > 1:
                part = share / len(broken)
                singly = [self._find_broken({name: term}, part) for name, term in broken.items()]
                return found | {name: story for stories in singly for name, story in stories.items()}
            if reply.answer is not Answer.BROKEN:
                break
            shown = [name for name, term in broken.items() if read_value(reply.example, term)]
            found |= {name: self._tell(name, reply.example) for name in shown}
            broken = {name: term for name, term in broken.items() if name not in shown}
        return found

    def _ask(self, about: str, term: Value, share: float) -> Reply:
        self._patience.limit(self._solver, share=share)
        self._solver.push()
        self._solver.add(term)
        reply = self._patience.ask(self._solver, {}, "search", about, f"after {len(self._picks)} steps")
        self._solver.pop()
        return reply

    def _extend(self) -> None:
        number = str(len(self._states))
        after = SolverState(self._bounded, number, self._context)
        picks = make_picks(self._bounded, number, self._context)
        self._solver.add(*link(self._reading, self._states[-1], picks, after))
        self._states.append(after)
        self._picks.append(picks)

    def _is_broken(self, name: str) -> Value:
        """True while the last world or step lacks a property, or that a step from the last world fails."""
        bounded = self._bounded
        if name in PROMISES:
            return as_term(any_of(*self._list_failing(name)), self._context)
        prop = bounded.model.find_property(name)
        if prop.kind is Kind.ALWAYS:
            last = self._states[-1]
            broken = z3.Not(last.translate(self._reading.say(prop.name, bounded.cell_terms)))
            return broken if name == TEXTS_HAVE_ANSWERS else all_of(broken, *self._list_answers(last))
        if not self._picks:
            return as_term(value=False, context=self._context)
        before = self._states[-2]
        breaks = [
            all_of(
                pick,
                z3.Not(before.translate(self._reading.say_after(prop.name, traced))),
                *self._list_answers(before),
            )
            for pick, traced in zip(self._picks[-1], bounded.traced, strict=True)
        ]
        return as_term(any_of(*breaks), self._context)

    def _list_answers(self, state: SolverState) -> list[Value]:
        """List that texts have answers in a world, where that is a question."""
        candidates = self._reading.candidates
        asked = [TEXTS_HAVE_ANSWERS] if TEXTS_HAVE_ANSWERS in candidates else []
        return [state.translate(self._reading.say(name, self._bounded.cell_terms)) for name in asked]

    def _list_failing(self, promise: str) -> list[Value]:
        """List for each instance that from the last world it breaks a promise."""
        bounded, last = self._bounded, self._states[-1]
        promises = find_promises(bounded)
        first = list_looked_at_before(promises, promise)
        failing = []
        for traced in bounded.traced:
            limits = state_limits(bounded, last, traced)
            kept = all_of(*[limits[name] for name in promises[promise] if name in limits])
            kept_first = [limits[name] for name in first if name in limits]
            guard = map(last.translate, traced.guard)
            failing.append(False if kept is True else all_of(*guard, *kept_first, not_(kept)))
        return failing

    def _find_failing(self, name: str, example: Value) -> list[Instance]:
        """Find the instance that breaks a promise in the solver's example."""
        if name not in PROMISES:
            return []
        pairs = zip(self._bounded.instances, self._list_failing(name), strict=True)
        return [instance for instance, fails in pairs if read_value(example, as_term(fails, self._context))][
            :1
        ]

    def _tell(self, name: str, example: Value) -> Story:
        bounded = self._bounded
        worlds = [decode(state, example) for state in self._states]
        if worlds[0] not in bounded.initial:
            raise ImpossibleError("The solver begins a story in a world that is not initial.")
        instances = [find_picked(bounded, picks, example) for picks in self._picks]
        for before, instance, after in zip(worlds, instances, worlds[1:], strict=False):
            replay_step(bounded, before, instance, after)
        failing = self._find_failing(name, example)
        return tell(bounded, worlds[0], [*instances, *failing], about=name)


def make_picks(bounded: BoundedModel, tag: str, context: Value) -> Picks:
    """Make the flags of a step: one for each instance."""
    return tuple(new_flag(Role.PICK, instance.number, tag, context=context) for instance in bounded.instances)


def link(reading: ScopeReading, before: SolverState, picks: Picks, after: SolverState) -> list[Value]:
    """True while one instance happens between two worlds: it is possible, and writes what it writes."""
    said = [as_term(z3.PbEq([(pick, 1) for pick in picks], 1) if picks else False, before.context)]
    values: list[Value] = list(before.cells)
    for pick, traced in zip(picks, reading.traced, strict=True):
        said += [z3.Implies(pick, part) for part in reading.list_conditions(before, traced)]
        for position, value in traced.writes.items():
            values[position] = z3.If(pick, before.translate(value), values[position])
    return said + [cell == value for cell, value in zip(after.cells, values, strict=True)]


def find_picked(bounded: BoundedModel, picks: Picks, example: Value) -> Instance:
    """Find the instance that happens in the solver's example."""
    pairs = zip(picks, bounded.instances, strict=True)
    return next(instance for pick, instance in pairs if z3.is_true(example.eval(pick)))
