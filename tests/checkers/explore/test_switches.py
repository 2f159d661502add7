"""Stories with the fewest switches, compared with all shortest stories there are."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nomadspec.checkers.explore import compiled_sources
from nomadspec.checkers.explore.explorer import explore
from nomadspec.checkers.explore.reduction import REDUCTIONS
from nomadspec.checkers.explore.search import Search
from nomadspec.checkers.explore.story_choice import make_sources
from nomadspec.checkers.explore.switches import find_walks
from nomadspec.checkers.explore.task import make_task
from nomadspec.invariants.catalogue import find_model
from nomadspec.model.language.bounded import BoundedModel
from nomadspec.model.language.model import Model
from nomadspec.model.language.story import Story, replay
from tests.checkers.explore.all_stories import count_switches, find_best
from tests.checkers.explore.boards import BOARDS
from tests.checkers.explore.comparing import TRIED_REDUCTIONS
from tests.checkers.explore.models import CLUB, DIAL, FORKS

CHOICES: list[Any] = [{"engine": "interpreted"}, {"engine": "compiled"}, {"engine": "compiled", "workers": 2}]
TINY = {"jobs": 2, "count": 1, "cap": 1, "deliveries": 1}


def measure(bounded: BoundedModel, story: Story) -> tuple[int, int]:
    instances = [moment.instance for moment in replay(story, bounded).moments]
    return len(instances), count_switches(bounded, instances)


def check_all(bounded: BoundedModel, reduction: str, engine: str = "interpreted") -> int:
    """Check that every story is a best one; give their number."""
    report = explore(bounded, reduction=reduction, engine=engine, stop_at_first=False)
    told = {one.property: one.story for one in report.findings if one.story and one.story.loop is None}
    for name, story in told.items():
        assert find_best(bounded, name) == measure(bounded, story)
    return len(told)


@pytest.mark.parametrize("reduction", TRIED_REDUCTIONS)
@pytest.mark.parametrize(
    "bounded",
    [
        pytest.param(find_model("2pc").at("hasty"), id="2pc"),
        pytest.param(find_model("core").at("unchecked", sizes=TINY), id="core unchecked"),
        pytest.param(find_model("core").at("reused", sizes={"jobs": 1, "count": 1}), id="core reused"),
        pytest.param(CLUB.at("small"), id="club"),
        pytest.param(DIAL.at(), id="several initial worlds"),
        pytest.param(FORKS.at(), id="deadlock"),
    ],
)
def test_no_shortest_story_has_fewer_switches(bounded: BoundedModel, reduction: str) -> None:
    assert check_all(bounded, reduction)


@settings(max_examples=15)
@given(BOARDS, st.sampled_from(REDUCTIONS))
def test_none_has_in_random_models(model: Model, reduction: str) -> None:
    assert 0 <= check_all(model.at(), reduction) <= 3


@pytest.mark.deep
@settings(max_examples=100)
@given(BOARDS, st.sampled_from(REDUCTIONS))
def test_none_has_in_more_of_them(model: Model, reduction: str) -> None:
    assert 0 <= check_all(model.at(), reduction) <= 3


@pytest.mark.parametrize(
    ("bounded", "reduction"),
    [
        pytest.param(find_model("core").at("unchecked", sizes=TINY), "none", id="core unchecked"),
        pytest.param(CLUB.at("small"), "symmetry", id="club"),
        pytest.param(DIAL.at(), "none", id="a broken step"),
        pytest.param(FORKS.at(), "symmetry", id="deadlock"),
    ],
)
def test_a_compiled_search_tells_the_same(
    bounded: BoundedModel, reduction: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compiled_sources, "_SMALL", 0)

    told = [
        {
            one.property: one.story
            for one in explore(bounded, reduction=reduction, stop_at_first=False, **choice).findings
        }
        for choice in CHOICES
    ]

    assert told[0] == told[1] == told[2]
    assert told[0]


def test_one_who_works_on_alone_is_not_interrupted() -> None:
    bounded = find_model("core").at("unchecked")

    (best,) = explore(bounded).findings
    (first,) = explore(bounded, tells_fewest_switches=False).findings

    assert best.story is not None
    assert first.story is not None
    assert (6, 2) == measure(bounded, best.story)
    assert (6, 4) == measure(bounded, first.story)


def test_where_time_is_over_there_is_no_walk() -> None:
    task = make_task(find_model("2pc").at("hasty"), None, "none", stops_at_first=True)
    search = Search(task)
    search.expand(1000, 1000)
    explored = search.explored

    assert explored.found
    assert {} == find_walks(task, explored, make_sources(task, explored), lambda: True)
    assert {"managers_agree"} <= find_walks(
        task, explored, make_sources(task, explored), lambda: False
    ).keys()
