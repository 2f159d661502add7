"""The walk that is told of each violation."""

from functools import cache, partial

import pytest

from nomadspec.checkers.explore import story_choice
from nomadspec.checkers.explore.backward import PlainSources
from nomadspec.checkers.explore.explorer import explore
from nomadspec.checkers.explore.search import Search
from nomadspec.checkers.explore.search_state import Explored as Stored
from nomadspec.checkers.explore.story_choice import find_told, make_sources
from nomadspec.checkers.explore.task import Task, make_task
from nomadspec.checkers.report.exploring import Explored
from nomadspec.checkers.requested_properties import list_with_lemmas
from nomadspec.invariants.catalogue import find_model
from tests.checkers.explore.comparing import compile_for


@cache
def search(reduction: str) -> tuple[Task, Stored]:
    bounded = find_model("2pc").at("hasty")
    task = make_task(bounded, list_with_lemmas(bounded), reduction, stops_at_first=False)
    under_way = Search(task)
    under_way.expand(10_000, 10_000)
    return task, under_way.explored


@pytest.mark.parametrize("reduction", ["partial-order", "symmetry+partial-order"])
def test_leaving_steps_out_makes_no_story_longer(reduction: str) -> None:
    told = find_told(*search(reduction), lambda: False)

    assert {"managers_agree": 5, "commit_counts_everyone": 3} == {
        name: len(walk.positions) for name, walk in told.walks.items()
    }
    assert ("`sometimes` may be reached sooner: steps were left out",) == told.notes


@pytest.mark.parametrize("reduction", ["partial-order", "symmetry+partial-order"])
def test_a_compiled_search_looks_for_the_same_shorter_stories(reduction: str) -> None:
    task, explored = search(reduction)
    compiled = compile_for(task, Search(task).explored)
    while not compiled.is_over:
        compiled.expand(128, 10_000)

    told = [find_told(task, one, lambda: False) for one in (explored, compiled.explored)]

    assert told[0] == told[1]
    assert 2 == len(told[0].walks)


def test_a_shorter_story_is_looked_for_within_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    task, explored = search("partial-order")
    monkeypatch.setattr(story_choice, "_LEAST", 10)
    monkeypatch.setattr(story_choice, "_TIMES", 0)

    for answer in (False, True):
        told = find_told(task, explored, partial(bool, answer))
        assert {} == told.walks
        assert ["commit_counts_everyone", "managers_agree"] == sorted(
            note.split()[0] for note in told.notes[:2]
        )
        assert "may have a shorter story: it was looked for in up to 10 worlds" in told.notes[0]


def test_a_story_with_more_switches_is_told_as_such_where_time_is_over() -> None:
    task, explored = search("none")

    assert () == find_told(task, explored, lambda: False).notes
    late = find_told(task, explored, lambda: True)
    assert ({}, True) == (late.walks, "fewer switches" in late.notes[0])


def test_the_report_says_which_stories_may_be_shorter(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(story_choice, "_LEAST", 10)
    monkeypatch.setattr(story_choice, "_TIMES", 0)
    bounded = find_model("2pc").at("hasty")
    report = explore(bounded, properties=["managers_agree"], reduction="partial-order")

    assert (
        "managers_agree may have a shorter story: it was looked for in up to 10 worlds",
    ) == report.story_notes
    shown = Explored(report, bounded, "2pc", "nomadspec explore -m 2pc")
    assert "stories" in shown.render()
    assert list(report.story_notes) == shown.data()["story_notes"]


def test_a_search_without_violation_tells_nothing() -> None:
    assert (
        ()
        == explore(
            find_model("2pc").at("small", sizes={"rms": 2}, profile="nomad-2.0"), reduction="partial-order"
        ).findings
    )


def test_each_engine_takes_its_own_steps() -> None:
    task, explored = search("none")

    assert isinstance(make_sources(task, explored), PlainSources)
    compiled = compile_for(task, Search(task).explored)
    assert "CompiledSources" == type(make_sources(task, compiled.explored)).__name__
