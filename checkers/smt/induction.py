"""The largest inductive set of candidates: start with all, drop what some step breaks, until none does.

A candidate is dropped when an initial world lacks it, or when a step from a world with every candidate that
is still in leads to one without it. What remains holds in every reachable world, since each was kept under
the others. Cores say which others: when candidates are dropped, only answers that leaned on them are asked
again.

All candidates of a round are asked side by side, under what was still in when it began, a few in each
process. So who is dropped does not depend on how many processes there are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from typing import Final, Protocol

from nomadspec.checkers.progress import Progress
from nomadspec.checkers.smt.parallel_questions import ask_in_parallel
from nomadspec.checkers.smt.question import Answer, Reply
from nomadspec.checkers.stopping import interruptible

Names = tuple[str, ...]
Rows = tuple[str, tuple[int, ...]]
"""A goal, and the steps that are asked whether they keep it."""

_STEPS_A_PROCESS: Final = 24
"""How many steps one process is asked of, unless one goal has more: to begin one takes as long as some."""


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

    @property
    def is_over(self) -> bool:
        """True if there is no more time to ask."""
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
    is_interrupted: bool = False
    """Whether Ctrl-C ended it before everything was asked."""

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


def find_inductive(
    induction: Induction,
    goals: Sequence[str],
    progress: Progress,
    *,
    wanted: Collection[str] | None = None,
    workers: int | None = None,
) -> Inductive:
    """Find the largest inductive set of the candidates, and the goals (about steps) that follow from it.

    Where only some candidates are wanted, others are asked as far as something leans on them. With workers
    each is asked in a process of its own, so many at once.
    """
    run = _Run(induction, progress, workers)
    is_interrupted = False
    try:
        with interruptible():
            run.settle([name for name in induction.candidates if wanted is None or name in wanted], goals)
    except KeyboardInterrupt:
        is_interrupted = True
    closed = run.list_closed()
    proved = tuple(name for name in (*induction.candidates, *goals) if name in closed)
    return Inductive(induction.steps, proved, run.initial, run.replies, run.breaks, is_interrupted)


class _Run:
    """The candidates that are still in, and what was answered so far."""

    def __init__(self, induction: Induction, progress: Progress, workers: int | None) -> None:
        self._induction = induction
        self._progress = progress
        self._workers = workers
        self._steps = tuple(range(len(induction.steps)))
        self._kept: tuple[str, ...] = ()
        self._asked: set[str] = set()
        self.initial: dict[str, Reply] = {}
        self.replies: dict[tuple[int, str], Reply] = {}
        self.breaks: dict[str, Break] = {}

    def settle(self, wanted: Sequence[str], goals: Sequence[str]) -> None:
        """Drop what a step breaks, and ask again what leaned on it; stop once something required falls."""
        self._begin()
        waiting = self._list_new((*self._induction.required, *wanted, *goals))
        while waiting and self._has_required() and not self._induction.is_over:
            self._ask(waiting)
            dropped = {name for name in self._kept if name in self.breaks}
            self._kept = tuple(name for name in self._kept if name not in dropped)
            cited = set[str]().union(*self._find_cores().values())
            new = [name for name in self._kept if name in cited]
            waiting = [*self._list_doubtful(dropped), *self._list_new(new)]

    def list_closed(self) -> set[str]:
        """List what every step keeps and what leans on nothing else; nothing without what is required."""
        rows = Counter(name for _, name in self.replies)
        closed = {name for name in self._asked - self.breaks.keys() if rows[name] == len(self._steps)}
        cores = self._find_cores()
        while weak := {name for name in closed if not cores.get(name, set()) <= closed}:
            closed -= weak
        return closed if closed.issuperset(self._induction.required) else set()

    def _find_cores(self) -> dict[str, set[str]]:
        """Find for each that is still in on which candidates its answers lean."""
        cores: dict[str, set[str]] = {}
        for (_, name), reply in self.replies.items():
            if reply.core and name not in self.breaks:
                cores.setdefault(name, set()).update(reply.core & self.initial.keys())
        return cores

    def _begin(self) -> None:
        for name in self._induction.candidates:
            self.initial[name] = self._induction.ask_initial(name)
            if self.initial[name].answer is not Answer.KEPT:
                self.breaks[name] = Break(None, self.initial[name])
        self._kept = tuple(name for name in self.initial if name not in self.breaks)

    def _has_required(self) -> bool:
        return self.breaks.keys().isdisjoint(self._induction.required)

    def _list_new(self, names: Iterable[str]) -> list[Rows]:
        """List the rows of what was not asked yet."""
        new = [name for name in dict.fromkeys(names) if name not in self._asked and name not in self.breaks]
        self._asked.update(new)
        return [(name, self._steps) for name in new]

    def _list_doubtful(self, dropped: set[str]) -> list[Rows]:
        """List the rows that leaned on what was dropped."""
        doubtful: dict[str, list[int]] = {}
        for (step, name), reply in sorted(self.replies.items()):
            if name not in self.breaks and not dropped.isdisjoint(reply.core):
                doubtful.setdefault(name, []).append(step)
        return [(name, tuple(steps)) for name, steps in doubtful.items()]

    def _ask(self, questions: Sequence[Rows]) -> None:
        """Ask rows, goal by goal, under what is in."""
        ask = partial(_ask_bundle, self._induction, self._kept)
        bundles = _bundle(questions, 0 if self._workers is None else _STEPS_A_PROCESS)
        with closing(ask_in_parallel(ask, bundles, self._workers)) as answered:
            for bundle, answers in answered:
                for (goal, steps), replies in zip(bundle, answers or _lose(bundle), strict=True):
                    self._take(goal, steps, replies)
                    if not self._has_required():
                        return

    def _take(self, goal: str, steps: Sequence[int], replies: Iterable[Reply]) -> None:
        for step, reply in zip(steps, replies, strict=False):
            self.replies[step, goal] = reply
            if reply.answer is not Answer.KEPT:
                self.breaks[goal] = Break(step, reply)
        expected = max(len(self._asked) * len(self._steps), len(self.replies))
        self._progress.update(self._induction.title, len(self.replies), expected)


def _bundle(questions: Iterable[Rows], most: int) -> list[list[Rows]]:
    """Put goals together in their order, as long as they have no more steps than that."""
    bundles: list[list[Rows]] = []
    steps = 0
    for question in questions:
        steps += len(question[1])
        if not bundles or steps > most:
            bundles.append([])
            steps = len(question[1])
        bundles[-1].append(question)
    return bundles


def _ask_bundle(induction: Induction, assumed: Names, bundle: Iterable[Rows]) -> list[list[Reply]]:
    """Ask one goal after the other."""
    return [_ask_rows(induction, assumed, rows) for rows in bundle]


def _lose(bundle: Iterable[Rows]) -> list[list[Reply]]:
    """Make the answers of a process that was lost."""
    return [[Reply(Answer.UNKNOWN)] for _ in bundle]


def _ask_rows(induction: Induction, assumed: Names, rows: Rows) -> list[Reply]:
    """Ask steps whether they keep a goal, until one does not."""
    goal, steps = rows
    replies: list[Reply] = []
    for step in steps:
        replies.append(induction.ask_step(step, goal, assumed))
        if replies[-1].answer is not Answer.KEPT:
            break
    return replies
