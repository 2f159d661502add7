"""Checks of a group's policies: update, migrate, reschedule, restart, disconnect, scaling."""

from collections.abc import Iterator
from typing import Final

from nomadspec.model.cluster.admission.complaint import (
    Complaint,
    complain,
    complain_freely,
    complain_where,
    render_duration,
)
from nomadspec.model.cluster.entities import (
    NS_PER_S,
    DelayFunction,
    DisconnectStrategy,
    HealthCheck,
    MigrateStrategy,
    Reconcile,
    ReschedulePolicy,
    RestartPolicy,
    ScalingPolicy,
    UpdateStrategy,
)
from nomadspec.model.cluster.entities.job import GENERIC_TYPES

_LEAST_RESCHEDULE_DELAY_NS: Final = 5 * NS_PER_S
_LEAST_RESCHEDULE_INTERVAL_NS: Final = 15 * NS_PER_S
_LEAST_RESTART_INTERVAL_NS: Final = 5 * NS_PER_S
_RESTART_MODES: Final = frozenset({"fail", "delay"})
_MIGRATE_CHECKS: Final = frozenset({HealthCheck.CHECKS, HealthCheck.TASK_STATES})


def check_update(update: UpdateStrategy) -> Iterator[Complaint]:
    """Check how a group moves to a new version.

    Spec: OBJ-100.
    """
    stagger, least_healthy, healthy, progress = map(
        render_duration,
        (
            update.stagger_ns,
            update.min_healthy_time_ns,
            update.healthy_deadline_ns,
            update.progress_deadline_ns,
        ),
    )
    yield from complain_where(
        (
            update.health_check not in frozenset(HealthCheck),
            f'Invalid health check given: "{update.health_check}"',
        ),
        (
            update.max_parallel < 0,
            f"Max parallel can not be less than zero: {update.max_parallel} < 0",
        ),
        (update.canary < 0, f"Canary count can not be less than zero: {update.canary} < 0"),
        (
            update.canary == 0 and update.auto_promote,
            "Auto Promote requires a Canary count greater than zero",
        ),
        (
            update.healthy_deadline_ns <= 0,
            f"Healthy deadline must be greater than zero: {healthy}",
        ),
        (
            update.min_healthy_time_ns >= update.healthy_deadline_ns,
            f"Minimum healthy time must be less than healthy deadline: {least_healthy} > {healthy}",
        ),
        (
            0 != update.progress_deadline_ns <= update.healthy_deadline_ns,
            f"Healthy deadline must be less than progress deadline: {healthy} > {progress}",
        ),
        (update.stagger_ns <= 0, f"Stagger must be greater than zero: {stagger}"),
    )
    if update.min_healthy_time_ns < 0 or update.progress_deadline_ns < 0:
        yield complain_freely("the times of an update may not be negative")


def check_migrate(migrate: MigrateStrategy) -> Iterator[Complaint]:
    """Check how a group leaves a draining node.

    Spec: OBJ-110.
    """
    if migrate.max_parallel < 0:
        yield complain(f"MaxParallel must be >= 0 but found {migrate.max_parallel}")
    if migrate.health_check not in _MIGRATE_CHECKS and (migrate.health_check or migrate.max_parallel > 0):
        yield complain(f'Invalid HealthCheck: "{migrate.health_check}"')
    if migrate.min_healthy_time_ns < 0 or migrate.healthy_deadline_ns < 0:
        yield complain_freely("the times of a migrate block may not be negative")
    if migrate.min_healthy_time_ns > migrate.healthy_deadline_ns:
        yield complain("MinHealthyTime must be less than HealthyDeadline")


def check_reschedule(policy: ReschedulePolicy) -> Iterator[Complaint]:
    """Check when failed allocations are placed again; a policy that is off is not looked at.

    Spec: OBJ-105, OBJ-106, OBJ-107, RESCHED-03.
    """
    if policy.attempts <= 0 and not policy.unlimited:
        return
    if policy.attempts > 0 and policy.unlimited:
        yield complain(
            f"Reschedule Policy with Attempts = {policy.attempts}, "
            f"Interval = {render_duration(policy.interval_ns)}, and Unlimited = true is ambiguous"
        )
        yield complain("If Attempts >0, Unlimited cannot also be set to true")
    yield from _check_delays(policy)
    if not policy.unlimited:
        yield from _check_interval(policy)


def _check_delays(policy: ReschedulePolicy) -> Iterator[Complaint]:
    delay, ceiling = render_duration(policy.delay_ns), render_duration(policy.max_delay_ns)
    least = render_duration(_LEAST_RESCHEDULE_DELAY_NS)
    if policy.delay_ns < _LEAST_RESCHEDULE_DELAY_NS:
        yield complain(f"Delay cannot be less than {least} (got {delay})")
    if policy.delay_function not in frozenset(DelayFunction):
        known = " ".join(f'"{name}"' for name in DelayFunction)
        yield complain(f'Invalid delay function "{policy.delay_function}", must be one of [{known}]')
    if policy.delay_function == DelayFunction.CONSTANT:
        return
    if policy.max_delay_ns < _LEAST_RESCHEDULE_DELAY_NS:
        yield complain(f"Max Delay cannot be less than {least} (got {delay})")
    if policy.max_delay_ns < policy.delay_ns:
        yield complain(f"Max Delay cannot be less than Delay {delay} (got {ceiling})")


def _check_interval(policy: ReschedulePolicy) -> Iterator[Complaint]:
    interval = render_duration(policy.interval_ns)
    if policy.interval_ns == 0:
        yield complain("Interval must be a non zero value if Attempts > 0")
    if policy.interval_ns < _LEAST_RESCHEDULE_INTERVAL_NS:
        least = render_duration(_LEAST_RESCHEDULE_INTERVAL_NS)
        yield complain(f"Interval cannot be less than {least} (got {interval})")
    yield from _check_attempts(policy)


def _check_attempts(policy: ReschedulePolicy) -> Iterator[Complaint]:
    possible, needed_ns = compute_possible_attempts(policy)
    if possible >= policy.attempts:
        return
    end = f' and delay function "{policy.delay_function}"'
    if policy.delay_function != DelayFunction.CONSTANT:
        ceiling = render_duration(policy.max_delay_ns)
        end = f', delay function "{policy.delay_function}", and delay ceiling {ceiling}'
    yield complain(
        f"Nomad can only make {possible} attempts in {render_duration(policy.interval_ns)} "
        f"with initial delay {render_duration(policy.delay_ns)}{end}"
    )
    yield complain(
        f"Set the interval to at least {render_duration(needed_ns)} to accommodate {policy.attempts} attempts"
    )


def compute_possible_attempts(policy: ReschedulePolicy) -> tuple[int, int]:
    """Compute how many of the attempts fit the interval, and the interval that would hold them all.

    Spec: OBJ-107.
    """
    if policy.delay_ns <= 0:
        return policy.attempts, 0
    interval = policy.interval_ns
    match policy.delay_function:
        case DelayFunction.CONSTANT:
            return _count_steps(0, policy.delay_ns, interval, policy.attempts)
        case DelayFunction.EXPONENTIAL:
            ramp = list(_double(policy))[: policy.attempts]
            base = ramp[-1] if ramp else 0
            possible = sum(end < interval for end in ramp)
            more, needed = _count_steps(base, policy.max_delay_ns, interval - 1, policy.attempts - len(ramp))
        case DelayFunction.FIBONACCI:
            ramp = list(_add_up(policy))[: policy.attempts]
            possible = sum(end <= interval for end in ramp)
            more, needed = _count_steps(0, policy.max_delay_ns, interval, policy.attempts - len(ramp))
            needed = max([needed, *ramp])
        case _:
            return policy.attempts, 0
    return possible + more, needed


def _count_steps(base: int, step: int, limit: int, most: int) -> tuple[int, int]:
    """Count the steps of one size that end within a limit, and say where the last of all would end."""
    if step <= 0:
        return most, base
    return max(0, min(most, (limit - base) // step)), base + most * step


def _double(policy: ReschedulePolicy) -> Iterator[int]:
    value = policy.delay_ns
    while value <= policy.max_delay_ns:
        yield value
        value *= 2


def _add_up(policy: ReschedulePolicy) -> Iterator[int]:
    before, value = 0, policy.delay_ns
    while value <= policy.max_delay_ns:
        yield value
        before, value = value, before + value


def check_restart(policy: RestartPolicy) -> Iterator[Complaint]:
    """Check how often a client starts a failed task again.

    Spec: OBJ-108.
    """
    if policy.mode not in _RESTART_MODES:
        yield complain(f'Unsupported restart mode: "{policy.mode}"')
        return
    if policy.attempts == 0 and policy.mode != "fail":
        yield complain(f'Restart policy "{policy.mode}" with {policy.attempts} attempts is ambiguous')
    if policy.interval_ns < _LEAST_RESTART_INTERVAL_NS:
        least = render_duration(_LEAST_RESTART_INTERVAL_NS)
        yield complain(f"Interval can not be less than {least} (got {render_duration(policy.interval_ns)})")
    elif policy.attempts * policy.delay_ns > policy.interval_ns:
        yield complain(
            f"Nomad can't restart the TaskGroup {policy.attempts} times in an interval of "
            f"{render_duration(policy.interval_ns)} with a delay of {render_duration(policy.delay_ns)}"
        )


def check_disconnect(disconnect: DisconnectStrategy, job_type: str) -> Iterator[Complaint]:
    """Check what happens to allocations whose client is out of reach.

    Spec: OBJ-035, OBJ-112.
    """
    stop = disconnect.stop_on_client_after_ns
    if disconnect.lost_after_ns < 0:
        yield complain("lost_after cannot be a negative duration")
    if stop is not None:
        if stop < 0:
            yield complain("stop_after cannot be a negative duration")
        if job_type not in GENERIC_TYPES:
            yield complain("stop_after can only be used with service or batch job types")
        if disconnect.lost_after_ns != 0:
            yield complain("Disconnect cannot be configured with both lost_after and stop_after")
    if disconnect.reconcile and disconnect.reconcile not in frozenset(Reconcile):
        yield complain(f"reconcile option is invalid: {disconnect.reconcile}")


def check_scaling(scaling: ScalingPolicy, count: int) -> Iterator[Complaint]:
    """Check the bounds of a group's count.

    Spec: OBJ-116.
    """
    beginning = "Scaling policy invalid:"
    if scaling.max < 0 or scaling.min < 0:
        yield complain_freely(f"{beginning} counts may not be negative")
    if scaling.max < scaling.min:
        yield complain(f"{beginning} maximum count must not be less than minimum count")
    if count < scaling.min:
        yield complain(f"{beginning} task group count must not be less than minimum count in scaling policy")
    if count > scaling.max:
        yield complain(
            f"{beginning} task group count must not be greater than maximum count in scaling policy"
        )
