"""The recordings of garbage collection."""

from typing import Any

import pytest

from nomadspec.checkers.oracle.judgement import Ruling
from tests.recorded import assert_accepted, judge_document, judge_recordings, read_recordings


def test_the_recordings_are_accepted() -> None:
    assert_accepted(judge_recordings("gc/cases"))


@pytest.mark.parametrize(
    ("name", "value", "at"),
    [("now", "yesterday", "now"), ("job", "tea-gc", "job"), ("thresholds", {"eval": "x"}, "thresholds.eval")],
)
def test_what_no_server_writes_is_told_with_its_place(name: str, value: Any, at: str) -> None:
    told = judge_document("gc/cases", {**read_recordings("gc/cases")[0], name: value})

    assert Ruling.REJECTED == told.ruling
    assert told.difference is not None
    assert at == told.difference.path
