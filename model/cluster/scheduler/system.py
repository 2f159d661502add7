"""The scheduler of jobs that run on every node: from an evaluation to its final status.

One pass visits every node that runs something of the job or may do so, updates what changed, places what is
missing, and hands the plan over; passes are repeated on a newer state until all of a plan is taken or the
limit is reached.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from nomadspec.model.cluster.entities import EvalStatus, Trigger
from nomadspec.model.cluster.entities.plan import is_full_commit, is_no_op
from nomadspec.model.cluster.scheduler.attempts import (
    Call,
    Ending,
    count_down,
    describe_limit,
    describe_unhandled,
    repeat_attempts,
)
from nomadspec.model.cluster.scheduler.choices import IdKind
from nomadspec.model.cluster.scheduler.evaluations import finish, make_blocked
from nomadspec.model.cluster.scheduler.outcome import Asking
from nomadspec.model.cluster.scheduler.system_attempt import SystemAttempt
from nomadspec.model.specification.profiles import Profile
from nomadspec.model.specification.quirks import DEAD_END

_HANDLED_BY_BOTH: Final = frozenset(
    {
        Trigger.JOB_REGISTER,
        Trigger.JOB_DEREGISTER,
        Trigger.NODE_UPDATE,
        Trigger.NODE_DRAIN,
        Trigger.ALLOC_STOP,
        Trigger.FAILED_FOLLOW_UP,
        Trigger.ROLLING_UPDATE,
        Trigger.PREEMPTION,
        Trigger.DEPLOYMENT_WATCHER,
        Trigger.QUEUED_ALLOCS,
        Trigger.JOB_SCALING,
        Trigger.RECONNECT,
    }
)
HANDLED: Final[Mapping[str, frozenset[str]]] = {
    "system": _HANDLED_BY_BOTH,
    "sysbatch": _HANDLED_BY_BOTH | {Trigger.PERIODIC_JOB},
}
"""What evaluations may have been made for, by scheduler.

Spec: SYSTEM-02, SYSTEM-40.
"""


def list_handled(scheduler: str, profile: Profile) -> frozenset[str]:
    """List what evaluations may have been made for: also for plan rejections, where these are made.

    The release makes none of them for these schedulers, and its schedulers would not take one.

    Spec: SYSTEM-02, SYSTEM-06, TRIG-19, 02/S12.
    """
    handled = HANDLED[scheduler]
    return handled if profile.has(DEAD_END) else handled | {Trigger.MAX_PLAN_ATTEMPTS}


class SystemScheduler:
    """One call of the scheduler of jobs that run on every node."""

    def __init__(self, call: Call) -> None:
        """Begin with nothing done."""
        self._call = call
        self._last: SystemAttempt

    def process(self) -> Asking[None]:
        """Process the evaluation; one that was blocked before ends like any other.

        Spec: SYSTEM-02, SYSTEM-03, SYSTEM-06, SYSTEM-37, SYSTEM-38.
        """
        call = self._call
        trigger = call.evaluation.triggered_by
        if trigger not in list_handled(call.scheduler, call.profile):
            call.update_eval(finish(call.evaluation, EvalStatus.FAILED, describe_unhandled(trigger)))
        elif (yield from repeat_attempts(call, self._attempt)):
            self._finish(EvalStatus.COMPLETE)
        else:
            self._use_up_attempts()

    def _attempt(self) -> Asking[Ending]:
        """Make one pass: plan, and hand over; what waits for room is written on the way.

        Spec: SYSTEM-12, SYSTEM-34.
        """
        attempt = self._last = SystemAttempt(self._call)
        attempt.run()
        if is_no_op(attempt.context.plan) and not self._call.evaluation.annotate_plan:
            return Ending.DONE
        return (yield from self._submit(attempt))

    def _submit(self, attempt: SystemAttempt) -> Asking[Ending]:
        """Hand the plan over and see what was taken of it.

        Spec: SYSTEM-35.
        """
        plan = attempt.context.plan.build()
        answer = yield from self._call.submit_plan(plan)
        count_down(attempt.queued, answer.result)
        if answer.new_state is not None or not is_full_commit(plan, answer.result):
            return Ending.AGAIN
        return Ending.DONE

    def _use_up_attempts(self) -> None:
        """Fail the evaluation; in the release nothing stays behind that would try again.

        Spec: SYSTEM-06, 02/S12.
        """
        call, attempt = self._call, self._last
        if not call.profile.has(DEAD_END):
            eval_id = call.choices.next_id(IdKind.EVALUATION)
            call.create_eval(make_blocked(attempt.context, eval_id, attempt.failed, is_conflict=True))
        self._finish(EvalStatus.FAILED, describe_limit(call.scheduler))

    def _finish(self, status: str, description: str = "") -> None:
        """Write how the evaluation ended.

        Spec: SYSTEM-37.
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
            )
        )
