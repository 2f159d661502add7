"""Induction in a scope: initial worlds one by one, steps from the traced instances.

A world of the scope is a constant for each cell, within its domain. Where the text of a goal after a step
is the very text before it (terms are hash-consed), nothing is asked.
"""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

import z3

from nomadspec.checkers.smt.decode import decode, read_value, replay_step
from nomadspec.checkers.smt.question import Answer, Patience, Reply
from nomadspec.checkers.smt.scope_reading import ScopeReading
from nomadspec.checkers.smt.translate import SolverState
from nomadspec.checkers.verdict import InductionGap
from nomadspec.model.errors import ImpossibleError
from nomadspec.model.property import Kind
from nomadspec.model.story import Moment, Replay
from nomadspec.model.term import is_same

if TYPE_CHECKING:
    from nomadspec.checkers.smt.induction import Break, Names
    from nomadspec.model.bounded import BoundedModel, Cells
    from nomadspec.model.logic import Value
    from nomadspec.model.trace import Instance, TracedInstance


class BoundedInduction:
    """The questions of an induction in a scope."""

    title = "induction in the scope"
    required: Names = ()

    def __init__(self, bounded: BoundedModel, patience: Patience, known: Names = ()) -> None:
        """Make the unknowns and state each candidate under a label, and what is known to hold everywhere."""
        self._bounded = bounded
        self._patience = patience
        self._reading = ScopeReading(bounded)
        self._known = tuple(name for name in self._reading.candidates if name in known)
        self.candidates = tuple(name for name in self._reading.candidates if name not in known)
        self.steps = tuple(traced.instance.rule.name for traced in bounded.traced)
        self._state = SolverState(bounded, "before", z3.Context())
        stated = self._reading.candidates
        self._before = {name: self._reading.say(name, bounded.cell_terms) for name in stated}
        self._solver = patience.new_solver(context=self._state.context)
        self._solver.add(*self._reading.list_background(self._state))
        self._labels = {name: z3.Bool(f"assume {name}", self._state.context) for name in stated}
        for name, label in self._labels.items():
            self._solver.add(z3.Implies(label, self._state.translate(self._before[name])))

    @property
    def is_over(self) -> bool:
        """Whether there is no more time to ask."""
        return self._patience.is_over

    def ask_initial(self, candidate: str) -> Reply:
        """Ask whether an initial world lacks the candidate; the interpreter knows."""
        began = time.perf_counter()
        holds = all(self._reading.say(candidate, cells) for cells in self._bounded.initial)
        return Reply(Answer.KEPT if holds else Answer.BROKEN, time.perf_counter() - began)

    def ask_step(self, step: int, goal: str, assumed: Names) -> Reply:
        """Ask whether an instance, from a world with what is assumed, can break the goal."""
        traced = self._bounded.traced[step]
        after = self._reading.say_after(goal, traced)
        if after is True:
            return Reply(Answer.KEPT)
        if goal in assumed and is_same(after, self._before[goal]):
            return Reply(Answer.KEPT, core=frozenset({goal}))
        if self._patience.is_over:
            return Reply(Answer.UNKNOWN)
        self._patience.limit(self._solver)
        self._solver.push()
        self._solver.add(
            *self._reading.list_conditions(self._state, traced), z3.Not(self._state.translate(after))
        )
        labels = {name: self._labels[name] for name in (*self._known, *assumed)}
        about = ("scope", goal, self.steps[step], str(step + 1))
        reply = self._patience.ask(self._solver, labels, *about)
        self._solver.pop()
        return replace(reply, example=self._decode(traced, reply.example))

    def explain(self, goal: str, found: Break) -> InductionGap | None:
        """Show the step on which a goal falls, replayed; None where there is none to show."""
        if found.step is None or found.reply.example is None:
            return None
        bounded, traced = self._bounded, self._bounded.traced[found.step]
        instance = traced.instance
        before, claimed = found.reply.example
        after = replay_step(bounded, before, instance, claimed)
        if self._is_kept(goal, before, instance, after):
            raise ImpossibleError(f"The solver says that {instance.rule.name} breaks {goal}; it does not.")
        return InductionGap(
            bounded.describe(before),
            instance.rule.name,
            bounded.label_arguments(instance),
            bounded.describe(after),
            Replay(bounded, before, (Moment(instance, after),)),
        )

    def _decode(self, traced: TracedInstance, example: Value) -> tuple[Cells, Cells] | None:
        """Read the worlds before and after a step off the solver's example."""
        if example is None:
            return None
        before = decode(self._state, example)
        after = list(before)
        for position, value in traced.writes.items():
            after[position] = read_value(example, self._state.translate(value))
        return before, tuple(after)

    def _is_kept(self, goal: str, before: Cells, instance: Instance, after: Cells) -> bool:
        prop = self._bounded.model.find_property(goal)
        if prop.kind is Kind.STEP:
            return self._bounded.holds_step(prop, before, instance, after)
        return self._bounded.holds(prop, after)
