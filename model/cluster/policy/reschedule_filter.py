"""Which allocations of a group are placed again now, which later, and which stay."""

from enum import StrEnum
from typing import Final

from msgspec import Struct

from nomadspec.model.cluster.entities.allocation import (
    Allocation,
    find_last_unknown_ns,
    has_reschedule_failed,
    has_run_successfully,
    is_client_terminal,
    is_healthy,
    is_server_terminal,
    is_terminal,
    should_force_reschedule,
    should_migrate_without_replacement,
    should_reschedule_by_request,
)
from nomadspec.model.cluster.entities.deployment import Deployment, is_active
from nomadspec.model.cluster.entities.scalar import NS_PER_S
from nomadspec.model.cluster.policy.disconnect import is_replaced_on_disconnect
from nomadspec.model.cluster.policy.reschedule import (
    NEVER,
    NextTime,
    compute_next_time,
    compute_next_time_from,
)
from nomadspec.model.lifecycle.allocation import AllocClient, AllocDesired
from nomadspec.model.specification.profiles import Profile
from nomadspec.model.specification.quirks import HELD_FOR_NOTHING, IDLE_FOLLOW_UP, UNPLACED_UNKNOWN

EARLY_NS: Final = NS_PER_S
"""So much before its time an allocation is already placed again."""

ZERO_TIME_NS: Final = -62_135_596_800 * NS_PER_S
"""The first of January of the year 1, which the server takes for a time that is not set."""


class Verdict(StrEnum):
    """What the statuses of an allocation alone say.

    Spec: REC-43, REC-44.
    """

    KEEP = "keep"
    DROP = "drop"
    CHECK = "check"


class Placing(StrEnum):
    """Where the filter puts an allocation.

    Spec: REC-41, REC-45, REC-46.
    """

    NOW = "now"
    KEPT = "kept"
    DROPPED = "dropped"


class Decision(Struct, frozen=True):
    """Whether an allocation is due now or later, and at what time; 0 is none.

    Spec: RESCHED-18, RESCHED-19.
    """

    is_now: bool = False
    is_later: bool = False
    time_ns: int = 0
    rule: str = ""
    """The rule that decided."""


class RescheduleCase(Struct, frozen=True, kw_only=True):
    """What an allocation is judged by beside itself."""

    now_ns: int
    eval_id: str
    is_batch: bool
    """Which scheduler runs: that of batch jobs or that of services."""
    is_disconnecting: bool = False
    """Whether the allocation's node was just found out of reach."""
    deployment: Deployment | None = None
    """The current deployment of the job."""
    profile: Profile


def judge_status(alloc: Allocation, *, is_batch: bool) -> Verdict:
    """Judge an allocation by its statuses: keep it, drop it, or look closer.

    Spec: REC-43, REC-44, BATCH-03, BATCH-04, BATCH-06, RESCHED-12, RESCHED-26.
    """
    return _judge_batch(alloc) if is_batch else _judge_service(alloc)


def _judge_service(alloc: Allocation) -> Verdict:
    if is_server_terminal(alloc):
        return Verdict.CHECK if has_reschedule_failed(alloc) else Verdict.DROP
    return Verdict.DROP if alloc.client_status in {AllocClient.COMPLETE, AllocClient.LOST} else Verdict.CHECK


def _judge_batch(alloc: Allocation) -> Verdict:
    if should_migrate_without_replacement(alloc):
        return Verdict.KEEP
    if should_reschedule_by_request(alloc):
        return Verdict.CHECK
    if alloc.desired_status == AllocDesired.STOP:
        if has_run_successfully(alloc):
            return Verdict.KEEP
        return Verdict.CHECK if has_reschedule_failed(alloc) else Verdict.DROP
    if alloc.desired_status == AllocDesired.EVICT:
        return Verdict.DROP
    return Verdict.CHECK if alloc.client_status == AllocClient.FAILED else Verdict.KEEP


def decide(alloc: Allocation, case: RescheduleCase) -> Decision:
    """Decide whether an allocation is placed again now or later.

    Spec: RESCHED-15, RESCHED-16, RESCHED-17, RESCHED-18, RESCHED-19, DISC-08.
    """
    if _is_held_by_deployment(alloc, case):
        return Decision(rule="RESCHED-15")
    is_forced = should_force_reschedule(alloc) and is_client_terminal(alloc)
    next_time = _find_next_time(alloc, case)
    if not next_time.is_eligible:
        return Decision(
            is_forced, time_ns=next_time.time_ns, rule="RESCHED-16" if is_forced else "RESCHED-10"
        )
    is_followed = alloc.followup_eval_id == case.eval_id
    if is_followed or next_time.time_ns - case.now_ns <= EARLY_NS:
        return Decision(is_now=True, time_ns=next_time.time_ns, rule="RESCHED-18")
    is_later = not alloc.followup_eval_id
    rule = "RESCHED-16" if is_forced else "RESCHED-19"
    return Decision(is_forced, is_later=is_later, time_ns=next_time.time_ns, rule=rule)


def _is_held_by_deployment(alloc: Allocation, case: RescheduleCase) -> bool:
    """True while the deployment's watcher has the say, and has not said yes.

    Spec: RESCHED-15, X-51.
    """
    deployment = case.deployment
    if deployment is None or not is_active(deployment) or alloc.deployment_id != deployment.id:
        return False
    is_judged = is_healthy(alloc) and not case.profile.has(HELD_FOR_NOTHING)
    return not (is_judged or should_reschedule_by_request(alloc))


def _find_next_time(alloc: Allocation, case: RescheduleCase) -> NextTime:
    """Find when an allocation is due.

    Spec: RESCHED-17, DISC-08, X-75.
    """
    if case.is_disconnecting:
        return compute_next_time_from(alloc, case.now_ns) if is_replaced_on_disconnect(alloc) else NEVER
    is_followed = alloc.followup_eval_id == case.eval_id
    if alloc.client_status == AllocClient.UNKNOWN and (is_followed or _is_overdue(alloc, case)):
        return compute_next_time_from(alloc, find_last_unknown_ns(alloc) or ZERO_TIME_NS)
    return compute_next_time(alloc)


def _is_overdue(alloc: Allocation, case: RescheduleCase) -> bool:
    """True while an unknown allocation that wants a replacement and has none may be placed by any evaluation.

    Spec: X-75.
    """
    is_unplaced = has_reschedule_failed(alloc) and not alloc.next_allocation
    return is_unplaced and is_replaced_on_disconnect(alloc) and not case.profile.has(UNPLACED_UNKNOWN)


def _is_looked_at(alloc: Allocation, case: RescheduleCase) -> bool:
    """True while an allocation may be due although its statuses alone would keep it.

    Spec: REC-43, BATCH-08, 04/S-10.
    """
    is_out_of_reach = alloc.client_status == AllocClient.UNKNOWN and not case.profile.has(IDLE_FOLLOW_UP)
    return case.is_disconnecting or is_out_of_reach


class Filtered(Struct, frozen=True):
    """What the filter does with an allocation: where it is put, and when it is due later."""

    placing: Placing
    later_ns: int | None = None
    rule: str = ""
    """The rule that decided."""


def filter_alloc(alloc: Allocation, case: RescheduleCase) -> Filtered:
    """Put an allocation into one of the sets; it may be due later beside staying.

    Spec: REC-41, REC-42, REC-43, REC-44, REC-45, REC-46.
    """
    if case.is_disconnecting and alloc.client_status == AllocClient.UNKNOWN:
        return Filtered(Placing.DROPPED, rule="REC-41")
    if alloc.next_allocation and is_terminal(alloc):
        return Filtered(Placing.DROPPED, rule="REC-42")
    verdict = judge_status(alloc, is_batch=case.is_batch)
    if verdict is Verdict.KEEP and not _is_looked_at(alloc, case):
        return Filtered(Placing.KEPT, rule="REC-43")
    if verdict is Verdict.DROP:
        return Filtered(Placing.DROPPED, rule="REC-44")
    decision = decide(alloc, case)
    if decision.is_now:
        return Filtered(Placing.NOW, rule=decision.rule)
    return Filtered(Placing.KEPT, decision.time_ns if decision.is_later else None, decision.rule)
