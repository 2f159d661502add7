"""A drain that had to end and goes on is found: its node was empty, became so, or its time was over."""

import pytest

from nomadspec.checkers.oracle.explain.drains import compare_drains
from nomadspec.checkers.oracle.judgement import Difference
from tests.checkers.oracle.deciding import replay_recorded
from tests.checkers.oracle.lying.others import LIES
from tests.checkers.oracle.lying.telling import read_rest, tell_lies

PATIENCE_NS = 4_000_000_000


@pytest.mark.parametrize(
    ("name", "index"),
    [("drain_ignore_system", 25), ("drain_deadline", 26), ("drain_force", 29), ("drain_batch", 23)],
)
def test_a_drain_that_does_not_end_is_found(name: str, index: int) -> None:
    """DRAIN-03, DRAIN-12, DRAIN-13."""
    (lie,) = tell_lies(name, LIES["drain: does not end"], 1)

    found = list(compare_drains(lie.replay, lie.rest.stop_index, lie.rest.ended_ns, PATIENCE_NS))

    assert [Difference(f"raft-log[{index}]", "it drains", "the drain ends", "DRAIN-12")] == found


@pytest.mark.parametrize("name", ["drain_ignore_system", "drain_deadline", "drain_two", "drain_cancel"])
def test_drains_that_end_in_time_are_right(name: str) -> None:
    rest = read_rest(name)

    assert [] == list(compare_drains(replay_recorded(name), rest.stop_index, rest.ended_ns, PATIENCE_NS))
