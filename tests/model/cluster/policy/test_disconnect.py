from typing import Any

import pytest

from nomadspec.model.cluster.entities import Allocation, AllocState, DisconnectStrategy
from nomadspec.model.cluster.policy.disconnect import (
    compute_client_stop_ns,
    compute_disconnect_timeout_ns,
    has_expired,
    is_awaiting_reconnect,
    is_replaced_on_disconnect,
    should_client_stop,
)
from tests.model.cluster.policy.made import NOW_NS, ago, make_alloc, seconds


def make_states(*values: str) -> tuple[AllocState, ...]:
    """Make the entries of an allocation, one a minute, the last one a minute ago."""
    return tuple(
        AllocState(value=value, time_ns=ago(60 * age))
        for age, value in zip(range(len(values), 0, -1), values, strict=True)
    )


@pytest.mark.parametrize(("replace", "expected"), [(None, True), (True, True), (False, False)])
def test_an_unknown_allocation_is_replaced_unless_told_not_to(replace: bool | None, expected: bool) -> None:
    """REC-39."""
    assert expected == is_replaced_on_disconnect(make_alloc(disconnect=DisconnectStrategy(replace=replace)))
    assert is_replaced_on_disconnect(make_alloc())


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
