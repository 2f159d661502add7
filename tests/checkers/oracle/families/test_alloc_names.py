from typing import Any

import pytest

from nomadspec.checkers.oracle.judgement import Ruling
from tests.recorded import assert_accepted, find_complaint, judge_document, judge_recordings

KIND = "alloc-names/cases"


def make_vector(*ops: dict[str, Any]) -> dict[str, Any]:
    state = {"size": 8, "used": [0, 1], "duplicates": {"0": 1}}
    return {
        "id": "names-x",
        "job": "job",
        "group": "web",
        "count": 2,
        "existing": ["job.web[0]", "job.web[0]", "job.web[1]"],
        "initial": state,
        "ops": [{"state": state, **operation} for operation in ops],
    }


MARKS = {"is_duplicate_before": True, "is_duplicate_after": False}
GIVEN_BACK = {"op": "unset", "index": 0, **MARKS, "state": {"size": 8, "used": [0, 1], "duplicates": {}}}
ASKED = {"op": "is-duplicate", "index": 0, "answer": True, "is_duplicate_after": True}
TAKEN = {
    "op": "highest",
    "n": 2,
    "answer": ["job.web[1]", "job.web[0]"],
    "state": {"size": 8, "used": [], "duplicates": {"0": 1}},
}
CANARIES = {
    "op": "next-canaries",
    "n": 1,
    "existing_canaries": [],
    "destructive": ["job.web[1]"],
    "answer": ["job.web[1]"],
}


def test_all_recordings_are_accepted() -> None:
    assert_accepted(judge_recordings(KIND))


@pytest.mark.parametrize("operation", [GIVEN_BACK, ASKED, TAKEN, CANARIES])
def test_every_operation_is_followed(operation: dict[str, Any]) -> None:
    assert Ruling.ACCEPTED == judge_document(KIND, make_vector(operation)).ruling


@pytest.mark.parametrize(
    ("vector", "path", "rule"),
    [
        (make_vector({"op": "next", "n": 1, "answer": ["job.web[1]"]}), "ops[0].answer[0]", "REC-58"),
        (make_vector({**TAKEN, "answer": ["job.web[1]"]}), "ops[0].answer[0]", "REC-57"),
        (make_vector({**GIVEN_BACK, "is_duplicate_after": True}), "ops[0].is_duplicate_after", "REC-61"),
        (
            {**make_vector(), "initial": {"size": 8, "used": [0], "duplicates": {}}},
            "initial.used[1]",
            "REC-56",
        ),
        (make_vector(ASKED, {**ASKED, "more": 1}), "ops[1].more", "REC-60"),
    ],
)
def test_what_differs_is_named_with_its_rule(vector: dict[str, Any], path: str, rule: str) -> None:
    difference = judge_document(KIND, vector).difference

    assert difference
    assert (path, rule) == (difference.path, difference.rule)


@pytest.mark.parametrize(
    "operation",
    [
        {"op": "other"},
        {"op": "next", "n": "1"},
        {"op": "next", "n": -1},
        {"op": "next", "n": 2**40},
        {"n": 1},
    ],
)
def test_what_is_no_operation_is_unreadable(operation: dict[str, Any]) -> None:
    assert find_complaint(lambda: judge_document(KIND, make_vector(operation)))


def test_an_answer_that_is_missing_is_rejected() -> None:
    assert Ruling.REJECTED == judge_document(KIND, make_vector({**TAKEN, "answer": None})).ruling
