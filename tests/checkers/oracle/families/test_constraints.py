from typing import Any

import pytest

from nomadspec.checkers.oracle.judgement import Ruling
from tests.recorded import assert_accepted, find_complaint, judge_document, judge_recordings

OPERANDS = "constraints/operands"
DEVICES = "constraints/device-operands"
TARGETS = "constraints/targets"
NODE = {"ID": "n1", "Attributes": {"empty": ""}}


@pytest.mark.parametrize("kind", [OPERANDS, DEVICES, TARGETS])
def test_all_recordings_are_accepted(kind: str) -> None:
    assert_accepted(judge_recordings(kind))


@pytest.mark.parametrize(
    ("kind", "vector", "path", "rule"),
    [
        (OPERANDS, {"operand": "<", "left": "1", "right": "2", "result": False}, "result", "FEAS-35"),
        (OPERANDS, {"operand": "version", "left": "1", "right": "1", "result": False}, "result", "FEAS-37"),
        (OPERANDS, {"operand": "semver", "left": "1", "right": "1", "result": 1}, "result", "FEAS-39"),
        (OPERANDS, {"operand": "=", "left": None, "right": None}, "result", "FEAS-31"),
        (
            DEVICES,
            {"operand": "is_set", "left": "1", "right": None, "left_parsed": {"Float": 1}, "result": True},
            "left_parsed.Float",
            "FEAS-55",
        ),
        (
            DEVICES,
            {"operand": "is_set", "left": None, "right": None, "result": True},
            "result",
            "FEAS-58",
        ),
        (TARGETS, {"target": "${attr.empty}", "node": NODE, "value": "x", "found": True}, "value", "FEAS-29"),
        (TARGETS, {"target": "${attr.empty}", "node": NODE, "value": "", "found": False}, "found", "FEAS-29"),
    ],
)
def test_what_differs_is_named_with_its_rule(kind: str, vector: dict[str, Any], path: str, rule: str) -> None:
    difference = judge_document(kind, {"id": "x", **vector}).difference

    assert difference
    assert (path, rule) == (difference.path, difference.rule)


def test_a_fraction_may_be_written_as_a_whole_number() -> None:
    parsed = {"Float": 11}
    vector = {
        "id": "x",
        "operand": "is_set",
        "left": "11.0",
        "right": None,
        "left_parsed": parsed,
        "result": True,
    }

    assert Ruling.ACCEPTED == judge_document(DEVICES, vector).ruling


def test_no_answer_is_known_for_what_is_no_number() -> None:
    vector = {"id": "x", "operand": "<", "left": "nan", "right": "1", "result": True}

    assert Ruling.UNDECIDED == judge_document(DEVICES, vector).ruling


@pytest.mark.parametrize("left", [1, ["a"], {}])
def test_what_is_no_text_is_unreadable(left: object) -> None:
    vector = {"id": "x", "operand": "=", "left": left, "right": "", "result": True}

    assert "left" == find_complaint(lambda: judge_document(OPERANDS, vector))
