"""No cluster is refused that does what it may, however things meet in it, and wherever its log ends."""

import pytest
from msgspec.structs import replace

from tests.checkers.oracle.walked import judge_walk, walk_log

MOVES = 300
MANY = 200
CUTS = 6
REFUSED_ONCE = (106, 195, 198)
"""Walks that were refused: a job that changed before its plan was submitted, a drain, a second attempt."""


SHORT = 80
REFUSED_SHORT = (694, 723, 1934)
"""Short walks that were refused: an attempt that left no entry met a node that was full, or an older job."""


def assert_nothing_is_refused(number: int, patch: pytest.MonkeyPatch) -> None:
    moves = MOVES * (1 + number % 3)
    replay = walk_log(f"deep {number}", moves, patch)

    assert len(replay.steps) > moves // 10
    assert (number, list(judge_walk(replay))) == (number, [])


@pytest.mark.parametrize("number", REFUSED_ONCE)
def test_a_walk_of_the_model_is_never_refused(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """WORKER-03, PLAN-15, PLAN-90, DRAIN-12."""
    assert_nothing_is_refused(number, monkeypatch)


@pytest.mark.parametrize("number", REFUSED_SHORT)
def test_a_short_walk_of_the_model_is_never_refused(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """PLAN-45, PLAN-90, PLAN-92."""
    assert list(judge_walk(walk_log(f"short {number}", SHORT, monkeypatch))) == []


def test_what_is_rejected_may_be_on_another_node_than_what_stops(monkeypatch: pytest.MonkeyPatch) -> None:
    """PLAN-45, PLAN-46."""
    assert list(judge_walk(walk_log("q19 1329", 2 * MOVES, monkeypatch))) == []


def test_a_walk_is_never_refused_wherever_its_log_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """WIRE-134."""
    replay = walk_log("cut", MOVES // 2, monkeypatch)

    for at in range(1, len(replay.steps), max(len(replay.steps) // CUTS, 1)):
        assert list(judge_walk(replace(replay, steps=replay.steps[:at]))) == []


@pytest.mark.deep
@pytest.mark.parametrize("number", range(MANY))
def test_no_walk_of_the_model_is_refused(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    assert_nothing_is_refused(number, monkeypatch)
