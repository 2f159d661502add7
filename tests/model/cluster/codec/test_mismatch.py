"""Tests of `model/cluster/codec/mismatch.py`."""

import pytest

from nomadspec.model.cluster.codec.mismatch import MismatchError, describe, join_steps


@pytest.mark.parametrize(
    ("value", "name"),
    [
        ({"a": 1}, "an object"),
        ([1], "a list"),
        (True, "a truth value (true)"),
        (None, "null"),
        ("12", "'12'"),
        (1.5, "1.5"),
        ("x" * 100, "'" + "x" * 59 + "..."),
    ],
)
def test_a_value_is_named_in_few_words(value: object, name: str) -> None:
    assert name == describe(value)


def test_the_way_to_a_value_reads_like_the_interface() -> None:
    """OBJ-001."""
    assert "TaskGroups[0].Meta{color}" == join_steps(["TaskGroups", "[0]", "Meta", "{color}"])
    assert "[3].Name" == join_steps(["[3]", "Name"])
    assert "" == join_steps([])


def test_a_mismatch_becomes_a_sentence_that_names_the_place() -> None:
    error = MismatchError("a text", 7)
    error.steps += ["Name", "[1]", "Tasks"]

    assert "job.json, at Tasks[1].Name: expected a text, found 7." == str(error.explain("job.json"))


def test_the_empty_name_is_a_step_too() -> None:
    assert "Meta{}" == join_steps(["Meta", "{}"])
    assert "a." == join_steps(["a", ""])
