"""What a scheduler did with an evaluation, and why."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Protocol, TypeAlias, TypeVar

from msgspec import Struct

from nomadspec.model.cluster.entities import Evaluation, Plan, PlanResult
from nomadspec.model.cluster.scheduler.reasons import Reasons
from nomadspec.model.cluster.scheduler.snapshot import Snapshot


class Answer(Struct, frozen=True, kw_only=True):
    """What came back for a plan."""

    result: PlanResult | None = None
    error: str = ""
    """Why the plan could not be evaluated at all; the call then ends with this error."""
    new_state: Snapshot | None = None
    """The newer state that the scheduler has to look at; None when none was handed back."""


Submit = Callable[[Plan], Answer]
"""Hands a plan over and waits for what comes back."""


End = TypeVar("End")

Asking: TypeAlias = Generator[Plan, Answer, End]
"""Work that comes to plans on its way: it hands each over, is sent what came back, and goes on to its end."""


class Planner(Protocol):
    """What a scheduler can ask of the server while it works, one request at a time and in this order.

    A request that is refused comes back with the reason, and ends the call.

    Spec: GENERIC-03, GENERIC-05, WORKER-20.
    """

    def submit_plan(self, plan: Plan) -> Answer:
        """Hand a plan over and wait for what was taken of it."""
        ...

    def create_eval(self, evaluation: Evaluation) -> str:
        """Write a new evaluation; a text says why it was refused."""
        ...

    def update_eval(self, evaluation: Evaluation) -> str:
        """Write how an evaluation ended; a text says why it was refused."""
        ...

    def reblock_eval(self, evaluation: Evaluation) -> str:
        """Hand an evaluation back to the blocked evaluations; a text says why it was refused."""
        ...


class SubmitOnly:
    """A planner that has plans answered by a function, and refuses no other request."""

    def __init__(self, submit: Submit) -> None:
        """Take what answers plans."""
        self.submit_plan = submit

    def create_eval(self, _: Evaluation) -> str:
        """Let it be written."""
        return ""

    def update_eval(self, _: Evaluation) -> str:
        """Let it be written."""
        return ""

    def reblock_eval(self, _: Evaluation) -> str:
        """Let it be handed back."""
        return ""


def answer_all(asking: Asking[End], planner: Planner) -> End:
    """Do work to its end: a planner answers all plans to which it comes."""
    try:
        plan = next(asking)
        while True:
            plan = asking.send(planner.submit_plan(plan))
    except StopIteration as end:
        done: End = end.value
        return done


class Outcome(Struct, frozen=True, kw_only=True):
    """All that one call of a scheduler did, each list in order."""

    plans: tuple[Plan, ...] = ()
    created_evals: tuple[Evaluation, ...] = ()
    updated_evals: tuple[Evaluation, ...] = ()
    reblocked_evals: tuple[Evaluation, ...] = ()
    error: str | None = None
    reasons: Reasons | None = None
    """Why; None when nobody asked."""
