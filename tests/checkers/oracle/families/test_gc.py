"""The recordings of garbage collection."""

from typing import Any

import pytest

from tests.recorded import assert_accepted, find_complaint, judge_document, judge_recordings, read_recordings


def test_the_recordings_are_accepted() -> None:
    assert_accepted(judge_recordings("gc/cases"))


@pytest.mark.parametrize(
    ("name", "value", "at"),
    [("now", "yesterday", "now"), ("job", "tea-gc", "job"), ("thresholds", {"eval": "x"}, "thresholds.eval")],
)
def test_what_no_server_writes_is_told_with_its_place(name: str, value: Any, at: str) -> None:
    document = {**read_recordings("gc/cases")[0], name: value}

    assert at == find_complaint(lambda: judge_document("gc/cases", document))
