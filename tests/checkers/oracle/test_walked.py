"""No cluster is refused that does what it may, however things meet in it, and wherever its log ends."""

import pytest
from msgspec.structs import replace

from nomadspec.checkers.oracle.explain.decisions import list_decisions
from nomadspec.checkers.oracle.explain.outcomes import explain_outcome
from nomadspec.model.specification.profiles import NOMAD_2_0
from tests.checkers.oracle.walked import draw_as_before, judge_walk, walk_log

MOVES = 300
SHORTEST = 198
MANY = 200
CUTS = 6
REFUSED_ONCE = (106, 107, 195, 198)
"""Walks that were refused: a job that changed before its plan was submitted, a drain, a second attempt, and a
blocked evaluation that gave way to one which was cancelable before this was written."""


DERIVED = {("deep 185", 3 * MOVES): 314, ("fourth19 mid 0", MOVES): 99, ("fourth19 mid 15", MOVES): 30}
"""By walk, the entry of an outcome that was refused.

An attempt was refused as a whole between two that left plans; a call saw what was configured after the entry
that it names; an attempt was refused by an older state than the next one was made on.
"""

LONG = 99
"""The entry of the outcome that takes as long as the others together."""

SHORT = 80
REFUSED_SHORT = (694, 723, 1934)
"""Short walks that were refused: an attempt that left no entry met a node that was full, or an older job."""


REFUSED_OTHERWISE = {
    "q19 1329": 2 * MOVES,
    "fresh19 short 414": SHORT,
    "second19 short 41": SHORT,
    "second19 short 82": SHORT,
}
"""Other walks that were refused, and how many moves they have. A seed is any text, which means nothing.

What is rejected may be on another node than what stops; a plan may come from a call that broke off; what an
attempt makes is written before its plan, and four attempts in a row may be refused as a whole.
"""
REFUSED_LONG = "fresh19 long 98"
"""A long one: a later attempt was made long before its plan was committed."""


@pytest.fixture
def _drawn_as_before(monkeypatch: pytest.MonkeyPatch) -> None:
    draw_as_before(monkeypatch)


def assert_nothing_is_refused(number: int, patch: pytest.MonkeyPatch) -> None:
    moves = MOVES * (1 + number % 3)
    replay = walk_log(f"deep {number}", moves, patch)

    assert len(replay.steps) > moves // 10
    assert (number, list(judge_walk(replay))) == (number, [])


@pytest.mark.usefixtures("_drawn_as_before")
@pytest.mark.parametrize(
    "number", [one if one == SHORTEST else pytest.param(one, marks=pytest.mark.deep) for one in REFUSED_ONCE]
)  # the longer ones are among all that the deep tests walk
def test_a_walk_of_the_model_is_never_refused(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """WORKER-03, PLAN-15, PLAN-90, DRAIN-12."""
    assert_nothing_is_refused(number, monkeypatch)


@pytest.mark.usefixtures("_drawn_as_before")
@pytest.mark.parametrize("number", REFUSED_SHORT)
def test_a_short_walk_of_the_model_is_never_refused(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """PLAN-45, PLAN-90, PLAN-92."""
    assert list(judge_walk(walk_log(f"short {number}", SHORT, monkeypatch))) == []


@pytest.mark.usefixtures("_drawn_as_before")
@pytest.mark.parametrize("seed", REFUSED_OTHERWISE)
def test_a_walk_of_another_seed_is_never_refused(seed: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """EVAL-12, PLAN-45, PLAN-46, PLAN-90, WORKER-03."""
    assert list(judge_walk(walk_log(seed, REFUSED_OTHERWISE[seed], monkeypatch))) == []


@pytest.mark.usefixtures("_drawn_as_before")
@pytest.mark.parametrize(
    ("walk", "index"),
    [
        pytest.param(walk, index, id=f"{walk}-{index}", marks=pytest.mark.deep if index == LONG else [])
        for walk, index in DERIVED.items()
    ],
)
def test_an_outcome_is_derived_whatever_happened_meanwhile(
    walk: tuple[str, int], index: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """GENERIC-41, OBJ-026, PLAN-57, PLAN-90."""
    replay = walk_log(*walk, monkeypatch)
    (decision,) = (each for each in list_decisions(replay) if each.index == index)

    assert explain_outcome(replay, decision, NOMAD_2_0).is_derived


@pytest.mark.usefixtures("_drawn_as_before")
@pytest.mark.deep
def test_a_long_walk_that_was_refused_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    """EVAL-12, PLAN-90."""
    assert list(judge_walk(walk_log(REFUSED_LONG, 6 * MOVES, monkeypatch))) == []


def test_a_walk_is_never_refused_wherever_its_log_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """WIRE-134."""
    replay = walk_log("cut", MOVES // 2, monkeypatch)

    for at in range(1, len(replay.steps), max(len(replay.steps) // CUTS, 1)):
        assert list(judge_walk(replace(replay, steps=replay.steps[:at]))) == []


@pytest.mark.deep
@pytest.mark.parametrize("number", range(MANY))
def test_no_walk_of_the_model_is_refused(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    assert_nothing_is_refused(number, monkeypatch)
