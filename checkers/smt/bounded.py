"""Induction in a scope: initial worlds one by one, steps from the traced instances.

A world of the scope is a constant for each cell, within its domain. Where the text of a property after a
step is the very text before it (terms are hash-consed), nothing is asked.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import z3

from nomadspec.checkers.smt.decode import decode, replay_step
from nomadspec.checkers.smt.question import Answer, Patience, Reply, ask
from nomadspec.checkers.smt.translate import SolverState
from nomadspec.checkers.verdict import InductionGap
from nomadspec.model.errors import ImpossibleError
from nomadspec.model.logic import all_of, any_of
from nomadspec.model.property import By, Kind, Property
from nomadspec.model.term import Term

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nomadspec.checkers.smt.induction import Break, Names
    from nomadspec.model.bounded import BoundedModel
    from nomadspec.model.logic import Value
    from nomadspec.model.trace import TracedInstance
    from nomadspec.model.world import Queue


class BoundedInduction:
    """The questions of an induction in a scope."""

    title = "induction in the scope"

    def __init__(self, bounded: BoundedModel, patience: Patience) -> None:
        """Make the unknowns and state each candidate under a label."""
        self.steps = tuple(traced.instance.rule.name for traced in bounded.traced)
        self._bounded = bounded
        self._patience = patience
        self._state = SolverState(bounded, "before")
        self._properties = {prop.name: prop for prop in bounded.model.list_properties(Kind.ALWAYS, Kind.STEP)}
        self._queues = {name_of_order(queue): queue for queue in bounded.frame.schema.queues}
        self.candidates = (*self._queues, *[p.name for p in bounded.model.list_properties(Kind.ALWAYS)])
        self._before = {name: self._read(name, bounded.cell_terms) for name in self.candidates}
        self._solver = patience.new_solver()
        self._solver.add(*self._state.list_domains())
        self._labels = {name: z3.Bool(f"assume {name}") for name in self._before}
        for name, label in self._labels.items():
            self._solver.add(z3.Implies(label, self._state.translate(self._before[name])))

    def ask_initial(self, candidate: str) -> Reply:
        """Ask whether an initial world lacks the candidate; the interpreter knows."""
        began = time.perf_counter()
        holds = all(self._read(candidate, cells) is True for cells in self._bounded.initial)
        return Reply(Answer.KEPT if holds else Answer.BROKEN, time.perf_counter() - began)

    def ask_step(self, step: int, goal: str, assumed: Names) -> Reply:
        """Ask whether an instance, from a world with what is assumed, can break the goal."""
        traced = self._bounded.traced[step]
        if goal in self._queues:
            after = self._read(goal, traced.after(self._bounded.cell_terms))
        else:
            after = goal_after(self._bounded, self._properties[goal], traced)
        if after is True:
            return Reply(Answer.KEPT)
        if goal in assumed and _is_same(after, self._before[goal]):
            return Reply(Answer.KEPT, core=frozenset({goal}))
        if self._patience.is_over:
            return Reply(Answer.UNKNOWN)
        self._patience.limit(self._solver)
        self._solver.push()
        self._solver.add(*possible(self._state, traced), z3.Not(self._state.translate(after)))
        reply = ask(self._solver, {name: self._labels[name] for name in assumed})
        self._solver.pop()
        return reply

    def explain(self, goal: str, found: Break) -> InductionGap | None:
        """Show the step on which a goal falls, replayed; None where there is none to show."""
        if found.step is None or found.reply.example is None:
            return None
        bounded, prop = self._bounded, self._properties[goal]
        instance = bounded.instances[found.step]
        before = decode(self._state, found.reply.example)
        after = replay_step(bounded, before, instance, None)
        is_kept = (
            bounded.holds_step(prop, before, instance, after)
            if prop.kind is Kind.STEP
            else bounded.holds(prop, after)
        )
        if is_kept:
            raise ImpossibleError(f"The solver says that {instance.rule.name} breaks {goal}; it does not.")
        return InductionGap(
            bounded.describe(before),
            instance.rule.name,
            bounded.label_arguments(instance),
            bounded.describe(after),
        )

    def _read(self, candidate: str, cells: Sequence[Value]) -> Value:
        if candidate in self._queues:
            placed = self._bounded.frame.placed[self._queues[candidate].name]
            return is_in_order(cells[placed.base : placed.base + placed.span])
        return self._properties[candidate](self._bounded.world(cells))


def name_of_order(queue: Queue) -> str:
    """Name the candidate that says that a queue is one."""
    return f"queue {queue.name}"


def is_in_order(ranks: Sequence[Value]) -> Value:
    """Say that ranks make a queue: no two ids share one, and before each but the first there is another."""
    places = range(len(ranks))
    distinct = [
        any_of(ranks[one] == 0, ranks[one] != ranks[other])
        for one in places
        for other in places
        if one < other
    ]
    without_gaps = [
        any_of(ranks[one] <= 1, *[ranks[other] == ranks[one] - 1 for other in places if one != other])
        for one in places
    ]
    return all_of(*distinct, *without_gaps)


def goal_after(bounded: BoundedModel, prop: Property, traced: TracedInstance) -> Value:
    """Give what a property says of the world after an instance, as a term over the cells before it."""
    after = bounded.world(traced.after(bounded.cell_terms))
    if prop.kind is Kind.STEP:
        by = By(traced.instance.rule, traced.instance.arguments)
        return prop(bounded.world(bounded.cell_terms), after, by)
    return prop(after)


def possible(state: SolverState, traced: TracedInstance) -> Sequence[Value]:
    """Say that an instance can happen: its guard holds and it stays within the domains."""
    guard = [state.translate(part) for part in traced.guard]
    inside = [
        state.is_inside(position, state.translate(value))
        for position, value in traced.writes.items()
        if isinstance(value, Term)
    ]
    return guard + inside


def _is_same(left: Value, right: Value) -> bool:
    if isinstance(left, Term) and isinstance(right, Term):
        return left.id == right.id
    return not isinstance(left, Term) and not isinstance(right, Term) and left is right
