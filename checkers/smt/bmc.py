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
from nomadspec.checkers.smt.question import Answer, Patience, Reply
from nomadspec.checkers.smt.scope_reading import ScopeReading
from nomadspec.checkers.smt.translate import SolverState
from nomadspec.model.claim import tell
from nomadspec.model.errors import ImpossibleError
from nomadspec.model.logic import any_of
from nomadspec.model.property import Kind, Property

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nomadspec.checkers.progress import Progress
    from nomadspec.model.bounded import BoundedModel
    from nomadspec.model.logic import Value
    from nomadspec.model.story import Story
    from nomadspec.model.trace import Instance

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

    def find_stories(
        self, properties: Sequence[Property], max_steps: int, progress: Progress
    ) -> dict[str, Story]:
        """Find a shortest story against each property, as far as there is one of at most so many steps."""
        found: dict[str, Story] = {}
        for length in range(max_steps + 1):
            progress.update("bounded search, steps", length, max_steps)
            if length:
                self._extend()
            broken = {prop: self._is_broken(prop) for prop in properties if prop.name not in found}
            found |= self._find_broken(broken, LENGTH_SHARE)
            if len(found) == len(properties) or self._patience.is_over:
                break
        return found

    def _find_broken(self, broken: dict[Property, Value], share: float) -> dict[str, Story]:
        """Ask for all properties at once, then again for those that the example does not break."""
        found: dict[str, Story] = {}
        while broken and not self._patience.is_over:
            names = " or ".join(prop.name for prop in broken)
            reply = self._ask(names, any_of(*broken.values()), share)
            if reply.answer is Answer.UNKNOWN and len(broken) > 1:
                part = share / len(broken)
                singly = [self._find_broken({prop: term}, part) for prop, term in broken.items()]
                return found | {name: story for stories in singly for name, story in stories.items()}
            if reply.answer is not Answer.BROKEN:
                break
            shown = [prop for prop, term in broken.items() if read_value(reply.example, term)]
            found |= {prop.name: self._tell(prop, reply.example) for prop in shown}
            broken = {prop: term for prop, term in broken.items() if prop not in shown}
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

    def _is_broken(self, prop: Property) -> Value:
        bounded = self._bounded
        if prop.kind is Kind.ALWAYS:
            last = self._states[-1]
            return z3.Not(last.translate(self._reading.say(prop.name, bounded.cell_terms)))
        if not self._picks:
            return as_term(value=False, context=self._context)
        before = self._states[-2]
        breaks = [
            z3.And(pick, z3.Not(before.translate(self._reading.say_after(prop.name, traced))))
            for pick, traced in zip(self._picks[-1], bounded.traced, strict=True)
        ]
        return as_term(any_of(*breaks), self._context)

    def _tell(self, prop: Property, example: Value) -> Story:
        bounded = self._bounded
        worlds = [decode(state, example) for state in self._states]
        if worlds[0] not in bounded.initial:
            raise ImpossibleError("The solver begins a story in a world that is not initial.")
        instances = [find_picked(bounded, picks, example) for picks in self._picks]
        for before, instance, after in zip(worlds, instances, worlds[1:], strict=False):
            replay_step(bounded, before, instance, after)
        return tell(bounded, worlds[0], instances, about=prop.name)


def make_picks(bounded: BoundedModel, tag: str, context: Value) -> Picks:
    """Make the flags of a step: one for each instance."""
    return tuple(z3.Bool(f"pick {instance.number}@{tag}", context) for instance in bounded.instances)


def link(reading: ScopeReading, before: SolverState, picks: Picks, after: SolverState) -> list[Value]:
    """Say that one instance happens between two worlds: it is possible, and writes what it writes."""
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
