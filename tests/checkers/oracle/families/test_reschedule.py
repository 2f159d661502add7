from typing import Any

import pytest

from nomadspec.checkers.oracle.judgement import Ruling
from tests.recorded import assert_accepted, find_complaint, judge_document, judge_recordings

KIND = "reschedule/cases"
NOW = "2031-05-18T08:16:40Z"
VECTOR: dict[str, Any] = {
    "id": "x",
    "now": NOW,
    "job_type": "service",
    "group": {"Name": "web", "ReschedulePolicy": None, "Disconnect": None, "KillTimeout": 5_000_000_000},
    "alloc": {"TaskGroup": "web", "DesiredStatus": "run", "ClientStatus": "running"},
    "eval_id": "e1",
    "disconnecting": False,
    "deployment": None,
    "last_event_time": None,
    "next_delay_ns": 0,
    "next_time": {"time": None, "eligible": False},
    "next_time_from_now": {"time": None, "eligible": False},
    "eligible_by_policy": False,
    "should_reschedule": False,
    "attempted": 0,
    "attempts": 0,
    "pre_filter": {"untainted": False, "ignore": False},
    "decision": {"now": False, "later": False, "time": None},
    "filter": {"set": "kept", "later": None},
    "last_unknown": None,
    "needs_to_reconnect": False,
    "expired": False,
    "replace_on_disconnect": True,
    "disconnect_timeout": NOW,
    "should_client_stop": False,
}


def test_all_recordings_are_accepted() -> None:
    assert_accepted(judge_recordings(KIND))


def test_what_was_written_by_hand_is_accepted() -> None:
    assert Ruling.ACCEPTED == judge_document(KIND, VECTOR).ruling


@pytest.mark.parametrize(
    ("changed", "path", "rule"),
    [
        ({"next_delay_ns": 1}, "next_delay_ns", "OBJ-240"),
        ({"decision": {"now": True, "later": False, "time": None}}, "decision.now", "RESCHED-18"),
        ({"filter": {"set": "now", "later": None}}, "filter.set", "REC-46"),
        ({"expired": True}, "expired", "OBJ-247"),
        ({"wait_client_stop": NOW}, "wait_client_stop", "OBJ-246"),
        ({"job_type": "batch"}, "pre_filter.untainted", "REC-44"),
    ],
)
def test_what_differs_is_named_with_its_rule(changed: dict[str, Any], path: str, rule: str) -> None:
    difference = judge_document(KIND, {**VECTOR, **changed}).difference

    assert difference
    assert (path, rule) == (difference.path, difference.rule)


@pytest.mark.parametrize(
    ("changed", "path"),
    [
        ({"now": "noon"}, "now"),
        ({"eval_id": None}, "eval_id"),
        ({"alloc": {"ClientStatus": 3}}, "ClientStatus"),
    ],
)
def test_what_cannot_be_read_is_told_with_its_place(changed: dict[str, Any], path: str) -> None:
    assert path == find_complaint(lambda: judge_document(KIND, {**VECTOR, **changed}))
