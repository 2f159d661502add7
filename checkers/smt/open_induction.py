"""The questions of an induction over worlds of any size."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, TypeAlias

import z3

from nomadspec.checkers.smt.algebra import as_term, is_same
from nomadspec.checkers.smt.counts import list_count_facts
from nomadspec.checkers.smt.open_world import DOMAIN
from nomadspec.checkers.smt.question import Answer, Patience, Reply
from nomadspec.model.logic import not_

if TYPE_CHECKING:
    from nomadspec.checkers.smt.induction import Names
    from nomadspec.checkers.smt.open_world import OpenWorld
    from nomadspec.checkers.smt.sums import Sum
    from nomadspec.model.logic import Value

_NEAR_SHARE: Final = 0.2
"""What a step and a goal speak of most often decides; the rest is only assumed where that is not enough."""
_COUNTS_SHARE: Final = 0.5
"""What is known of counts helps few questions, and makes the others longer."""
_VACUITY_SHARE: Final = 0.1
"""Only a contradiction counts here, and those are found at once."""


Attempt: TypeAlias = "tuple[tuple[Value, ...], Names, float]"
"""What to tell the solver beside the step and the goal, what to assume, and how long it may think."""


class OpenInduction:
    """Asks about initial worlds and steps of an open world, each time with a new solver.

    What breaks here may not be so: sums over sets are unknowns, and a world may be unreachable. So only
    what is kept counts, and a property that falls here is asked again in a scope.
    """

    title = "induction for any number"

    def __init__(self, world: OpenWorld, patience: Patience) -> None:
        """State every candidate of the world before a step."""
        self._world = world
        self._patience = patience
        self.candidates = world.candidates
        self.required = world.orders
        self.steps = tuple(step.by.rule.name for step in world.steps if step.by is not None)
        self._before: dict[str, Value] = {}
        self._reads: dict[str, set[str]] = {}
        for name in self.candidates:
            state, self._reads[name] = world.before.watched()
            self._before[name] = world.state_candidate(name, state)
        self._changes = tuple(step.after.list_changes(world.before) for step in world.steps)
        self._context = world.frame.context
        self._labels = {name: z3.Bool(f"assume {name}", self._context) for name in self.candidates}

    def ask_initial(self, candidate: str) -> Reply:
        """Ask whether an initial world lacks the candidate."""
        replies = [
            self._ask(
                (candidate, "start", str(number)),
                (*start.premises, self._deny(self._world.state_goal(candidate, start))),
                (),
            )
            for number, start in enumerate(self._world.starts, 1)
        ]
        kept = Reply(Answer.KEPT, sum(reply.seconds for reply in replies))
        return next((reply for reply in replies if reply.answer is not Answer.KEPT), kept)

    def ask_step(self, step: int, goal: str, assumed: Names) -> Reply:
        """Ask whether a step from a world with what is assumed can break the goal."""
        taken = self._world.steps[step]
        if goal in assumed and goal not in taken.duties and self._changes[step].isdisjoint(self._reads[goal]):
            return Reply(Answer.KEPT, core=frozenset({goal}))
        stated, counts = self._world.state_counted(goal, taken)
        if stated is True:
            return Reply(Answer.KEPT)
        if goal in assumed and is_same(stated, self._before[goal]):
            return Reply(Answer.KEPT, core=frozenset({goal}))
        terms = (*taken.premises, self._deny(stated))
        near = tuple(
            name for name in assumed if self._reads[name] <= taken.touched | self._reads.get(goal, set())
        )
        about = (goal, self.steps[step], str(step + 1))
        reply = Reply(Answer.UNKNOWN)
        attempts = (
            _list_brief(near, assumed) if goal.startswith(DOMAIN) else _list_attempts(counts, near, assumed)
        )
        for told, lemmas, share in attempts:
            reply = self._ask(about, (*terms, *told), lemmas, share)
            if reply.answer is Answer.KEPT:
                break
        return reply

    def list_impossible(self, proved: Names) -> tuple[str, ...]:
        """List the rules that contradict what was proved: they never happen, or are read wrongly."""
        assumed = tuple(name for name in proved if name in self._before)
        possible: dict[str, bool] = {}
        for number, (rule, step) in enumerate(zip(self.steps, self._world.steps, strict=True), 1):
            if not possible.get(rule, False):
                about = ("is possible", rule, str(number))
                reply = self._ask(about, step.premises, assumed, share=_VACUITY_SHARE)
                possible[rule] = reply.answer is not Answer.KEPT
        return tuple(rule for rule, is_possible in possible.items() if not is_possible)

    def _deny(self, stated: Value) -> Value:
        return as_term(not_(stated), self._context)

    def _ask(self, about: Names, terms: tuple[Value, ...], assumed: Names, share: float = 1.0) -> Reply:
        if self._patience.is_over:
            return Reply(Answer.UNKNOWN)
        solver = self._patience.new_solver(share=share, context=self._context)
        solver.add(*self._world.background, *terms)
        for name in assumed:
            solver.add(z3.Implies(self._labels[name], as_term(self._before[name], self._context)))
        labels = {name: self._labels[name] for name in assumed}
        return self._patience.ask(solver, labels, "any number", *about)


def _list_brief(near: Names, assumed: Names) -> Iterator[Attempt]:
    """List what to tell the solver of a domain: it follows soon, or is not worth the time."""
    yield (), near, _NEAR_SHARE
    yield (), assumed, _NEAR_SHARE


def _list_attempts(counts: tuple[Sum, ...], near: Names, assumed: Names) -> Iterator[Attempt]:
    """List what to tell the solver, the least first: what is known of counts only where it may help."""
    yield (), near, _NEAR_SHARE
    facts = tuple(list_count_facts(counts))
    if facts:
        yield facts, near, _COUNTS_SHARE
    yield (), assumed, _COUNTS_SHARE if facts else 1.0
    if facts:
        yield facts, assumed, 1.0
