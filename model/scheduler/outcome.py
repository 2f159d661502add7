"""What a scheduler did with an evaluation, and why."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from nomadspec.model.entities import Evaluation, Plan, PlanResult
from nomadspec.model.scheduler.reasons import Reasons
from nomadspec.model.scheduler.snapshot import Snapshot


class Answer(Struct, frozen=True, kw_only=True):
    """What came back for a plan."""

    result: PlanResult | None = None
    error: str = ""
    """Why the plan could not be evaluated at all; the call then ends with this error."""
    new_state: Snapshot | None = None
    """The newer state that the scheduler has to look at; None when none was handed back."""


Submit = Callable[[Plan], Answer]
"""Hands a plan over and waits for what comes back."""


class Outcome(Struct, frozen=True, kw_only=True):
    """All that one call of a scheduler did, each list in order."""

    plans: tuple[Plan, ...] = ()
    created_evals: tuple[Evaluation, ...] = ()
    updated_evals: tuple[Evaluation, ...] = ()
    reblocked_evals: tuple[Evaluation, ...] = ()
    error: str | None = None
    reasons: Reasons | None = None
    """Why; None when nobody asked."""
