"""The walk that is told of each violation."""

import pytest

from nomadspec.checkers.explore import telling
from nomadspec.checkers.explore.backward import PlainSources
from nomadspec.checkers.explore.explored import Explored
from nomadspec.checkers.explore.explorer import explore
from nomadspec.checkers.explore.search import Search
from nomadspec.checkers.explore.task import Task, make_task
from nomadspec.checkers.explore.telling import find_told, make_sources
from nomadspec.invariants.catalogue import find_model
from tests.checkers.explore.comparing import compile_for


def search(reduction: str) -> tuple[Task, Explored]:
    task = make_task(find_model("2pc").at("hasty"), None, reduction, stops_at_first=False)
    under_way = Search(task)
    under_way.expand(10_000, 10_000)
    return task, under_way.explored


@pytest.mark.parametrize("reduction", ["partial-order", "symmetry+partial-order"])
def test_leaving_steps_out_makes_no_story_longer(reduction: str) -> None:
    told = find_told(*search(reduction), lambda: False)

    assert {"managers_agree": 5, "commit_counts_everyone": 3} == {
        name: len(walk.positions) for name, walk in told.items()
    }


def test_a_shorter_story_is_looked_for_within_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    task, explored = search("partial-order")
    monkeypatch.setattr(telling, "_LEAST", 10)
    monkeypatch.setattr(telling, "_TIMES", 0)

    assert {} == find_told(task, explored, lambda: False)
    assert {} == find_told(task, explored, lambda: True)


def test_a_search_without_violation_tells_nothing() -> None:
    assert () == explore(find_model("2pc").at("small", sizes={"rms": 2}), reduction="partial-order").findings


def test_each_engine_takes_its_own_steps() -> None:
    task, explored = search("none")

    assert isinstance(make_sources(task, explored), PlainSources)
    compiled = compile_for(task, Search(task).explored)
    assert "CompiledSources" == type(make_sources(task, compiled.explored)).__name__
