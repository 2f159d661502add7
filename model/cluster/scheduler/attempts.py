"""How often a scheduler tries again, and what one call of it gathers over its attempts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from msgspec.structs import replace

from nomadspec.model.cluster.entities import Allocation, Evaluation, Plan, PlanResult
from nomadspec.model.cluster.entities.deployment import is_active
from nomadspec.model.cluster.entities.plan import is_no_op
from nomadspec.model.cluster.scheduler.choices import Choices
from nomadspec.model.cluster.scheduler.outcome import Answer, Asking, Outcome, Planner
from nomadspec.model.cluster.scheduler.reasons import ReasonLog
from nomadspec.model.cluster.scheduler.snapshot import Snapshot
from nomadspec.model.specification.profiles import Profile
from nomadspec.model.specification.quirks import ENDLESS_ATTEMPTS

LIMITS: Final[Mapping[str, int]] = {"service": 5, "batch": 2, "system": 5, "sysbatch": 2}
"""How many attempts without progress each scheduler makes.

Spec: GENERIC-04, SYSTEM-04, PLAN-90.
"""

MISSING_REFRESH: Final = "missing state refresh after partial commit"


class Ending(Enum):
    """How an attempt ended."""

    DONE = "done"
    AGAIN = "again"


class CallError(Exception):
    """The call cannot go on: nothing more is written, and whoever asked for it gets this text.

    Spec: GENERIC-03, GENERIC-05, SYSTEM-07.
    """


@dataclass(slots=True)
class Call:
    """One call of a scheduler: what it was given, and what it has written so far.

    Spec: GENERIC-09, PLAN-94.
    """

    snapshot: Snapshot
    """The state of the attempt that is under way; a newer one takes its place."""
    evaluation: Evaluation
    """With the link to the last follow-up that was written."""
    scheduler: str
    now_ns: int
    choices: Choices
    planner: Planner
    profile: Profile
    reasons: ReasonLog
    last_result: PlanResult | None = None
    moved: dict[str, tuple[Allocation, str]] = field(default_factory=dict)
    """Allocations that an attempt let go elsewhere, as it saw them, with who shall look at them later."""
    plans: list[Plan] = field(default_factory=list)
    created: list[Evaluation] = field(default_factory=list)
    updated: list[Evaluation] = field(default_factory=list)
    reblocked: list[Evaluation] = field(default_factory=list)

    def remember(self, alloc: Allocation) -> Allocation:
        """Show an allocation as an earlier attempt has left it in memory, if nothing was written since.

        Spec: RESCHED-22, 04/S-21.
        """
        seen, followup_id = self.moved.get(alloc.id, (None, ""))
        return replace(alloc, followup_eval_id=followup_id) if seen == alloc else alloc

    def submit_plan(self, plan: Plan) -> Asking[Answer]:
        """Hand a plan over; one that cannot be evaluated ends the call.

        Spec: GENERIC-05, SYSTEM-07.
        """
        self.plans.append(plan)
        answer = yield plan
        if answer.error:
            raise CallError(answer.error)
        self.last_result = answer.result
        if answer.new_state is not None:
            self.snapshot = answer.new_state
        return answer

    def create_eval(self, evaluation: Evaluation) -> None:
        """Write a new evaluation.

        Spec: GENERIC-03, SYSTEM-07.
        """
        self.created.append(evaluation)
        _end_if(self.planner.create_eval(evaluation))

    def try_to_create_eval(self, evaluation: Evaluation) -> None:
        """Write a new evaluation; whoever asks goes on without it where that is refused.

        Spec: SYSTEM-31.
        """
        self.created.append(evaluation)
        self.planner.create_eval(evaluation)

    def update_eval(self, evaluation: Evaluation) -> None:
        """Write how an evaluation ended.

        Spec: GENERIC-43, EVAL-32.
        """
        self.updated.append(evaluation)
        _end_if(self.planner.update_eval(evaluation))

    def reblock_eval(self, evaluation: Evaluation) -> None:
        """Hand the evaluation back to the blocked ones.

        Spec: GENERIC-42, EVAL-36.
        """
        self.reblocked.append(evaluation)
        _end_if(self.planner.reblock_eval(evaluation))

    def build(self, error: str | None = None) -> Outcome:
        """Give all that was done."""
        return Outcome(
            plans=tuple(self.plans),
            created_evals=tuple(self.created),
            updated_evals=tuple(self.updated),
            reblocked_evals=tuple(self.reblocked),
            error=error,
            reasons=self.reasons.build(),
        )


def _end_if(refusal: str) -> None:
    if refusal:
        raise CallError(refusal)


def repeat_attempts(call: Call, attempt: Callable[[], Asking[Ending]]) -> Asking[bool]:
    """Attempt until it is done; tell whether it is, and the limit was not reached before.

    Progress starts the count anew.

    Spec: GENERIC-07, GENERIC-08, SYSTEM-04, PLAN-90.
    """
    failures = 0
    while failures < LIMITS[call.scheduler]:
        if (yield from attempt()) is Ending.DONE:
            return True
        failures = 0 if has_progress(call.last_result, call.profile) else failures + 1
    return False


def has_progress(result: PlanResult | None, profile: Profile) -> bool:
    """True if something of the last plan was taken; evictions alone do not count.

    The deployment that a plan carries counts even where all else was rejected, and so does a status that it
    cannot take because it has ended (05/S4).

    Spec: GENERIC-07, SYSTEM-05, PLAN-91, 05/S4, PLAN-96, SYSDEP-21, SYSDEP-24.
    """
    if result is None:
        return False
    return not is_no_op(result if profile.has(ENDLESS_ATTEMPTS) else _leave_out_deployment(result))


def _leave_out_deployment(result: PlanResult) -> PlanResult:
    """Leave out the deployment that a plan carries, and what it says of one that has ended."""
    carried = result.deployment
    if carried is None:
        return result
    updates = result.deployment_updates
    if not is_active(carried):
        updates = tuple(update for update in updates if update.deployment_id != carried.id)
    return replace(result, deployment=None, deployment_updates=updates)


def describe_limit(scheduler: str) -> str:
    """Describe that the limit was reached.

    Spec: GENERIC-08, SYSTEM-06.
    """
    return f"maximum attempts reached ({LIMITS[scheduler]})"


def describe_unhandled(trigger: str) -> str:
    """Describe that a scheduler does not handle what an evaluation was made for.

    Spec: GENERIC-01, SYSTEM-03, GENERIC-02.
    """
    return f"scheduler cannot handle '{trigger}' evaluation reason"


def count_down(queued: dict[str, int], result: PlanResult | None) -> None:
    """Lower the queued counts by what was newly created.

    Spec: GENERIC-24, SYSTEM-35, EVAL-41.
    """
    for allocs in (result.node_allocation if result else {}).values():
        for alloc in allocs:
            if alloc.create_index == alloc.modify_index and alloc.task_group in queued:
                queued[alloc.task_group] -= 1
