"""A scheduler's call that stops at each plan: what it asks of its planner, one request after the other.

A call is a value: it says what was asked and answered so far. To go on with one its scheduler is called
anew with the answers at hand; it asks the same again, since it draws from the same choices, and goes one plan
further. That way is spared where the scheduler still waits at that plan, which it does for the first who goes
on.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
from msgspec.structs import replace

from nomadspec.model.cluster.entities import Evaluation, Plan
from nomadspec.model.cluster.memo import NoValue
from nomadspec.model.cluster.scheduler import attempts
from nomadspec.model.cluster.scheduler.choices import FreeChoices, IdKind
from nomadspec.model.cluster.scheduler.context import FOR_EVERY_NODE
from nomadspec.model.cluster.scheduler.outcome import Answer, Asking, Outcome
from nomadspec.model.cluster.scheduler.reasons import ReasonLog
from nomadspec.model.cluster.scheduler.schedule import process
from nomadspec.model.cluster.scheduler.snapshot import Snapshot
from nomadspec.model.errors import ImpossibleError
from nomadspec.model.specification.profiles import Profile


class Create(msgspec.Struct, frozen=True, tag=True):
    """Write a new evaluation."""

    evaluation: Evaluation


class Update(msgspec.Struct, frozen=True, tag=True):
    """Write how an evaluation ended."""

    evaluation: Evaluation


class Reblock(msgspec.Struct, frozen=True, tag=True):
    """Hand an evaluation back to the blocked ones."""

    evaluation: Evaluation


class Submit(msgspec.Struct, frozen=True, tag=True):
    """Hand over a plan."""

    plan: Plan


class Waiting(NoValue):
    """A scheduler that waits at a plan, for the first who has an answer; it is no part of a call's value."""

    __slots__ = ("_held",)

    def __init__(self, asking: Asking[Outcome] | None = None, planner: _Planner | None = None) -> None:
        """Hold a scheduler and the planner that it asks; nothing where none waits."""
        self._held = None if asking is None or planner is None else (asking, planner)

    def take(self) -> tuple[Asking[Outcome], _Planner] | None:
        """Give it away; None where none waits any more."""
        held, self._held = self._held, None
        return held


Effect = Create | Update | Reblock | Submit


class Call(msgspec.Struct, frozen=True, kw_only=True):
    """A call of a scheduler under way.

    Spec: WORKER-10, GENERIC-09.
    """

    snapshot: Snapshot
    evaluation: Evaluation
    now_ns: int
    """When it began, which is its now until the end."""
    number: int
    """The number of the delivery, from which the IDs and the choices of the call follow."""
    seed: int
    profile: Profile
    answers: tuple[Answer, ...] = ()
    done: int = 0
    """How many requests were granted."""
    todo: tuple[Effect, ...] = ()
    """The requests that come next, the last of them a plan unless the call ends with them."""
    error: str = ""
    """Why the call ended early."""
    waiting: Waiting = msgspec.field(default_factory=Waiting)

    @property
    def is_over(self) -> bool:
        """True while nothing is left to ask, what was asked for before a scheduler broke off included."""
        return not self.todo


def begin_call(call: Call) -> Call:
    """Run a scheduler up to its first plan, or to its end.

    Spec: WORKER-03, WORKER-07.
    """
    return _replay(call)


def grant(call: Call) -> Call:
    """Go on to the next request after one that was granted, unless that was a plan."""
    return replace(call, done=call.done + 1, todo=call.todo[1:])


def refuse(call: Call, reason: str) -> Call:
    """End a call one of whose requests was refused.

    A scheduler that places on every node goes on without an evaluation that should have waited for room.

    Spec: GENERIC-03, SYSTEM-07, SYSTEM-31.
    """
    if call.evaluation.type in FOR_EVERY_NODE and any(isinstance(asked, Create) for asked in call.todo[:1]):
        return grant(call)
    return replace(call, todo=(), error=reason)


def answer_plan(call: Call, answer: Answer) -> Call:
    """Go on with what became of the plan, up to the next plan or the end.

    Spec: GENERIC-05, WORKER-10.
    """
    told = replace(call, answers=(*call.answers, answer), done=call.done + 1)
    waiting = call.waiting.take()
    return _replay(told) if waiting is None else _go_on(told, *waiting, (answer,))


def _replay(call: Call) -> Call:
    """Run the scheduler from its beginning, with the answers that were given."""
    planner = _Planner()
    begun = attempts.Call(
        snapshot=call.snapshot,
        evaluation=call.evaluation,
        scheduler=call.evaluation.type,
        now_ns=call.now_ns,
        choices=_CountedIds(call.seed, call.number),
        planner=planner,
        profile=call.profile,
        reasons=ReasonLog(is_on=False),
    )
    return _go_on(call, process(begun), planner, (None, *call.answers))


def _go_on(call: Call, asking: Asking[Outcome], planner: _Planner, answers: Iterable[Answer | None]) -> Call:
    """Send answers to a scheduler, which then waits at the next plan or has come to its end."""
    try:
        for answer in answers:
            plan = next(asking) if answer is None else asking.send(answer)
            planner.asked.append(Submit(plan))
    except StopIteration as end:
        outcome: Outcome = end.value
        todo = tuple(planner.asked[call.done :])
        return replace(call, todo=todo, error=outcome.error or "", waiting=Waiting())
    return replace(call, todo=tuple(planner.asked[call.done :]), waiting=Waiting(asking, planner))


class _Planner:
    """Grants everything but plans, which it is not asked for."""

    def __init__(self) -> None:
        self.asked: list[Effect] = []

    def submit_plan(self, plan: Plan) -> Answer:
        raise ImpossibleError(f"The plan of {plan.eval_id} is answered by whoever goes on with the call.")

    def create_eval(self, evaluation: Evaluation) -> str:
        self.asked.append(Create(evaluation))
        return ""

    def update_eval(self, evaluation: Evaluation) -> str:
        self.asked.append(Update(evaluation))
        return ""

    def reblock_eval(self, evaluation: Evaluation) -> str:
        self.asked.append(Reblock(evaluation))
        return ""


_KINDS = {IdKind.ALLOCATION: "alloc", IdKind.DEPLOYMENT: "deployment", IdKind.EVALUATION: "eval"}


class _CountedIds(FreeChoices):
    """Choices by a seed, with IDs that say in which delivery something was made."""

    def __init__(self, seed: int, number: int) -> None:
        super().__init__(seed * 1_000_003 + number)
        self._number = number
        self._made = 0

    def next_id(self, kind: IdKind) -> str:
        """Make an ID such as ``alloc-00012-3``: the third in the twelfth delivery."""
        self._made += 1
        return f"{_KINDS[kind]}-{self._number:05d}-{self._made}"
