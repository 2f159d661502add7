"""The recordings of fit tests, scores and offers of ports are accepted."""

import pytest

from tests.recorded import assert_accepted, judge_recordings


@pytest.mark.parametrize("kind", ["allocs-fit", "ports", "scores"])
def test_recordings_are_accepted(kind: str) -> None:
    assert_accepted(judge_recordings(f"fit-and-score/{kind}"))
