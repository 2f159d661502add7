"""Promises for endless paths: kept, and broken with a lasso that shows it."""

import pytest

from nomadspec.checkers.explore.explorer import explore
from nomadspec.checkers.explore.liveness import check_endless
from nomadspec.checkers.explore.search import Search
from nomadspec.checkers.explore.search_state import Explored
from nomadspec.checkers.explore.task import Task, make_task
from nomadspec.checkers.usual_profile import bind_as_usual
from nomadspec.checkers.verdict import Verdict
from nomadspec.invariants.catalogue import find_model
from nomadspec.model.language.bounded import BoundedModel
from nomadspec.model.language.claim import judge
from nomadspec.model.language.model import Model
from nomadspec.model.language.rule import weak
from nomadspec.model.language.story import Story, replay
from tests.checkers.explore.models import (
    DIAL,
    GATE_OPEN,
    GATE_SHUT,
    GATE_STILL,
    LAMPS,
    RELAY,
    ROOMS,
    make_gate,
)


def find_lasso(bounded: BoundedModel, name: str) -> Story:
    report = explore(bounded, properties=[name])
    (finding,) = report.findings
    assert name == finding.property
    assert finding.story is not None
    assert judge(finding.story, replay(finding.story, bounded)).is_true
    return finding.story


def list_loop(story: Story) -> list[str]:
    return [str(step) for step in story.steps[story.loop :]]


@pytest.mark.parametrize(
    ("model", "name"),
    [
        pytest.param(GATE_OPEN, "goes_through", id="strong fairness"),
        pytest.param(DIAL, "stops", id="weak fairness, several initial worlds"),
        pytest.param(LAMPS, "is_lit_at_last", id="for each lamp, with a premise"),
    ],
)
def test_a_promise_is_kept(model: Model, name: str) -> None:
    report = explore(model.at(), properties=[name])

    assert Verdict.HOLDS is report.verdict
    assert (name,) == report.checked
    assert {} == dict(report.not_checked)


@pytest.mark.parametrize("model", ["core", "2pc"])
def test_the_small_models_keep_their_promises(model: str) -> None:
    bounded = bind_as_usual(find_model(model), "small")
    promises = [prop.name for prop in bounded.model.properties if prop.kind.value == "eventually"]

    assert 1 == len(promises)
    assert Verdict.HOLDS is explore(bounded, properties=promises).verdict


def test_without_fairness_the_world_just_stays() -> None:
    story = find_lasso(GATE_STILL.at(), "goes_through")

    assert ((), 0) == (story.steps, story.loop)


def test_weak_fairness_does_not_help_where_the_chance_comes_and_goes() -> None:
    story = find_lasso(GATE_SHUT.at(), "goes_through")

    assert 0 == story.loop
    assert ["Swing()", "Swing()"] == list_loop(story)


def test_a_gate_that_stays_open_is_no_excuse() -> None:
    story = find_lasso(make_gate(None, weak()).at(), "goes_through")

    assert ((), 0) == (story.steps, story.loop)


def test_a_fair_loop_keeps_away_from_where_strong_fairness_would_force_the_goal() -> None:
    story = find_lasso(ROOMS.at(), "gets_out")

    assert ["ComeBack()", "Visit(1)"] == sorted(list_loop(story))


def test_a_loop_goes_past_all_that_weak_fairness_asks_for() -> None:
    loop = list_loop(find_lasso(LAMPS.at(), "rings"))

    assert {"Switch(lamp1)", "Switch(lamp2)"} == set(loop)
    assert 4 == len(loop)


def test_a_loop_lets_happen_what_strong_fairness_asks_for() -> None:
    story = find_lasso(RELAY.at(), "finishes")

    assert {"StepOn()", "PassBaton(runner1)", "PassBaton(runner2)"} == set(list_loop(story))


def test_the_stem_goes_through_the_premise_of_a_case() -> None:
    story = find_lasso(RELAY.at(), "comes_home")

    assert ("runner1",) == story.case
    assert ["StepOn()", "StepOn()", "PassBaton(runner1)"] == [str(step) for step in story.steps[:3]]
    assert story.loop is not None
    assert story.loop >= 3


def make_done(model: Model, *, stops_at_first: bool = True) -> tuple[Task, Explored]:
    task = make_task(model.at(), None, "none", stops_at_first=stops_at_first)
    search = Search(task)
    search.expand(1000, 1000)
    return task, search.explored


def test_in_a_reduced_graph_alone_promises_are_not_checked() -> None:
    report = explore(LAMPS.at(), reduction="symmetry", most_unfolded=0)

    assert {"is_lit_at_last", "rings"} == set(report.not_checked)
    assert all("symmetry" in reason for reason in report.not_checked.values())
    assert not {"is_lit_at_last", "rings"} & set(report.checked)


def test_after_another_violation_promises_are_not_checked() -> None:
    assert {"stops"} == set(explore(DIAL.at()).not_checked)
    assert "stops" in explore(DIAL.at(), stop_at_first=False).checked


def test_a_search_that_is_stopped_says_so_of_each_promise() -> None:
    task, explored = make_done(LAMPS)
    reasons = iter([None, "time"])

    endless = check_endless(task, explored, lambda: next(reasons))

    assert "time" == endless.stopped_by
    assert {"rings"} == set(endless.not_checked)
    assert [] == endless.findings


def test_all_promises_are_judged_where_nothing_else_is_broken() -> None:
    task, explored = make_done(LAMPS)

    endless = check_endless(task, explored, lambda: None)

    assert ["rings"] == [finding.property for finding in endless.findings]
    assert {} == endless.not_checked
