from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from nomadspec.model.cluster.admission.policies import (
    check_disconnect,
    check_migrate,
    check_reschedule,
    check_restart,
    check_scaling,
    check_update,
    compute_possible_attempts,
)
from nomadspec.model.cluster.entities import (
    NS_PER_S,
    DisconnectStrategy,
    MigrateStrategy,
    ReschedulePolicy,
    RestartPolicy,
    ScalingPolicy,
    UpdateStrategy,
)

MINUTE = 60 * NS_PER_S
HOUR = 60 * MINUTE
UPDATE = UpdateStrategy(
    stagger_ns=30 * NS_PER_S,
    max_parallel=1,
    health_check="checks",
    min_healthy_time_ns=10 * NS_PER_S,
    healthy_deadline_ns=5 * MINUTE,
    progress_deadline_ns=10 * MINUTE,
)
MIGRATE = MigrateStrategy(
    max_parallel=1,
    health_check="checks",
    min_healthy_time_ns=10 * NS_PER_S,
    healthy_deadline_ns=5 * MINUTE,
)
LIMITED = ReschedulePolicy(attempts=2, interval_ns=HOUR, delay_ns=10 * NS_PER_S, delay_function="constant")


@pytest.mark.parametrize(
    ("change", "complaints"),
    [
        ({}, []),
        ({"max_parallel": 0}, []),
        ({"progress_deadline_ns": 0}, []),
        ({"canary": 1, "auto_promote": True}, []),
        ({"health_check": "luck"}, ['Invalid health check given: "luck"']),
        ({"max_parallel": -1}, ["Max parallel can not be less than zero: -1 < 0"]),
        ({"canary": -1}, ["Canary count can not be less than zero: -1 < 0"]),
        ({"auto_promote": True}, ["Auto Promote requires a Canary count greater than zero"]),
        (
            {"min_healthy_time_ns": 5 * MINUTE},
            ["Minimum healthy time must be less than healthy deadline: 5m0s > 5m0s"],
        ),
        (
            {"progress_deadline_ns": 5 * MINUTE},
            ["Healthy deadline must be less than progress deadline: 5m0s > 5m0s"],
        ),
        ({"stagger_ns": 0}, ["Stagger must be greater than zero: 0s"]),
    ],
)
def test_updates(change: dict[str, int | bool | str], complaints: list[str]) -> None:
    """OBJ-100."""
    assert complaints == [found.text for found in check_update(replace(UPDATE, **change))]


def test_an_update_of_zeros_is_wrong_in_four_ways() -> None:
    assert 4 == len(list(check_update(UpdateStrategy())))


def test_times_of_an_update_are_not_negative() -> None:
    found = list(check_update(replace(UPDATE, min_healthy_time_ns=-1)))

    assert ["the times of an update may not be negative"] == [one.text for one in found]


@pytest.mark.parametrize(
    ("change", "complaints"),
    [
        ({}, []),
        ({"max_parallel": 0, "health_check": ""}, []),
        ({"min_healthy_time_ns": 5 * MINUTE}, []),
        ({"max_parallel": -1}, ["MaxParallel must be >= 0 but found -1"]),
        ({"health_check": ""}, ['Invalid HealthCheck: ""']),
        ({"health_check": "manual"}, ['Invalid HealthCheck: "manual"']),
        ({"min_healthy_time_ns": HOUR}, ["MinHealthyTime must be less than HealthyDeadline"]),
    ],
)
def test_migrations(change: dict[str, int | str], complaints: list[str]) -> None:
    """OBJ-110."""
    assert complaints == [found.text for found in check_migrate(replace(MIGRATE, **change))]


@pytest.mark.parametrize(
    ("change", "complaints"),
    [
        ({}, []),
        ({"attempts": 0, "delay_ns": 0, "delay_function": ""}, []),
        ({"delay_ns": NS_PER_S}, ["Delay cannot be less than 5s (got 1s)"]),
        (
            {"unlimited": True},
            [
                "Reschedule Policy with Attempts = 2, Interval = 1h0m0s, and Unlimited = true is ambiguous",
                "If Attempts >0, Unlimited cannot also be set to true",
            ],
        ),
        (
            {"delay_function": "linear"},
            [
                'Invalid delay function "linear", must be one of ["constant" "exponential" "fibonacci"]',
                "Max Delay cannot be less than 5s (got 10s)",
                "Max Delay cannot be less than Delay 10s (got 0s)",
            ],
        ),
        (
            {"interval_ns": 0},
            [
                "Interval must be a non zero value if Attempts > 0",
                "Interval cannot be less than 15s (got 0s)",
                'Nomad can only make 0 attempts in 0s with initial delay 10s and delay function "constant"',
                "Set the interval to at least 20s to accommodate 2 attempts",
            ],
        ),
        (
            {
                "attempts": 20,
                "interval_ns": MINUTE,
                "delay_function": "exponential",
                "max_delay_ns": HOUR,
            },
            [
                (
                    "Nomad can only make 3 attempts in 1m0s with initial delay 10s, "
                    'delay function "exponential", and delay ceiling 1h0m0s'
                ),
                "Set the interval to at least 11h42m40s to accommodate 20 attempts",
            ],
        ),
        (
            {
                "attempts": 9,
                "interval_ns": 5 * MINUTE,
                "delay_function": "fibonacci",
                "max_delay_ns": 2 * MINUTE,
            },
            [
                (
                    "Nomad can only make 8 attempts in 5m0s with initial delay 10s, "
                    'delay function "fibonacci", and delay ceiling 2m0s'
                ),
                "Set the interval to at least 6m0s to accommodate 9 attempts",
            ],
        ),
    ],
)
def test_rescheduling(change: dict[str, int | str | bool], complaints: list[str]) -> None:
    """OBJ-105, OBJ-106, OBJ-107."""
    assert complaints == [found.text for found in check_reschedule(replace(LIMITED, **change))]


@given(
    attempts=st.integers(1, 12),
    delay_s=st.integers(5, 100),
    ceiling_s=st.integers(100, 2000),
    function=st.sampled_from(["constant", "exponential", "fibonacci"]),
)
def test_the_interval_that_is_asked_for_is_the_least_that_will_do(
    attempts: int, delay_s: int, ceiling_s: int, function: str
) -> None:
    """OBJ-107: only exponential delays must end strictly before the interval does."""
    policy = ReschedulePolicy(
        attempts=attempts,
        delay_ns=delay_s,
        max_delay_ns=ceiling_s,
        delay_function=function,
        interval_ns=1,
    )
    _, needed = compute_possible_attempts(policy)
    least = next(
        interval
        for interval in count(needed - 1)
        if compute_possible_attempts(replace(policy, interval_ns=interval))[0] >= attempts
    )

    assert least == needed + (function == "exponential")


@pytest.mark.parametrize("function", ["constant", "exponential", "fibonacci", "linear"])
@pytest.mark.parametrize(("delay", "ceiling"), [(0, 100), (10, 0), (10, 100), (-3, 100)])
def test_any_number_of_attempts_is_counted_at_once(function: str, delay: int, ceiling: int) -> None:
    policy = ReschedulePolicy(
        attempts=2**62,
        delay_ns=delay,
        max_delay_ns=ceiling,
        delay_function=function,
        interval_ns=1000,
    )
    possible, _ = compute_possible_attempts(policy)

    assert 0 <= possible <= 2**62


@pytest.mark.parametrize(
    ("policy", "complaints"),
    [
        (RestartPolicy(attempts=2, interval_ns=MINUTE, delay_ns=NS_PER_S, mode="fail"), []),
        (RestartPolicy(attempts=0, interval_ns=MINUTE, mode="fail"), []),
        (RestartPolicy(interval_ns=MINUTE, mode="hope"), ['Unsupported restart mode: "hope"']),
        (
            RestartPolicy(interval_ns=MINUTE, mode="delay"),
            ['Restart policy "delay" with 0 attempts is ambiguous'],
        ),
        (
            RestartPolicy(attempts=1, interval_ns=NS_PER_S, mode="fail"),
            ["Interval can not be less than 5s (got 1s)"],
        ),
        (
            RestartPolicy(attempts=10, interval_ns=MINUTE, delay_ns=10 * NS_PER_S, mode="fail"),
            ["Nomad can't restart the TaskGroup 10 times in an interval of 1m0s with a delay of 10s"],
        ),
    ],
)
def test_restarts(policy: RestartPolicy, complaints: list[str]) -> None:
    """OBJ-108."""
    assert complaints == [found.text for found in check_restart(policy)]


@pytest.mark.parametrize(
    ("disconnect", "job_type", "complaints"),
    [
        (DisconnectStrategy(lost_after_ns=1, reconcile="best_score"), "system", []),
        (DisconnectStrategy(stop_on_client_after_ns=0), "service", []),
        (DisconnectStrategy(lost_after_ns=-1), "batch", ["lost_after cannot be a negative duration"]),
        (
            DisconnectStrategy(stop_on_client_after_ns=-1),
            "sysbatch",
            [
                "stop_after cannot be a negative duration",
                "stop_after can only be used with service or batch job types",
            ],
        ),
        (
            DisconnectStrategy(lost_after_ns=1, stop_on_client_after_ns=0),
            "batch",
            ["Disconnect cannot be configured with both lost_after and stop_after"],
        ),
        (DisconnectStrategy(reconcile="coin"), "batch", ["reconcile option is invalid: coin"]),
    ],
)
def test_disconnects(disconnect: DisconnectStrategy, job_type: str, complaints: list[str]) -> None:
    """OBJ-112."""
    assert complaints == [found.text for found in check_disconnect(disconnect, job_type)]


@pytest.mark.parametrize(
    ("least", "most", "size", "complaints"),
    [
        (0, 5, 3, []),
        (3, 3, 3, []),
        (4, 2, 3, ["maximum count must not be less", "task group count must not be less", "not be greater"]),
        (0, 2, 3, ["task group count must not be greater"]),
        (-1, 5, 3, ["may not be negative"]),
    ],
)
def test_scaling(least: int, most: int, size: int, complaints: list[str]) -> None:
    """OBJ-116."""
    found = list(check_scaling(ScalingPolicy(min=least, max=most), size))

    assert len(complaints) == len(found)
    assert all(part in one.text for part, one in zip(complaints, found, strict=True))
