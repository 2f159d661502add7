from typing import Any

import pytest

from nomadspec.checkers.oracle.judgement import Ruling
from tests.recorded import (
    EVERY_THIRD_OR_ALL,
    assert_accepted,
    find_complaint,
    judge_document,
    judge_recordings,
)

KIND = "tasks-updated/cases"


def make_vector(path: list[str | int], value: object, *, destructive: bool = True) -> dict[str, Any]:
    return {
        "id": "x",
        "base": "plain",
        "set": [{"path": path, "value": value}],
        "destructive": destructive,
        "destructive_reverse": destructive,
    }


@EVERY_THIRD_OR_ALL
def test_all_recordings_are_accepted(every: int) -> None:
    assert_accepted(judge_recordings(KIND, every=every))


@pytest.mark.parametrize(
    ("path", "value", "destructive"),
    [
        (["TaskGroups", 0, "Tasks", 0, "User"], "root", True),
        (["TaskGroups", 0, "Tasks", 1], None, True),
        (["TaskGroups", 0, "Update", "Canary"], 1, False),
        (["TaskGroups", 1], None, False),
        (["Datacenters", 0], "dc1", False),
    ],
)
def test_a_value_is_put_at_its_place(path: list[str | int], value: object, destructive: bool) -> None:
    assert Ruling.ACCEPTED == judge_document(KIND, make_vector(path, value, destructive=destructive)).ruling


def test_a_wrong_answer_is_named_with_its_rule() -> None:
    difference = judge_document(KIND, make_vector(["Priority"], 1)).difference

    assert difference
    assert ("destructive", "GENERIC-56") == (difference.path, difference.rule)


@pytest.mark.parametrize(
    ("vector", "at"),
    [
        ({**make_vector(["Priority"], 1), "base": "other"}, "base"),
        (make_vector([], 1), "set[0].path"),
        (make_vector(["TaskGroups", 7, "Name"], "x"), "set[0].path"),
        (make_vector(["TaskGroups", "x"], "x"), "set[0].path"),
        (make_vector(["ID", "x"], "x"), "set[0].path"),
        (make_vector(["Priority"], "high"), "Job.Priority"),
    ],
)
def test_what_cannot_be_done_is_told_with_its_place(vector: dict[str, Any], at: str) -> None:
    assert at == find_complaint(lambda: judge_document(KIND, vector))
