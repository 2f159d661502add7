from typing import Any

import pytest

from nomadspec.checkers.oracle.judgement import Judgement, Ruling
from tests.recorded import assert_accepted, find_complaint, judge_document, judge_recordings

JOB = {
    "Namespace": "default",
    "ID": "tide",
    "Type": "batch",
    "Periodic": {"Enabled": True, "Specs": ["@hourly"], "SpecType": "cron"},
}
START = "2000-01-01T00:30:00Z"
LATER = "2000-01-01T01:30:00Z"


@pytest.mark.parametrize("kind", ["periodic/dispatcher", "periodic/next-launch"])
def test_all_recordings_are_accepted(kind: str) -> None:
    assert_accepted(judge_recordings(kind))


def judge_next(**change: Any) -> Judgement:
    return judge_document(
        "periodic/next-launch",
        {
            "id": "cron-x",
            "periodic": {"Enabled": True, "Spec": "@daily", "SpecType": "cron", "TimeZone": "Europe/Berlin"},
            "from": "2031-06-15T12:00:00Z",
            "next": "2031-06-16T00:00:00+02:00",
            "next_utc": "2031-06-15T22:00:00Z",
            **change,
        },
    )


def test_a_launch_is_told_in_the_clock_of_its_zone() -> None:
    assert Ruling.ACCEPTED is judge_next().ruling
    assert Ruling.REJECTED is judge_next(next="2031-06-15T22:00:00Z").ruling


@pytest.mark.parametrize("change", [{"from": "noon"}, {"from": 3}, {"periodic": {"Enabled": 7}}])
def test_a_recording_of_another_shape_is_unreadable(change: dict[str, Any]) -> None:
    assert find_complaint(lambda: judge_next(**change))


def describe(job: str) -> dict[str, Any]:
    child = f"{job}/periodic-946688400"
    return {
        "ID": child,
        "ParentID": job,
        "Name": child,
        "Periodic": False,
        "Status": "",
        "time": "2000-01-01T01:00:00Z",
    }


def judge_dispatcher(launched: list[Any]) -> Judgement:
    tracked = ["default/bell", "default/tide"]
    told = {"launched": [], "at": START}
    ops = [
        {"op": "set-enabled", "enabled": True, "tracked": [], **told},
        {"op": "add", "job": JOB, "tracked": ["default/tide"], **told},
        {"op": "add", "job": {**JOB, "ID": "bell"}, "tracked": tracked, **told},
        {"op": "elapse", "ns": 3600 * 10**9, "at": LATER, "launched": launched, "tracked": tracked},
        {"op": "remove", "job": "bell", "at": LATER, "launched": [], "tracked": ["default/tide"]},
        {
            "op": "force",
            "job": "bell",
            "error": 'can\'t force run non-tracked job "bell" (default)',
            "at": LATER,
            "launched": [],
            "tracked": ["default/tide"],
        },
    ]
    return judge_document("periodic/dispatcher", {"id": "disp-x", "start": START, "ops": ops})


def test_launches_at_one_instant_come_in_any_order() -> None:
    assert Ruling.ACCEPTED is judge_dispatcher([describe("bell"), describe("tide")]).ruling
    assert Ruling.ACCEPTED is judge_dispatcher([describe("tide"), describe("bell")]).ruling


@pytest.mark.parametrize(
    "launched",
    [
        [],
        [describe("tide")],
        [describe("tide"), describe("tide")],
        [describe("bell"), {**describe("tide"), "Status": "pending"}],
        [describe("bell"), 3],
    ],
)
def test_launches_are_exact(launched: list[Any]) -> None:
    judgement = judge_dispatcher(launched)

    assert Ruling.REJECTED is judgement.ruling
    assert judgement.difference is not None
    assert judgement.difference.path.startswith("ops[3].launched")
    assert "JOB-25" == judgement.difference.rule
