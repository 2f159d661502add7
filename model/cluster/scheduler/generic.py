"""The scheduler of services and batches: from an evaluation to its final status.

One attempt looks at the job, reconciles what is with what shall be, places what is missing, and hands the
plan over; attempts are repeated on a newer state until all of a plan is taken or the limit is reached.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from nomadspec.model.cluster.entities import EvalStatus, Evaluation, Trigger
from nomadspec.model.cluster.entities.plan import is_full_commit, is_no_op
from nomadspec.model.cluster.scheduler.attempts import (
    MISSING_REFRESH,
    Call,
    CallError,
    Ending,
    count_down,
    describe_limit,
    describe_unhandled,
    repeat_attempts,
)
from nomadspec.model.cluster.scheduler.choices import IdKind
from nomadspec.model.cluster.scheduler.evaluations import block_again, finish, list_missing, make_blocked
from nomadspec.model.cluster.scheduler.generic_attempt import Attempt
from nomadspec.model.cluster.scheduler.outcome import Asking
from nomadspec.model.specification.quirks import UNMADE_FOLLOW_UP

HANDLED: Final = frozenset(Trigger) - {Trigger.SCHEDULED}
"""What evaluations may have been made for.

Spec: GENERIC-01, EVAL-39.
"""


class GenericScheduler:
    """One call of the scheduler of services or batches."""

    def __init__(self, call: Call) -> None:
        """Begin with nothing done."""
        self._call = call
        self._blocked: Evaluation | None = None
        self._last: Attempt

    def process(self) -> Asking[None]:
        """Process the evaluation.

        Spec: GENERIC-01, GENERIC-08, GENERIC-42, GENERIC-43, EVAL-36, EVAL-37.
        """
        call = self._call
        trigger = call.evaluation.triggered_by
        if trigger not in HANDLED:
            call.update_eval(finish(call.evaluation, EvalStatus.FAILED, describe_unhandled(trigger)))
        elif not (yield from repeat_attempts(call, self._attempt)):
            self._block(is_conflict=True)
            self._finish(EvalStatus.FAILED, describe_limit(call.scheduler))
        elif call.evaluation.status == EvalStatus.BLOCKED and self._last.failed:
            context = self._last.context
            again = block_again(call.evaluation, context.eligibility, list_missing(context))
            call.reblock_eval(again)
        else:
            self._finish(EvalStatus.COMPLETE)

    def _attempt(self) -> Asking[Ending]:
        """Make one attempt: plan, write what has to be looked at later, hand over.

        Spec: GENERIC-05, GENERIC-22, GENERIC-23, PLAN-92.
        """
        attempt = self._last = Attempt(self._call)
        followups = attempt.run().followup_evals
        if self._should_block(followups):
            self._block()
        if is_no_op(attempt.context.plan) and not self._call.evaluation.annotate_plan:
            return Ending.DONE
        self._write_followups(followups)
        return (yield from self._submit(attempt))

    def _should_block(self, followups: Sequence[Evaluation]) -> bool:
        """True while what could not be placed has to be tried again when there is room.

        Spec: GENERIC-40, EVAL-13.
        """
        evaluation = self._call.evaluation
        if evaluation.status == EvalStatus.BLOCKED or self._blocked is not None or not self._last.failed:
            return False
        return not followups or self._call.now_ns > evaluation.wait_until_ns

    def _block(self, *, is_conflict: bool = False) -> None:
        """Write the evaluation that waits for room.

        Spec: GENERIC-08, GENERIC-41.
        """
        eval_id = self._call.choices.next_id(IdKind.EVALUATION)
        attempt = self._last
        self._blocked = make_blocked(attempt.context, eval_id, attempt.failed, is_conflict=is_conflict)
        self._call.create_eval(self._blocked)

    def _write_followups(self, followups: Sequence[Evaluation]) -> None:
        """Write the evaluations that look at the job again later, unless this one was late itself.

        Spec: GENERIC-44, GENERIC-45, EVAL-18, X-62.
        """
        call = self._call
        if call.evaluation.wait_until_ns and call.profile.has(UNMADE_FOLLOW_UP):
            return
        for followup in followups:
            call.create_eval(replace(followup, previous_eval=call.evaluation.id))
            call.evaluation = replace(call.evaluation, next_eval=followup.id)

    def _submit(self, attempt: Attempt) -> Asking[Ending]:
        """Hand the plan over and see what was taken of it.

        Spec: GENERIC-05, GENERIC-24, PLAN-92, PLAN-93.
        """
        plan = attempt.context.plan.build()
        answer = yield from self._call.submit_plan(plan)
        count_down(attempt.queued, answer.result)
        if answer.new_state is not None:
            attempt.deployment = None
            return Ending.AGAIN
        if not is_full_commit(plan, answer.result):
            raise CallError(MISSING_REFRESH)
        return Ending.DONE

    def _finish(self, status: str, description: str = "") -> None:
        """Write how the evaluation ended.

        Spec: GENERIC-43, EVAL-32.
        """
        attempt = self._last
        self._call.update_eval(
            finish(
                self._call.evaluation,
                status,
                description,
                failed=attempt.failed,
                queued=attempt.queued,
                annotations=attempt.annotations,
                deployment_id=attempt.deployment.id if attempt.deployment else "",
                blocked_eval=self._blocked.id if self._blocked else "",
            )
        )
