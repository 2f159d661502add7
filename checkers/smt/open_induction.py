"""The questions of an induction over worlds of any size."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Final

import z3

from nomadspec.checkers.smt.algebra import as_term, is_same
from nomadspec.checkers.smt.attempts import (
    Assumed,
    Attempt,
    Counted,
    list_attempts,
    list_brief,
    list_nameless,
    list_rounds,
)
from nomadspec.checkers.smt.counts import are_alike
from nomadspec.checkers.smt.parallel_questions import ask_in_parallel
from nomadspec.checkers.smt.promise_proofs import DOMAIN
from nomadspec.checkers.smt.question import IS_POSSIBLE, Answer, Patience, Reply
from nomadspec.checkers.smt.symbols import Role, new_flag
from nomadspec.model.language.logic import not_
from nomadspec.model.language.sets import Ids

if TYPE_CHECKING:
    from nomadspec.checkers.smt.induction import Names
    from nomadspec.checkers.smt.open_world import OpenStep, OpenWorld
    from nomadspec.checkers.smt.sums import Sum
    from nomadspec.model.language.logic import Value

_VACUITY_SHARE: Final = 0.05
"""Only a contradiction counts here, and those are found at once."""

_BATCH: Final = 8
"""One process is asked of so many rules whether they are possible: less work than to start it."""


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
        self._counts: dict[str, tuple[Sum, ...]] = {}
        """The counts of which each candidate speaks."""
        world.frame.binder.take_counts()
        for name in self.candidates:
            state, self._reads[name] = world.before.watched()
            self._before[name] = world.state_candidate(name, state)
            self._counts[name] = tuple(world.frame.binder.take_counts().values())
        self._changes = tuple(step.after.list_changes(world.before) for step in world.steps)
        self._context = world.frame.context
        self._labels = {name: new_flag(Role.ASSUME, name, context=self._context) for name in self.candidates}
        self._said = {
            name: z3.Implies(label, as_term(self._before[name], self._context))
            for name, label in self._labels.items()
        }
        """What each candidate says where it is assumed."""

    @property
    def is_over(self) -> bool:
        """True if there is no more time to ask."""
        return self._patience.is_over

    def ask_initial(self, candidate: str) -> Reply:
        """Ask whether an initial world lacks the candidate."""
        replies = [
            self._ask(
                (candidate, "start", str(number)),
                (*start.premises, *start.definitions, self._deny(self._world.state_goal(candidate, start))),
                Attempt((), (), 1.0),
            )
            for number, start in enumerate(self._world.starts, 1)
        ]
        kept = Reply(Answer.KEPT, sum(reply.seconds for reply in replies))
        return next((reply for reply in replies if reply.answer is not Answer.KEPT), kept)

    def ask_step(self, step: int, goal: str, assumed: Names) -> Reply:
        """Ask whether a step from a world with what is assumed can break the goal."""
        taken = self._world.steps[step]
        if (
            goal in assumed
            and goal not in taken.obligations
            and self._changes[step].isdisjoint(self._reads[goal])
        ):
            return Reply(Answer.KEPT, core=frozenset({goal}))
        stated, goal_counts = self._world.state_counted(goal, taken)
        if stated is True:
            return Reply(Answer.KEPT)
        if goal in assumed and is_same(stated, self._before[goal]):
            return Reply(Answer.KEPT, core=frozenset({goal}))
        terms = (*taken.premises, self._deny(stated))
        about = (goal, self.steps[step], str(step + 1))
        reply = Reply(Answer.UNKNOWN)
        counted = Counted(goal_counts, tuple(taken.counts.values()), named=_list_named(taken))
        lemmas = self._choose_lemmas(goal, taken, counted.own, assumed)
        lent, reasons = (
            [count for name in names for count in self._counts[name]]
            for names in (lemmas.speaking, lemmas.named)
        )
        attempts = list_attempts(replace(counted, lent=lent, reasons=reasons), lemmas)
        if goal.startswith(DOMAIN):
            near = [count for name in lemmas.near for count in self._counts[name]]
            brief = list_brief(lemmas, near)
            attempts = chain(brief, attempts) if counted.own else brief
        if taken.definitions:
            attempts = chain(list_nameless(counted, lemmas), attempts)
        for attempt in list_rounds(attempts):
            told = (*terms, *taken.definitions) if attempt.knows_names else terms
            reply = self._ask(about, told, attempt)
            if reply.answer is Answer.KEPT:
                break
        return reply

    def _choose_lemmas(self, goal: str, taken: OpenStep, counts: tuple[Sum, ...], assumed: Names) -> Assumed:
        """Choose what may help; what speaks of pairs that are counted here as well may help with counts."""
        reads = self._reads.get(goal, set())
        pairs = [count for count in counts if len(count.sets) > 1]
        near = {name for name in assumed if self._reads[name] <= taken.touched | reads}
        met = {name for name in assumed if not self._reads[name].isdisjoint(reads)}
        speaking = {
            name
            for name in assumed
            if any(are_alike(one, other) for one in self._counts[name] for other in pairs)
        }

        def keep(names: set[str]) -> Names:
            return tuple(name for name in assumed if name in names)

        written = tuple(name for name in assumed if not name.startswith(DOMAIN))
        reasons = set(self._world.list_reasons(goal))
        if reasons:
            reasons |= {goal, *self.required, *self._world.list_absent(taken.touched)}
        return Assumed(keep(near), keep(near | met), written, keep(near | speaking), assumed, keep(reasons))

    def list_impossible(self, proved: Names) -> tuple[str, ...]:
        """List the rules that contradict what was proved: they never happen, or are read wrongly."""
        assumed = tuple(name for name in proved if name in self._before)
        rules = tuple(dict.fromkeys(self.steps))
        batches = [rules[place : place + _BATCH] for place in range(0, len(rules), _BATCH)]
        choose = partial(self._choose_impossible, assumed)
        with closing(ask_in_parallel(choose, batches, self._patience.workers)) as answered:
            found = {rule for _, impossible in answered for rule in impossible or ()}
        return tuple(rule for rule in rules if rule in found)

    def _choose_impossible(self, assumed: Names, rules: Names) -> Names:
        return tuple(rule for rule in rules if self._is_impossible(assumed, rule))

    def _is_impossible(self, assumed: Names, rule: str) -> bool:
        attempt = Attempt((), assumed, _VACUITY_SHARE, recalls_only=True)
        return all(
            self._ask((IS_POSSIBLE, rule, str(number)), (*step.premises, *step.definitions), attempt).answer
            is Answer.KEPT
            for number, (name, step) in enumerate(zip(self.steps, self._world.steps, strict=True), 1)
            if name == rule
        )

    def _deny(self, stated: Value) -> Value:
        return as_term(not_(stated), self._context)

    def _ask(self, about: Names, terms: tuple[Value, ...], attempt: Attempt) -> Reply:
        if self._patience.is_over:
            return Reply(Answer.UNKNOWN)
        solver = self._patience.new_solver(share=attempt.share, context=self._context, turn=attempt.turn)
        if attempt.recalls_only:
            solver.set("mbqi", False)  # noqa: FBT003 -- how z3 takes its parameters
        if attempt.recalls_by_two:
            solver.set("qi.max_multi_patterns", 2)
        solver.add(*self._world.background, *terms, *attempt.told)
        solver.add(*[self._said[name] for name in attempt.assumed])
        labels = {name: self._labels[name] for name in attempt.assumed}
        return replace(self._patience.ask(solver, labels, "any number", *about), example=None)


def _list_named(step: OpenStep) -> dict[str, list[Value]]:
    """List for each set the members that a rule is about."""
    named: dict[str, list[Value]] = {}
    if step.by is not None:
        for (_, spec), value in zip(step.by.rule.arguments, step.by.arguments, strict=True):
            if isinstance(spec, Ids) and z3.is_expr(value):
                named.setdefault(spec.name, []).append(value)
    return named
