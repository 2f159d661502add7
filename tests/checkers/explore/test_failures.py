"""What fails in a world that is reached: a violation with a shortest story, the same by every engine."""

from pathlib import Path
from typing import Any

import pytest

from nomadspec.checkers.explore import explore
from nomadspec.checkers.verdict import ExploreReport, Verdict
from nomadspec.model.language.claim import judge
from nomadspec.model.language.model import Model
from nomadspec.model.language.model_promises import DOMAINS_ARE_KEPT, QUEUES_ARE_USED_WELL, RULES_DO_NOT_FAIL
from nomadspec.model.language.story import replay
from tests.checkers.failing import (
    ASKED,
    COMPARED,
    EMPTIED,
    GROWING,
    PROMISED,
    PUSHED,
    RESTING,
    SERVED,
    SHARED,
    STRUCK,
)

pytestmark = pytest.mark.usefixtures("whole_second_look")

OF_STEPS = [
    pytest.param(GROWING, DOMAINS_ARE_KEPT, 5, "number := 4 leaves its domain, 0 .. 3", id="domain"),
    pytest.param(PUSHED, QUEUES_ARE_USED_WELL, 3, "line is no queue any more", id="pushed twice"),
    pytest.param(SERVED, QUEUES_ARE_USED_WELL, 4, "is popped of an id that is not its head", id="no head"),
    pytest.param(EMPTIED, QUEUES_ARE_USED_WELL, 2, "line (empty) is popped", id="popped of nothing"),
    pytest.param(STRUCK, RULES_DO_NOT_FAIL, 2, "IndexError: tuple index out of range", id="no such place"),
]
OF_TEXTS = [
    pytest.param(SHARED, 2, "its text raises ZeroDivisionError", id="rule"),
    pytest.param(ASKED, 3, "Property waiting_is_shared", id="property of worlds"),
    pytest.param(COMPARED, 3, "Property lines_are_shared", id="property of steps"),
    pytest.param(PROMISED, 4, "Property is_shared_at_last", id="property of paths"),
]
WAYS = [
    pytest.param({"engine": "interpreted"}, id="interpreted"),
    pytest.param({"engine": "compiled"}, id="compiled"),
    pytest.param({"engine": "interpreted", "workers": 2}, id="shared"),
    pytest.param({"engine": "compiled", "workers": 2}, id="compiled and shared"),
    pytest.param({"engine": "compiled", "max_memory_mib": 1}, id="in files"),
    pytest.param({"engine": "interpreted", "reduction": "symmetry"}, id="symmetry"),
    pytest.param({"engine": "compiled", "reduction": "symmetry"}, id="compiled symmetry"),
    pytest.param({"engine": "interpreted", "reduction": "partial-order"}, id="partial order"),
    pytest.param({"engine": "compiled", "reduction": "partial-order"}, id="compiled partial order"),
    pytest.param({"engine": "compiled", "stop_at_first": False}, id="going on"),
]


def look(report: ExploreReport, model: Model) -> tuple[str, int, str]:
    """Tell what was found, after how many steps, and what its story ends with when it is replayed."""
    (finding,) = [one for one in report.findings if one.kind is None]
    assert finding.story is not None
    told = replay(finding.story, model.at())
    judgement = judge(finding.story, told)
    assert judgement.is_true
    return finding.property, len(finding.story.steps), judgement.sentence


def is_tried_every_day(way: int, failure: int) -> bool:
    """Tell whether a search is: each failure by both engines alone, and by a half of the other ways."""
    return way < 2 or (way + failure) % 2 == 0


@pytest.mark.parametrize(
    ("way", "model", "promise", "steps", "sentence"),
    [
        pytest.param(
            *(*one_way.values, *one.values),
            id=f"{one_way.id}-{one.id}",
            marks=[] if is_tried_every_day(way, failure) else pytest.mark.deep,
        )
        for way, one_way in enumerate(WAYS)
        for failure, one in enumerate(OF_STEPS)
    ],
)
def test_a_step_that_fails_is_a_violation_with_a_shortest_story(
    way: dict[str, Any], model: Model, promise: str, steps: int, sentence: str
) -> None:
    report = explore(model.at(), **way)

    found, length, told = look(report, model)
    assert (Verdict.VIOLATED, "violation", False) == (report.verdict, report.stopped_by, report.is_exhaustive)
    assert (promise, steps) == (found, length)
    assert f"Step {steps}, " in told
    assert sentence in told
    assert promise in report.checked


@pytest.mark.parametrize(("model", "promise", "steps", "sentence"), OF_STEPS)
def test_all_engines_count_the_same_up_to_it(model: Model, promise: str, steps: int, sentence: str) -> None:
    ways = ({"engine": "interpreted"}, {"engine": "compiled"}, {"engine": "compiled", "workers": 2})
    reports = [explore(model.at(), **way) for way in ways]

    told = {(one.distinct, one.generated, one.depth, one.digest, tuple(one.fired.items())) for one in reports}

    assert len(told) == 1, (promise, steps, sentence)


@pytest.mark.parametrize(("model", "steps", "sentence"), OF_TEXTS)
@pytest.mark.parametrize("reduction", ["none", "symmetry"])
def test_a_text_that_raises_something_is_a_violation(
    model: Model, steps: int, sentence: str, reduction: str
) -> None:
    asked = [prop.name for prop in model.properties]
    report = explore(model.at(), engine="interpreted", reduction=reduction, properties=asked)

    assert (RULES_DO_NOT_FAIL, steps) == look(report, model)[:2]
    assert sentence in look(report, model)[2]
    assert report.verdict is Verdict.VIOLATED


@pytest.mark.parametrize("way", [{"engine": "interpreted", "workers": 2}, {"engine": "interpreted"}])
def test_hands_tell_of_texts_that_raise_something(way: dict[str, Any]) -> None:
    report = explore(ASKED.at(), properties=["waiting_is_shared"], **way)

    assert (RULES_DO_NOT_FAIL, 3) == look(report, ASKED)[:2]


def test_what_was_found_before_is_told_too() -> None:
    report = explore(GROWING.at(), engine="interpreted")
    story = report.reached["is_opened"]

    assert story is not None
    assert 1 == len(story.steps)
    assert report.not_checked == {}
    assert report.distinct > 5


def test_a_rest_that_fails_has_a_story_as_well() -> None:
    bounded = RESTING.at()
    report = explore(bounded, engine="interpreted")

    (finding,) = report.findings
    assert finding.story is not None
    assert (RULES_DO_NOT_FAIL, 0) == (finding.property, len(finding.story.steps))
    assert "is_at_rest of resting" in judge(finding.story, replay(finding.story, bounded)).sentence


def test_promises_can_be_asked_for_by_name() -> None:
    model = GROWING
    kept = explore(model.at(sizes={"most": 3}), properties=[QUEUES_ARE_USED_WELL], max_states=20)
    broken = explore(model.at(), properties=[DOMAINS_ARE_KEPT])

    assert (Verdict.INCONCLUSIVE, (QUEUES_ARE_USED_WELL,)) == (kept.verdict, kept.checked)
    assert (Verdict.VIOLATED, (DOMAINS_ARE_KEPT,)) == (broken.verdict, broken.checked)


def test_going_on_from_a_checkpoint_ends_with_the_same_story(tmp_path: Path) -> None:
    file = tmp_path / "search.bin"
    stopped = explore(GROWING.at(), checkpoint=file, max_states=10)
    report = explore(GROWING.at(), checkpoint=file, resume=True)

    assert stopped.verdict is Verdict.INCONCLUSIVE
    assert (DOMAINS_ARE_KEPT, 5) == look(report, GROWING)[:2]
