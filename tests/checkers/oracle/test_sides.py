"""Taking recordings apart."""

from nomadspec.checkers.oracle.judgement import ABSENT, Difference
from nomadspec.checkers.oracle.sides import keep, list_leaves, put, split

DOCUMENT = {
    "id": "x",
    "config": {},
    "ops": [{"op": "ack", "state": {"wait": ["e01"]}}, {"op": "nack", "state": {"wait": []}, "error": "no"}],
}


def test_a_recording_is_taken_apart() -> None:
    sides = split(
        "broker/sequences",
        DOCUMENT,
        [Difference("ops[0].state.wait[0]", "e01", ABSENT, ""), Difference("ops[1].error", "no", ABSENT, "")],
    )

    assert {"id": "x", "config": {}, "ops": [{"op": "ack"}, {"op": "nack"}]} == sides.asked
    assert {"ops": [{"state": {"wait": ["e01"]}}, {"state": {"wait": []}, "error": "no"}]} == sides.recorded
    assert {"ops": [{"state": {"wait": [ABSENT]}}, {"state": {"wait": []}}]} == sides.model


def test_nothing_is_left_where_nothing_was_answered() -> None:
    assert ABSENT is keep({"id": "x", "ops": [{"op": "ack"}]}, "broker/sequences", answers=True)


def test_a_place_that_is_not_there_is_made() -> None:
    assert {"a": [{"b": 1}]} == put({}, ["a", 0, "b"], 1)
    assert {"a": 1} == put({"a": [1, 2]}, ["a"], 1)


def test_leaves_are_what_has_no_parts() -> None:
    assert [("id", "x"), ("config", {}), ("ops[0].op", "ack"), ("ops[0].state.wait[0]", "e01")] == list(
        list_leaves(DOCUMENT)
    )[:4]
