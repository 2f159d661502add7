from typing import Any

import pytest

from nomadspec.checkers.oracle.judgement import Ruling
from tests.recorded import assert_accepted, find_complaint, judge_document, judge_recordings

ELIGIBILITY = "computed-class/eligibility"
ESCAPE = "computed-class/escape"
PAIRS = "computed-class/pairs"

UNIQUE = {"LTarget": "${node.unique.id}", "Operand": "is_set"}
JOB = {"Constraints": [UNIQUE], "TaskGroups": [{"Name": "web"}]}
ESCAPED = {
    "id": "x",
    "job": JOB,
    "job_constraints_escaped": [0],
    "job_escaped": True,
    "groups_escaped": {"web": False},
    "has_escaped": True,
}
PAIR = {
    "id": "x",
    "change": "name",
    "a": {"Name": "a"},
    "b": {"Name": "b"},
    "same": True,
    "class_a": "v1:1",
    "class_b": "v1:1",
}
LEARNT: dict[str, Any] = {
    "id": "x",
    "job": {"TaskGroups": [{"Name": "web"}]},
    "ops": [
        {"op": "set-job", "class": "c", "eligible": True},
        {"op": "set-group", "group": "web", "class": "d", "eligible": False},
        {"op": "job-status", "class": "c", "answer": "eligible"},
        {"op": "group-status", "group": "web", "class": "d", "answer": "ineligible"},
    ],
    "classes": {"c": True, "d": False},
    "has_escaped": False,
}


@pytest.mark.parametrize("kind", [ELIGIBILITY, ESCAPE, PAIRS])
def test_all_recordings_are_accepted(kind: str) -> None:
    assert_accepted(judge_recordings(kind))


@pytest.mark.parametrize(("kind", "vector"), [(ELIGIBILITY, LEARNT), (ESCAPE, ESCAPED), (PAIRS, PAIR)])
def test_what_was_written_by_hand_is_accepted(kind: str, vector: dict[str, Any]) -> None:
    assert Ruling.ACCEPTED == judge_document(kind, vector).ruling


@pytest.mark.parametrize(
    ("kind", "vector", "path", "rule"),
    [
        (PAIRS, {**PAIR, "same": False}, "same", "FEAS-16"),
        (PAIRS, {**PAIR, "class_b": "v1:2"}, "class_b", "FEAS-16"),
        (PAIRS, {**PAIR, "b": {"NodePool": "mills"}, "same": False}, "class_b", "FEAS-16"),
        (ESCAPE, {**ESCAPED, "job_constraints_escaped": []}, "job_constraints_escaped[0]", "FEAS-19"),
        (ESCAPE, {**ESCAPED, "groups_escaped": {}}, "groups_escaped.web", "FEAS-19"),
        (ESCAPE, {**ESCAPED, "has_escaped": False}, "has_escaped", "FEAS-25"),
        (ELIGIBILITY, {**LEARNT, "classes": {"c": True}}, "classes.d", "FEAS-25"),
        (ELIGIBILITY, {**LEARNT, "ops": LEARNT["ops"][1:]}, "ops[1].answer", "FEAS-20"),
    ],
)
def test_what_differs_is_named_with_its_rule(kind: str, vector: dict[str, Any], path: str, rule: str) -> None:
    difference = judge_document(kind, vector).difference

    assert difference
    assert (path, rule) == (difference.path, difference.rule)


@pytest.mark.parametrize("operation", [{"op": "forget"}, {"op": "set-job", "class": 1, "eligible": True}])
def test_what_is_no_operation_is_unreadable(operation: dict[str, Any]) -> None:
    assert find_complaint(lambda: judge_document(ELIGIBILITY, {**LEARNT, "ops": [operation]}))
