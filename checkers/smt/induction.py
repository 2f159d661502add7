"""The largest inductive set of candidates: start with all, drop what some step breaks, until none does.

A candidate is dropped when an initial world lacks it, or when a step from a world with every candidate that
is still in leads to one without it. What remains holds in every reachable world, since each was kept under
the others. Cores say which others: when a candidate is dropped, only answers that leaned on it are asked
again.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from nomadspec.checkers.progress import Progress
from nomadspec.checkers.smt.question import Answer, Reply

Names = tuple[str, ...]


class Induction(Protocol):
    """Who asks the solver about initial worlds and about steps, in a scope or in an open world."""

    @property
    def title(self) -> str:
        """What it does, for those who watch."""
        ...

    @property
    def candidates(self) -> Names:
        """What could be invariant."""
        ...

    @property
    def required(self) -> Names:
        """The candidates without which nothing is proved."""
        ...

    @property
    def steps(self) -> Names:
        """The rule of each step."""
        ...

    def ask_initial(self, candidate: str) -> Reply:
        """Ask whether an initial world lacks the candidate."""
        ...

    def ask_step(self, step: int, goal: str, assumed: Names) -> Reply:
        """Ask whether a step from a world with what is assumed can break the goal."""
        ...


@dataclass(frozen=True, slots=True)
class Break:
    """Where a candidate or a step property falls: a step (None for the initial worlds) and the reply."""

    step: int | None
    reply: Reply


@dataclass(frozen=True, slots=True)
class Inductive:
    """What is inductive together, why each step keeps it, and why the rest is not."""

    rules: Names
    """The rule of each step."""
    proved: Names
    """The candidates that are inductive together, and goals that follow; none without what is required."""
    initial: Mapping[str, Reply]
    replies: Mapping[tuple[int, str], Reply]
    breaks: Mapping[str, Break]

    def lemmas_of(self, *goals: str) -> frozenset[str]:
        """List the candidates that the proofs of some goals lean on, directly or through others."""
        found = set(goals)
        pending = list(goals)
        while pending:
            leans_on = self._cores_of(pending.pop()) - found
            found |= leans_on
            pending.extend(leans_on)
        return frozenset(found) - {goals[0]}

    def replies_by_rule(self, goal: str) -> dict[str, list[Reply]]:
        """List what was answered of a goal, rule by rule; the break last."""
        found: dict[str, list[Reply]] = {}
        for (step, name), reply in self.replies.items():
            if name == goal:
                found.setdefault(self.rules[step], []).append(reply)
        return found

    def _cores_of(self, goal: str) -> frozenset[str]:
        cores = (reply.core for (_, name), reply in self.replies.items() if name == goal)
        return frozenset[str]().union(*cores)


def find_inductive(induction: Induction, goals: Sequence[str], progress: Progress) -> Inductive:
    """Find the largest inductive set of the candidates, then the goals (about steps) that follow from it."""
    run = _Run(induction, progress, len(induction.candidates) + len(goals))
    proved: list[str] = []
    if run.weed_out():
        proved = [*run.kept, *[goal for goal in goals if run.prove_goal(goal)]]
    return Inductive(induction.steps, tuple(proved), run.initial, run.replies, run.breaks)


class _Run:
    """The candidates that are still in, and what was answered so far."""

    def __init__(self, induction: Induction, progress: Progress, width: int) -> None:
        self._induction = induction
        self._progress = progress
        self._expected = len(induction.steps) * width
        self.initial = {name: induction.ask_initial(name) for name in induction.candidates}
        self.kept = [name for name, reply in self.initial.items() if reply.answer is Answer.KEPT]
        self.replies: dict[tuple[int, str], Reply] = {}
        self.breaks = {
            name: Break(None, reply) for name, reply in self.initial.items() if name not in self.kept
        }

    def weed_out(self) -> bool:
        """Drop what a step breaks, and ask again what leaned on it; stop once something required falls."""
        pending = deque((step, name) for step in range(len(self._induction.steps)) for name in self.kept)
        while pending and self.breaks.keys().isdisjoint(self._induction.required):
            step, name = pending.popleft()
            if name in self.breaks or self._is_kept(step, name):
                continue
            self.kept.remove(name)
            pending.extend(
                key for key, reply in self.replies.items() if name in reply.core and key[1] in self.kept
            )

        return self.breaks.keys().isdisjoint(self._induction.required)

    def prove_goal(self, goal: str) -> bool:
        """Ask every step whether it keeps a goal, until one does not."""
        return all(self._is_kept(step, goal) for step in range(len(self._induction.steps)))

    def _is_kept(self, step: int, name: str) -> bool:
        reply = self._induction.ask_step(step, name, tuple(self.kept))
        self.replies[step, name] = reply
        self._progress.update(self._induction.title, len(self.replies), self._expected)
        if reply.answer is not Answer.KEPT:
            self.breaks[name] = Break(step, reply)
        return reply.answer is Answer.KEPT
