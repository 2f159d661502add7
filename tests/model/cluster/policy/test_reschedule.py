from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nomadspec.model.cluster.entities import (
    Allocation,
    DesiredTransition,
    RescheduleEvent,
    ReschedulePolicy,
    RescheduleTracker,
    TaskState,
)
from nomadspec.model.cluster.policy.reschedule import (
    KEPT_EVENTS,
    NEVER,
    NextTime,
    compute_last_event_time_ns,
    compute_next_delay_ns,
    compute_next_time,
    compute_next_time_from,
    count_attempts,
    find_own_group,
    is_allowed,
    list_events,
    record_reschedule,
    should_reschedule,
)
from tests.model.cluster.policy.made import NOW_NS, ago, make_alloc, make_events, make_policy, seconds

FIBONACCI = make_policy("fibonacci", 5, 90)
EXPONENTIAL = make_policy("exponential", 30, 3600)


def test_the_group_is_that_of_the_allocations_own_job() -> None:
    """RESCHED-14."""
    group = find_own_group(make_alloc(EXPONENTIAL))

    assert group is not None
    assert EXPONENTIAL == group.reschedule_policy
    assert find_own_group(Allocation(task_group="web")) is None


def test_an_event_as_old_as_the_interval_does_not_count() -> None:
    """OBJ-237."""
    policy = make_policy(attempts=2, interval_ns=seconds(100))
    events = list_events(make_events((101, 5), (100, 5), (99, 5), (-5, 5)))

    assert count_attempts(policy, events, NOW_NS) == 2
    assert count_attempts(make_policy(), events, NOW_NS) == 0


@pytest.mark.parametrize(
    ("attempts", "ages", "expected"),
    [(1, [], True), (1, [5], False), (2, [5], True), (2, [5, 6], False), (1, [100], True)],
)
def test_attempts_are_used_up(attempts: int, ages: list[float], expected: bool) -> None:
    """OBJ-236."""
    policy = make_policy(attempts=attempts, interval_ns=seconds(100))
    events = list_events(make_events(*((age, 5) for age in ages)))

    assert expected == is_allowed(policy, events, NOW_NS)
    assert is_allowed(make_policy(), events, NOW_NS)
    assert not is_allowed(ReschedulePolicy(), events, NOW_NS)


def test_the_last_task_to_end_tells_the_time() -> None:
    """OBJ-238."""
    ended = {"a": TaskState(finished_at_ns=ago(30)), "b": TaskState(finished_at_ns=ago(20)), "c": TaskState()}

    assert ago(20) == compute_last_event_time_ns(make_alloc(task_states=ended))
    assert ago(10) == compute_last_event_time_ns(make_alloc(task_states={"c": TaskState()}))


@pytest.mark.parametrize(
    ("policy", "delays", "expected"),
    [
        (EXPONENTIAL, [], 30),
        (EXPONENTIAL, [30], 60),
        (EXPONENTIAL, [30, 60], 120),
        (EXPONENTIAL, [1920], 3600),
        (EXPONENTIAL, [1800], 3600),
        (FIBONACCI, [], 5),
        (FIBONACCI, [5], 5),
        (FIBONACCI, [5, 5], 10),
        (FIBONACCI, [5, 5, 10], 15),
        (FIBONACCI, [40, 65], 90),
        (FIBONACCI, [90, 5], 5),
        (FIBONACCI, [90, 5, 5], 10),
        (make_policy("constant", 5, 1), [5, 7], 5),
        (make_policy("odd", 5), [5, 7], 5),
        (make_policy("exponential", 30), [4000], 8000),
        (None, [5], 0),
    ],
)
def test_the_delay_grows(policy: ReschedulePolicy | None, delays: list[float], expected: float) -> None:
    """RESCHED-05, RESCHED-06, RESCHED-07, RESCHED-08, RESCHED-09."""
    tracker = make_events(*((20, delay) for delay in delays))

    assert seconds(expected) == compute_next_delay_ns(make_alloc(policy, reschedule_tracker=tracker))


@pytest.mark.parametrize(("age", "expected"), [(3610, 3600), (3611, 30)])
def test_a_long_rest_begins_the_series_again(age: float, expected: float) -> None:
    """RESCHED-09."""
    alloc = make_alloc(EXPONENTIAL, reschedule_tracker=make_events((age, 3600)))

    assert seconds(expected) == compute_next_delay_ns(alloc)


def test_a_delay_at_the_ceiling_is_never_reset() -> None:
    """OBJ-241."""
    alloc = make_alloc(EXPONENTIAL, reschedule_tracker=make_events((100_000, 1800)))

    assert seconds(3600) == compute_next_delay_ns(alloc)


@pytest.mark.parametrize(
    ("fields", "is_ever"),
    [
        ({}, True),
        ({"client_status": "lost"}, True),
        ({"client_status": "running"}, False),
        ({"desired_status": "stop"}, False),
        ({"desired_status": "evict"}, True),
        (
            {
                "desired_status": "stop",
                "reschedule_tracker": RescheduleTracker(last_reschedule="no placement"),
            },
            True,
        ),
    ],
)
def test_statuses_that_allow_a_reschedule(fields: dict[str, Any], is_ever: bool) -> None:
    """RESCHED-11."""
    next_time = compute_next_time(make_alloc(make_policy(), **fields))

    assert (NextTime(ago(5), is_eligible=True) if is_ever else NEVER) == next_time


def test_a_batch_allocation_may_be_asked_to_move() -> None:
    """OBJ-239."""
    asked = DesiredTransition(reschedule=True)
    batch = make_alloc(make_policy(), job_type="batch", client_status="running", desired_transition=asked)
    service = make_alloc(make_policy(), client_status="running", desired_transition=asked)

    assert compute_next_time(batch).is_eligible
    assert NEVER == compute_next_time(service)


def test_a_disabled_policy_has_a_time_only_where_none_is_asked_for() -> None:
    """OBJ-242."""
    alloc = make_alloc(ReschedulePolicy(delay_ns=seconds(7)))

    assert NEVER == compute_next_time(alloc)
    assert NextTime(NOW_NS + seconds(7), is_eligible=False) == compute_next_time_from(alloc, NOW_NS)
    assert NEVER == compute_next_time_from(make_alloc(), NOW_NS)


@pytest.mark.parametrize(
    ("tracker", "interval", "expected"),
    [
        (None, 100, True),
        (RescheduleTracker(), 100, False),
        (RescheduleTracker(events=()), 100, True),
        (RescheduleTracker(events=()), 5, False),
        (make_events((200, 5)), 100, True),
        (make_events((50, 5)), 100, False),
        (make_events((200, 5)), 5, False),
    ],
)
def test_a_limited_policy_looks_at_the_tracker(
    tracker: RescheduleTracker | None, interval: float, expected: bool
) -> None:
    """RESCHED-10, 01/S11."""
    policy = make_policy(attempts=1, interval_ns=seconds(interval))

    assert (
        expected == compute_next_time_from(make_alloc(policy, reschedule_tracker=tracker), NOW_NS).is_eligible
    )


def test_attempts_decide_even_without_limit() -> None:
    """RESCHED-10."""
    policy = ReschedulePolicy(attempts=1, interval_ns=seconds(100), unlimited=True)

    assert not compute_next_time_from(
        make_alloc(policy, reschedule_tracker=make_events((5, 5))), NOW_NS
    ).is_eligible
    assert compute_next_time_from(
        make_alloc(policy, reschedule_tracker=RescheduleTracker()), NOW_NS
    ).is_eligible


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({}, True),
        ({"client_status": "lost"}, False),
        ({"desired_status": "stop"}, False),
        ({"desired_status": "evict"}, False),
    ],
)
def test_only_what_failed_and_is_wanted_should_be_rescheduled(fields: dict[str, Any], expected: bool) -> None:
    """OBJ-234."""
    assert expected == should_reschedule(make_alloc(make_policy(), **fields), NOW_NS)


def test_a_tracker_hands_on_what_is_not_older_than_the_interval() -> None:
    """RESCHED-13."""
    policy = make_policy(attempts=3, interval_ns=seconds(100))
    old = make_events((101, 5), (100, 6), (50, 7))
    tracker = record_reschedule(make_alloc(policy, reschedule_tracker=old), NOW_NS)
    event = RescheduleEvent(
        reschedule_time_ns=NOW_NS, prev_alloc_id="a1", prev_node_id="n1", delay_ns=seconds(5)
    )

    assert "ok" == tracker.last_reschedule
    assert (*list_events(old)[1:], event) == tracker.events


def test_a_tracker_without_an_interval_hands_on_nothing() -> None:
    """RESCHED-13."""
    alloc = make_alloc(make_policy(attempts=3, interval_ns=0), reschedule_tracker=make_events((0, 5)))

    assert 1 == len(list_events(record_reschedule(alloc, NOW_NS)))


@given(st.lists(st.tuples(st.integers(0, 300), st.integers(0, 300)), max_size=12), st.integers(0, 3))
def test_a_tracker_stays_short(events: list[tuple[float, float]], attempts: int) -> None:
    """RESCHED-13, RESCHED-14."""
    limited: dict[str, Any] = {"attempts": attempts, "interval_ns": seconds(100)} if attempts else {}
    alloc = make_alloc(make_policy(**limited), reschedule_tracker=make_events(*events))
    kept = list_events(record_reschedule(alloc, NOW_NS))[:-1]
    young = sum(age <= 100 for age, _ in events)

    assert len(kept) == (young if attempts else min(len(events), KEPT_EVENTS))
