"""Questions to the solver: how long it may think, and what it answered.

A question is whether something can be. Kept means that it cannot; the assumptions that this took are the
core. Seeds are fixed, and examples are looked for in a context of their own, so an answer repeats. Who wants
to see every question as it was asked hands over ledgers.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Final, Protocol

import z3

if TYPE_CHECKING:
    from nomadspec.model.language.logic import Value

SEED: Final = 1
"""What the solver's random choices begin with, unless somebody says otherwise."""

IS_POSSIBLE: Final = "is possible"
"""What a question is about that no proof needs: a rule that can never happen would be read wrongly."""

_NEXT_TURN: Final = 1000
_SEEDS: Final = 2**31
_STEPS_A_SECOND: Final = 3_000_000
"""What z3 counts in a second on a quiet machine. It, and not a clock, says when a question is given up."""
_SLOWEST: Final = 600.0
"""How many times slower a machine may be before its clock decides: one that does much else is 30 times."""


class Answer(Enum):
    """What the solver says of a step: it keeps a property, breaks it, or nobody knows."""

    KEPT = "kept"
    BROKEN = "broken"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer, what it took, and for a break the solver's example."""

    answer: Answer
    seconds: float = 0.0
    core: frozenset[str] = frozenset()
    """The names of the assumptions that were used."""
    example: Value = None


class Ledger(Protocol):
    """Who is shown every question."""

    def note(self, about: Sequence[str], terms: Sequence[Value], answer: Answer) -> None:
        """Take down what was asked about something: whether all these terms can be, and what came out."""
        ...


@dataclass(frozen=True, slots=True)
class Asking:
    """How questions are asked: what random choices begin with, and who is shown each question."""

    seed: int = SEED
    ledgers: tuple[Ledger, ...] = ()
    workers: int | None = None
    """How many processes ask at once; None where this one asks everything."""


class Patience:
    """How long a whole attempt may take, and each question in it."""

    def __init__(
        self, max_seconds: float | None, question_seconds: float, asking: Asking | None = None
    ) -> None:
        """Start the clock."""
        self._question_seconds = question_seconds
        self._asking = asking or Asking()
        self._until = None if max_seconds is None else time.monotonic() + max_seconds

    @property
    def workers(self) -> int | None:
        """Give how many processes ask at once; None where this one asks all, as it does for ledgers."""
        return None if self._asking.ledgers else self._asking.workers

    @property
    def is_over(self) -> bool:
        """True if the time of the whole attempt is used up."""
        return self._until is not None and time.monotonic() >= self._until

    def new_solver(self, *, share: float = 1.0, context: Value = None, turn: int = 0) -> Value:
        """Make a solver that thinks no longer than a share of what a question may take.

        In each turn at the same question its random choices begin with something else.
        """
        solver = z3.Solver(ctx=context)
        solver.set("random_seed", (self._asking.seed + turn * _NEXT_TURN) % _SEEDS)
        solver.set("ctrl_c", False)  # noqa: FBT003 -- how z3 takes its parameters
        self.limit(solver, share=share)
        return solver

    def limit(self, solver: Value, *, share: float = 1.0) -> None:
        """Give a solver what it may do for its next question: so many steps, which are the same anywhere."""
        seconds = self._question_seconds * share
        solver.set("rlimit", max(1, round(seconds * _STEPS_A_SECOND)))
        left = seconds * _SLOWEST
        if self._until is not None:
            left = min(left, self._until - time.monotonic())
        solver.set("timeout", max(1, round(left * 1000)))

    def ask(self, solver: Value, labels: Mapping[str, Value], *about: str) -> Reply:
        """Ask as ``ask`` does, and show the question to the ledgers; ``about`` tells it from others."""
        reply = ask(solver, labels)
        if self._asking.ledgers:
            self.note(about, [*solver.assertions(), *labels.values()], reply.answer)
        return reply

    def note(self, about: Sequence[str], terms: Sequence[Value], answer: Answer) -> None:
        """Show the ledgers a question that was asked in parts."""
        for ledger in self._asking.ledgers:
            ledger.note(about, terms, answer)


def ask(solver: Value, labels: Mapping[str, Value]) -> Reply:
    """Ask whether what the solver holds can be, under labelled assumptions."""
    names = {label.get_id(): name for name, label in labels.items()}
    began = time.perf_counter()
    verdict = solver.check(*labels.values())
    seconds = time.perf_counter() - began
    if verdict == z3.unsat:
        return Reply(Answer.KEPT, seconds, frozenset(names[label.get_id()] for label in solver.unsat_core()))
    if verdict == z3.sat:
        return Reply(Answer.BROKEN, seconds, example=solver.model())
    return Reply(Answer.UNKNOWN, seconds)
