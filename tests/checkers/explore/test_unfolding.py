"""Promises for endless paths under reductions: the same answers as in the whole graph, or none."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nomadspec.checkers.explore.explorer import explore
from nomadspec.checkers.explore.reduction import REDUCTIONS
from nomadspec.checkers.usual_profile import bind_as_usual
from nomadspec.checkers.verdict import Verdict
from nomadspec.invariants.catalogue import find_model
from nomadspec.model.language.bounded import BoundedModel
from nomadspec.model.language.claim import judge
from nomadspec.model.language.model import Model
from nomadspec.model.language.property import Kind
from nomadspec.model.language.story import replay
from tests.checkers.explore.boards import BOARDS
from tests.checkers.explore.fair_paths import is_promise_kept
from tests.checkers.explore.models import DIAL, GATE_OPEN, GATE_SHUT, LAMPS, RELAY, ROOMS


def check_promises_of(bounded: BoundedModel, reduction: str, engine: str = "interpreted") -> None:
    """Compare each promise with a plain look at all fair paths, and replay what is told of broken ones."""
    for prop in bounded.model.list_properties(Kind.EVENTUALLY):
        report = explore(bounded, properties=[prop.name], reduction=reduction, engine=engine)
        is_kept = is_promise_kept(bounded, prop)
        assert (Verdict.HOLDS if is_kept else Verdict.VIOLATED) is report.verdict
        assert {} == dict(report.not_checked)
        for finding in report.findings:
            assert finding.story is not None
            assert judge(finding.story, replay(finding.story, bounded)).is_true


@pytest.mark.parametrize("reduction", REDUCTIONS)
@pytest.mark.parametrize(
    "model", [GATE_OPEN, GATE_SHUT, LAMPS, RELAY, ROOMS], ids=["open", "shut", "lamps", "relay", "rooms"]
)
def test_every_reduction_gives_the_answer_of_the_whole_graph(model: Model, reduction: str) -> None:
    check_promises_of(model.at(), reduction)


@settings(max_examples=15)
@given(BOARDS, st.sampled_from(REDUCTIONS))
def test_random_models_keep_and_break_promises_alike(model: Model, reduction: str) -> None:
    check_promises_of(model.at(), reduction)


@pytest.mark.deep
@settings(max_examples=100)
@given(BOARDS, st.sampled_from(REDUCTIONS))
def test_more_random_models_do_too(model: Model, reduction: str) -> None:
    check_promises_of(model.at(), reduction)


def test_machine_code_gives_the_same_answers() -> None:
    for reduction in ("none", "symmetry"):
        check_promises_of(RELAY.at(), reduction, "compiled")


def test_what_the_whole_graph_cost_is_said() -> None:
    report = explore(RELAY.at(), properties=["finishes"], reduction="symmetry")

    assert report.distinct < explore(RELAY.at(), properties=["finishes"]).distinct
    assert ("for endless paths all 17 worlds were visited",) == report.engine_notes


def test_who_does_not_ask_by_name_is_told_to() -> None:
    report = explore(LAMPS.at(), reduction="symmetry", most_unfolded=3)

    assert {"is_lit_at_last", "rings"} == report.not_checked.keys()
    assert all("ask for it with --property" in reason for reason in report.not_checked.values())


def test_a_bounded_search_says_nothing() -> None:
    for most in (3, 8):
        report = explore(LAMPS.at(), properties=["rings"], reduction="symmetry", max_states=most)

        assert (Verdict.INCONCLUSIVE, "states") == (report.verdict, report.stopped_by)
        assert {"rings"} == report.not_checked.keys()


@pytest.mark.parametrize(
    ("model", "name", "distinct", "most"),
    [
        ("2pc", "everyone_is_told", 314, 1_000),
        pytest.param("core", "evaluation_is_answered", 4_351, 10_000, marks=pytest.mark.deep),
    ],
)
def test_a_second_search_that_is_cut_leaves_the_first_exhaustive(
    model: str, name: str, distinct: int, most: int
) -> None:
    bounded = bind_as_usual(find_model(model), "small")

    report = explore(bounded, properties=[name], reduction="symmetry", max_states=most)

    assert (distinct, "states", True) == (report.distinct, report.stopped_by, report.is_exhaustive)
    assert Verdict.INCONCLUSIVE is report.verdict
    assert "worlds were visited (states)" in report.not_checked[name]
    assert "for endless paths all" not in report.engine_notes[-1]


def test_after_another_violation_nothing_is_said() -> None:
    assert {"stops"} == explore(
        DIAL.at(), properties=["is_low", "stops"], reduction="symmetry"
    ).not_checked.keys()
