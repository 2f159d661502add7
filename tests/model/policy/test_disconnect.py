from typing import Any

import pytest

from nomadspec.model.entities import Allocation, AllocState, DisconnectStrategy
from nomadspec.model.policy.disconnect import (
    compute_client_stop_ns,
    compute_disconnect_timeout_ns,
    find_last_unknown_ns,
    find_lost_after_ns,
    find_reconcile,
    find_stop_after_ns,
    has_expired,
    has_to_reconnect,
    is_awaiting_reconnect,
    is_replaced_on_disconnect,
    should_client_stop,
)
from nomadspec.model.policy.reschedule import find_own_group
from tests.model.policy.made import NOW_NS, ago, make_alloc, seconds


def make_states(*values: str) -> tuple[AllocState, ...]:
    """Make the entries of an allocation, one a minute, the last one a minute ago."""
    return tuple(
        AllocState(value=value, time_ns=ago(60 * age))
        for age, value in zip(range(len(values), 0, -1), values, strict=True)
    )


def test_without_a_block_the_defaults_hold() -> None:
    """OBJ-071."""
    group = find_own_group(make_alloc())

    assert (0, None, "best_score") == (
        find_lost_after_ns(group),
        find_stop_after_ns(group),
        find_reconcile(group),
    )
    assert (0, None, "best_score") == (
        find_lost_after_ns(None),
        find_stop_after_ns(None),
        find_reconcile(None),
    )


def test_a_block_says_otherwise() -> None:
    """OBJ-071."""
    block = DisconnectStrategy(lost_after_ns=3, stop_on_client_after_ns=0, reconcile="keep_original")
    group = find_own_group(make_alloc(disconnect=block))

    assert (3, 0, "keep_original") == (
        find_lost_after_ns(group),
        find_stop_after_ns(group),
        find_reconcile(group),
    )


@pytest.mark.parametrize(("replace", "expected"), [(None, True), (True, True), (False, False)])
def test_an_unknown_allocation_is_replaced_unless_told_not_to(replace: bool | None, expected: bool) -> None:
    """REC-39."""
    assert expected == is_replaced_on_disconnect(make_alloc(disconnect=DisconnectStrategy(replace=replace)))
    assert is_replaced_on_disconnect(make_alloc())


@pytest.mark.parametrize(
    ("values", "since_s"),
    [
        ([], None),
        (["running"], None),
        (["unknown"], 60),
        (["unknown", "unknown", "running"], 180),
        (["unknown", "running", "unknown"], 60),
        (["unknown", "", "unknown"], 60),
    ],
)
def test_since_when_it_is_unknown(values: list[str], since_s: int | None) -> None:
    """OBJ-222."""
    found_ns = find_last_unknown_ns(make_alloc(alloc_states=make_states(*values)))

    assert (0 if since_s is None else ago(since_s)) == found_ns


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([], False),
        (["unknown"], True),
        (["unknown", "running"], False),
        (["unknown", ""], True),
        ([""], False),
    ],
)
def test_what_was_unknown_last_has_to_reconnect(values: list[str], expected: bool) -> None:
    """OBJ-222."""
    assert expected == has_to_reconnect(make_alloc(alloc_states=make_states(*values)))


def test_states_of_other_fields_do_not_count() -> None:
    """OBJ-222."""
    alloc = make_alloc(alloc_states=(AllocState(field=1, value="unknown", time_ns=5),))

    assert find_last_unknown_ns(alloc) == 0
    assert not has_to_reconnect(alloc)


def test_what_has_ended_or_not_begun_is_not_awaited() -> None:
    """REC-20, REC-32."""
    statuses = ["unknown", "running", "failed", "pending", "complete", "lost"]
    states = make_states("unknown")
    awaited = [
        is_awaiting_reconnect(make_alloc(client_status=status, alloc_states=states)) for status in statuses
    ]

    assert [True] * 3 + [False] * 3 == awaited


@pytest.mark.parametrize(
    ("lost_after", "fields", "expected"),
    [
        (60, {}, True),
        (61, {}, False),
        (0, {}, True),
        (60, {"client_status": "running"}, False),
        (60, {"alloc_states": ()}, False),
        (60, {"task_group": "gone"}, False),
    ],
)
def test_an_allocation_expires_at_the_instant(
    lost_after: int, fields: dict[str, Any], expected: bool
) -> None:
    """OBJ-247."""
    known: dict[str, Any] = {"client_status": "unknown", "alloc_states": make_states("unknown")}
    block = DisconnectStrategy(lost_after_ns=seconds(lost_after))

    assert expected == has_expired(make_alloc(disconnect=block, **(known | fields)), NOW_NS)


def test_the_timeout_counts_from_now() -> None:
    """OBJ-247."""
    block = DisconnectStrategy(lost_after_ns=seconds(60))

    assert NOW_NS + seconds(60) == compute_disconnect_timeout_ns(make_alloc(disconnect=block), NOW_NS)
    assert NOW_NS == compute_disconnect_timeout_ns(Allocation(), NOW_NS)


@pytest.mark.parametrize(("after_ns", "expected"), [(None, False), (0, False), (1, True)])
def test_a_client_stops_after_some_time_or_never(after_ns: int | None, expected: bool) -> None:
    """OBJ-113, OBJ-246."""
    block = DisconnectStrategy(stop_on_client_after_ns=after_ns)

    assert expected == should_client_stop(make_alloc(disconnect=block))


@pytest.mark.parametrize(
    ("states", "kill", "expected_ns"),
    [
        ((), 1, NOW_NS + seconds(15)),
        (make_states("lost", "unknown", "lost"), 1, ago(180) + seconds(15)),
        (make_states("running"), 40, NOW_NS + seconds(50)),
    ],
)
def test_the_client_has_stopped_when_its_slowest_task_has(
    states: tuple[AllocState, ...], kill: int, expected_ns: int
) -> None:
    """OBJ-246, DISC-09."""
    block = DisconnectStrategy(stop_on_client_after_ns=seconds(10))
    alloc = make_alloc(disconnect=block, kill_s=kill, alloc_states=states)

    assert expected_ns == compute_client_stop_ns(alloc, NOW_NS)
