"""Allocations that tests make: each second one is told apart from the others by one policy or status."""

from typing import Any

from nomadspec.model.cluster.entities import (
    NS_PER_S,
    Allocation,
    DisconnectStrategy,
    Job,
    RescheduleEvent,
    ReschedulePolicy,
    RescheduleTracker,
    Task,
    TaskGroup,
)

NOW_NS = 1_000_000 * NS_PER_S


def seconds(count: float) -> int:
    """Count seconds in nanoseconds."""
    return int(count * NS_PER_S)


def ago(count: float) -> int:
    """Give the time so many seconds before now."""
    return NOW_NS - seconds(count)


def make_policy(
    function: str = "constant", delay: float = 5, most: float = 0, **fields: Any
) -> ReschedulePolicy:
    """Make a policy that is unlimited unless it is told how many attempts it allows."""
    return ReschedulePolicy(
        delay_ns=seconds(delay),
        delay_function=function,
        max_delay_ns=seconds(most),
        unlimited="attempts" not in fields,
        **fields,
    )


def make_events(*events: tuple[float, float]) -> RescheduleTracker:
    """Make a tracker of events, each so many seconds ago and after so long a delay."""
    return RescheduleTracker(
        events=tuple(
            RescheduleEvent(reschedule_time_ns=ago(age), delay_ns=seconds(delay)) for age, delay in events
        )
    )


def make_alloc(
    policy: ReschedulePolicy | None = None,
    disconnect: DisconnectStrategy | None = None,
    *,
    job_type: str = "service",
    failed_s_ago: float = 10,
    kill_s: float = 5,
    **fields: Any,
) -> Allocation:
    """Make a failed allocation."""
    group = TaskGroup(
        name="web",
        reschedule_policy=policy,
        disconnect=disconnect,
        tasks=(Task(kill_timeout_ns=seconds(1)), Task(kill_timeout_ns=seconds(kill_s))),
    )
    known = {
        "id": "a1",
        "node_id": "n1",
        "task_group": "web",
        "desired_status": "run",
        "client_status": "failed",
        "modify_time_ns": ago(failed_s_ago),
        "job": Job(type=job_type, task_groups=(TaskGroup(name="other"), group)),
    }
    return Allocation(**{**known, **fields})
