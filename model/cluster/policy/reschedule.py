"""When a failed allocation may be placed again, and after which delay.

The policy is always the one of the job version that the allocation itself carries.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from nomadspec.model.cluster.entities.allocation import (
    Allocation,
    LastReschedule,
    RescheduleEvent,
    RescheduleTracker,
    has_reschedule_failed,
    is_server_terminal,
    should_reschedule_by_request,
)
from nomadspec.model.cluster.entities.group import TaskGroup
from nomadspec.model.cluster.entities.job import JobType, find_group
from nomadspec.model.cluster.entities.policy import DelayFunction, ReschedulePolicy, is_enabled
from nomadspec.model.lifecycle.allocation import AllocClient, AllocDesired

KEPT_EVENTS: Final = 5
"""So many earlier events an unlimited tracker hands on."""


class NextTime(NamedTuple):
    """When an allocation may be placed again, if it may; 0 is never."""

    time_ns: int
    is_eligible: bool


NEVER: Final = NextTime(0, is_eligible=False)


def find_own_group(alloc: Allocation) -> TaskGroup | None:
    """Find the group of an allocation in the version of the job that it carries."""
    return find_group(alloc.job, alloc.task_group)


def find_own_policy(alloc: Allocation) -> ReschedulePolicy | None:
    """Find the reschedule policy of an allocation.

    Spec: RESCHED-14.
    """
    group = find_own_group(alloc)
    return group.reschedule_policy if group else None


def list_events(tracker: RescheduleTracker | None) -> tuple[RescheduleEvent, ...]:
    """List the earlier reschedules; without a tracker there are none."""
    return (tracker and tracker.events) or ()


def count_attempts(policy: ReschedulePolicy, events: Sequence[RescheduleEvent], at_ns: int) -> int:
    """Count the events that are younger than the interval; those of the future are.

    Spec: OBJ-237.
    """
    if policy.attempts <= 0:
        return 0
    return sum(at_ns - event.reschedule_time_ns < policy.interval_ns for event in events)


def is_allowed(policy: ReschedulePolicy | None, events: Sequence[RescheduleEvent], at_ns: int) -> bool:
    """True if a policy has an attempt left at a time.

    Spec: OBJ-236, ALLOC-20.
    """
    if policy is None or not is_enabled(policy):
        return False
    return policy.unlimited or not events or count_attempts(policy, events, at_ns) < policy.attempts


def compute_last_event_time_ns(alloc: Allocation) -> int:
    """Compute when the last task ended; if none has, when the allocation was last written.

    Spec: OBJ-238.
    """
    latest_ns = max((state.finished_at_ns for state in alloc.task_states.values()), default=0)
    return latest_ns or alloc.modify_time_ns


def should_reschedule(alloc: Allocation, fail_time_ns: int) -> bool:
    """True if a failed allocation that is still wanted has an attempt left.

    Spec: OBJ-234.
    """
    if is_server_terminal(alloc) or alloc.client_status != AllocClient.FAILED:
        return False
    return is_allowed(find_own_policy(alloc), list_events(alloc.reschedule_tracker), fail_time_ns)


def compute_next_delay_ns(alloc: Allocation) -> int:
    """Compute how long to wait before the next attempt.

    Spec: OBJ-240, RESCHED-05, OBJ-241, RESCHED-09.
    """
    policy, events = find_own_policy(alloc), list_events(alloc.reschedule_tracker)
    if policy is None:
        return 0
    if not events or policy.delay_function not in {DelayFunction.EXPONENTIAL, DelayFunction.FIBONACCI}:
        return policy.delay_ns  # no ceiling either: 01/S16
    raw_ns = _compute_raw_delay_ns(policy, events)
    if policy.max_delay_ns <= 0 or raw_ns <= policy.max_delay_ns:
        return raw_ns
    rested_ns = compute_last_event_time_ns(alloc) - events[-1].reschedule_time_ns
    return policy.delay_ns if rested_ns > policy.max_delay_ns else policy.max_delay_ns


def _compute_raw_delay_ns(policy: ReschedulePolicy, events: Sequence[RescheduleEvent]) -> int:
    """Compute the delay before its ceiling.

    Spec: RESCHED-07, RESCHED-08, RESCHED-06, 01/S16.
    """
    last_ns = events[-1].delay_ns
    if policy.delay_function == DelayFunction.EXPONENTIAL:
        return 2 * last_ns
    if len(events) == 1:
        return policy.delay_ns
    before_ns = events[-2].delay_ns
    has_restarted = before_ns == policy.max_delay_ns and last_ns == policy.delay_ns
    return last_ns if has_restarted else last_ns + before_ns


def compute_next_time(alloc: Allocation) -> NextTime:
    """Compute when an allocation may be placed again, counted from its failure.

    Spec: OBJ-239, RESCHED-10, RESCHED-11.
    """
    if not is_enabled(find_own_policy(alloc)) or not _is_reschedulable(alloc):
        return NEVER
    return compute_next_time_from(alloc, compute_last_event_time_ns(alloc))


def _is_reschedulable(alloc: Allocation) -> bool:
    """True if the statuses of an allocation allow that it is placed again; eviction does not matter."""
    if alloc.desired_status == AllocDesired.STOP and not has_reschedule_failed(alloc):
        return False
    if alloc.client_status in {AllocClient.FAILED, AllocClient.LOST}:
        return True
    is_batch = alloc.job is not None and alloc.job.type == JobType.BATCH
    return is_batch and should_reschedule_by_request(alloc)


def compute_next_time_from(alloc: Allocation, at_ns: int) -> NextTime:
    """Compute when an allocation may be placed again, counted from a given time, whatever its statuses.

    Spec: OBJ-242, RESCHED-10.
    """
    policy = find_own_policy(alloc)
    if policy is None:
        return NEVER
    delay_ns = compute_next_delay_ns(alloc)
    return NextTime(at_ns + delay_ns, _has_attempt_left(policy, alloc.reschedule_tracker, at_ns, delay_ns))


def _has_attempt_left(
    policy: ReschedulePolicy, tracker: RescheduleTracker | None, at_ns: int, delay_ns: int
) -> bool:
    if policy.attempts <= 0:
        return policy.unlimited
    if tracker is None:
        return True
    if tracker.events is None:  # 01/S11: an empty list would do
        return policy.unlimited
    has_left = count_attempts(policy, tracker.events, at_ns) < policy.attempts
    return has_left and delay_ns < policy.interval_ns


def record_reschedule(alloc: Allocation, now_ns: int) -> RescheduleTracker:
    """Make the tracker of the allocation that is placed instead of a failed one.

    Spec: OBJ-225, RESCHED-13, OBJ-224.
    """
    event = RescheduleEvent(
        reschedule_time_ns=now_ns,
        prev_alloc_id=alloc.id,
        prev_node_id=alloc.node_id,
        delay_ns=compute_next_delay_ns(alloc),
    )
    kept = _list_kept_events(alloc, now_ns)
    return RescheduleTracker(events=(*kept, event), last_reschedule=LastReschedule.OK)


def _list_kept_events(alloc: Allocation, now_ns: int) -> tuple[RescheduleEvent, ...]:
    policy, events = find_own_policy(alloc), list_events(alloc.reschedule_tracker)
    if policy is None or policy.attempts <= 0:
        return events[-KEPT_EVENTS:]
    if policy.interval_ns <= 0:
        return ()
    return tuple(event for event in events if now_ns - event.reschedule_time_ns <= policy.interval_ns)
