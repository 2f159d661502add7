"""Induction in a scope: initial worlds one by one, steps from the traced instances.

A world of the scope is a constant for each cell, within its domain. Where the text of a goal after a step
is the very text before it (terms are hash-consed), nothing is asked.
"""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

import z3

from nomadspec.checkers.smt.algebra import as_term
from nomadspec.checkers.smt.decode import decode, read_value, replay_step
from nomadspec.checkers.smt.limits import list_limits, name_limits, state_limits
from nomadspec.checkers.smt.promise_proofs import find_promise, find_promises, list_looked_at_before, list_met
from nomadspec.checkers.smt.question import Answer, Patience, Reply
from nomadspec.checkers.smt.scope_reading import ScopeReading
from nomadspec.checkers.smt.symbols import Role, new_flag
from nomadspec.checkers.smt.translate import SolverState
from nomadspec.checkers.verdict import InductionGap
from nomadspec.model.errors import ImpossibleError
from nomadspec.model.language.broken_promises import find_failing_step
from nomadspec.model.language.property import Kind
from nomadspec.model.language.story import Moment, Replay
from nomadspec.model.language.term import is_same

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from nomadspec.checkers.smt.induction import Break, Names
    from nomadspec.model.language.bounded import BoundedModel, Cells
    from nomadspec.model.language.logic import Value
    from nomadspec.model.language.trace import Instance, TracedInstance


class BoundedInduction:
    """The questions of an induction in a scope."""

    title = "induction in the scope"
    required: Names = ()

    def __init__(self, bounded: BoundedModel, patience: Patience, known: Names = ()) -> None:
        """Make the unknowns and state each candidate under a label, and what is known to hold everywhere."""
        self._bounded = bounded
        self._patience = patience
        self._reading = ScopeReading(bounded)
        self._promises = find_promises(bounded)
        self._known = tuple(name for name in self._reading.candidates if name in known)
        met = list_met(bounded.frame.schema, known)
        self._limits = tuple(name for name in list_limits(bounded) if name not in met)
        """What could be left: the domains of fields, and the orders of queues."""
        properties = [name for name in self._reading.candidates if name not in known]
        self.candidates = (*self._limits, *properties)
        self._stated: dict[int, dict[str, Value]] = {}
        self.steps = tuple(traced.instance.rule.name for traced in bounded.traced)
        self._state = SolverState(bounded, "before", z3.Context())
        stated = self._reading.candidates
        self._before = {name: self._reading.say(name, bounded.cell_terms) for name in stated}
        self._solver = patience.new_solver(context=self._state.context)
        self._solver.add(*self._reading.list_background(self._state))
        context = self._state.context
        self._labels = {name: new_flag(Role.ASSUME, name, context=context) for name in stated}
        for name, label in self._labels.items():
            self._solver.add(z3.Implies(label, self._state.translate(self._before[name])))
        self._kept = {name: new_flag(Role.ASSUME, name, context=context) for name in self._limits}
        """For each limit the assumption that the step does not leave it."""

    @property
    def is_over(self) -> bool:
        """True if there is no more time to ask."""
        return self._patience.is_over

    def ask_initial(self, candidate: str) -> Reply:
        """Ask whether an initial world lacks the candidate; the interpreter knows.

        It makes no first world that leaves a limit.
        """
        if candidate in self._limits:
            return Reply(Answer.KEPT)
        began = time.perf_counter()
        holds = all(self._reading.say(candidate, cells) for cells in self._bounded.initial)
        return Reply(Answer.KEPT if holds else Answer.BROKEN, time.perf_counter() - began)

    def ask_step(self, step: int, goal: str, assumed: Names) -> Reply:
        """Ask whether an instance, from a world with what is assumed, can break the goal."""
        if goal in self._limits:
            return self._ask_limit(step, goal, assumed)
        after = self._reading.say_after(goal, self._bounded.traced[step])
        if after is True:
            return Reply(Answer.KEPT)
        if goal in assumed and is_same(after, self._before[goal]):
            return Reply(Answer.KEPT, core=frozenset({goal}))
        limits = self._state_limits(step)
        known = [stated for name, stated in limits.items() if name not in self._kept]
        labels = {name: self._kept[name] for name in limits if name in self._kept and name in assumed}
        told = [z3.Implies(label, limits[name]) for name, label in labels.items()]
        denied = z3.Not(self._state.translate(after))
        return self._ask(step, goal, (*known, *told, denied), {**labels, **self._list_labels(assumed)})

    def _ask_limit(self, step: int, limit: str, assumed: Names) -> Reply:
        """Ask whether an instance can leave a limit, and none that is looked at before."""
        if limit not in name_limits(self._bounded, self._bounded.traced[step]):
            return Reply(Answer.KEPT)
        limits = self._state_limits(step)
        first = list_looked_at_before(self._promises, find_promise(self._promises, limit))
        kept = [limits[name] for name in first if name in limits]
        return self._ask(step, limit, (*kept, z3.Not(limits[limit])), self._list_labels(assumed))

    def _ask(self, step: int, goal: str, terms: Sequence[Value], labels: Mapping[str, Value]) -> Reply:
        """Ask whether an instance can happen so that all of this is true."""
        if self._patience.is_over:
            return Reply(Answer.UNKNOWN)
        traced = self._bounded.traced[step]
        self._patience.limit(self._solver)
        self._solver.push()
        self._solver.add(*map(self._state.translate, traced.guard), *terms)
        about = ("scope", goal, self.steps[step], str(step + 1))
        reply = self._patience.ask(self._solver, labels, *about)
        self._solver.pop()
        return replace(reply, example=self._decode(traced, reply.example))

    def _list_labels(self, assumed: Names) -> dict[str, Value]:
        """List the properties that are assumed before a step, with their labels."""
        return {name: self._labels[name] for name in (*self._known, *assumed) if name in self._labels}

    def _state_limits(self, step: int) -> dict[str, Value]:
        if step not in self._stated:
            limits = state_limits(self._bounded, self._state, self._bounded.traced[step])
            context = self._state.context
            self._stated[step] = {name: as_term(stated, context) for name, stated in limits.items()}
        return self._stated[step]

    def explain(self, goal: str, found: Break) -> InductionGap | None:
        """Show the step on which a goal falls, replayed; None where there is none to show."""
        if found.step is None or found.reply.example is None:
            return None
        bounded, traced = self._bounded, self._bounded.traced[found.step]
        instance = traced.instance
        before, claimed = found.reply.example
        if goal in self._limits:
            return self._explain_limit(goal, instance, before)
        if self._leaves_limits(before, instance):
            return None
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

    def _explain_limit(self, limit: str, instance: Instance, before: Cells) -> InductionGap:
        """Show a step that leaves a limit, which the interpreter must refuse for the same reason."""
        bounded = self._bounded
        failure = find_failing_step(bounded, before, instance, ())
        if failure is None or failure.promise != find_promise(self._promises, limit):
            raise ImpossibleError(
                f"The solver says that {instance.rule.name} leaves the {limit}; it does not."
            )
        return InductionGap(
            bounded.describe(before),
            instance.rule.name,
            bounded.label_arguments(instance),
            {},
            Replay(bounded, before, (), failure),
        )

    def _leaves_limits(self, before: Cells, instance: Instance) -> bool:
        """True if the interpreter refuses a step, so that no world shows what it breaks."""
        return find_failing_step(self._bounded, before, instance, ()) is not None

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
