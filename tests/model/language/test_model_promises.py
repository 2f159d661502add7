"""What every model promises: how it fails, what stories of it claim, and whose names they are."""

from dataclasses import replace

import pytest

from nomadspec.model.errors import DomainError, ModelError, QueueError, StyleError
from nomadspec.model.language.bounded import BoundedModel
from nomadspec.model.language.broken_promises import find_failure
from nomadspec.model.language.claim import judge, tell
from nomadspec.model.language.model_promises import (
    DOMAINS_ARE_KEPT,
    PROMISES,
    QUEUES_ARE_USED_WELL,
    RULES_DO_NOT_FAIL,
    name_promise,
)
from nomadspec.model.language.story import Story, replay
from nomadspec.model.language.trace import Instance
from tests.checkers.failing import EMPTIED, GROWING, SHARED


def list_steps(bounded: BoundedModel, *names: str) -> list[Instance]:
    """Find the first instance of each of some rules."""
    return [next(one for one in bounded.instances if one.rule.name == name) for name in names]


def tell_of(bounded: BoundedModel, *names: str, about: str | None = None) -> Story:
    return tell(bounded, bounded.initial[0], list_steps(bounded, *names), about=about)


@pytest.mark.parametrize(
    ("error", "promise"),
    [
        (DomainError("x"), DOMAINS_ARE_KEPT),
        (QueueError("x"), QUEUES_ARE_USED_WELL),
        (StyleError("x"), RULES_DO_NOT_FAIL),
    ],
)
def test_an_error_names_the_promise_that_it_breaks(error: ModelError, promise: str) -> None:
    assert promise == name_promise(error)


def test_a_replay_ends_with_the_step_that_fails() -> None:
    bounded = EMPTIED.at()
    story = tell_of(bounded, "OpenUp", "Close", about=QUEUES_ARE_USED_WELL)
    told = replay(story, bounded)

    assert told.failure is not None
    assert 1 == len(told.moments)
    assert "Close" == getattr(told.failure.instance, "rule", bounded.model.rules[0]).name
    assert "Step 2, Close(clerk1), fails: Rule Close" in judge(story, told).sentence


def test_a_story_that_claims_another_promise_is_not_true() -> None:
    bounded = EMPTIED.at()
    story = tell_of(bounded, "OpenUp", "Close", about=QUEUES_ARE_USED_WELL)
    other = replace(story, property=DOMAINS_ARE_KEPT)
    longer = replace(story, steps=(*story.steps, story.steps[0]))
    shorter = replace(story, steps=story.steps[:1])

    for told in (other, longer, shorter):
        assert not judge(told, replay(told, bounded)).is_true
    assert "so queues_are_used_well is kept" in judge(shorter, replay(shorter, bounded)).sentence


def test_what_was_told_of_something_else_ends_where_the_interpreter_fails() -> None:
    story = tell_of(SHARED.at(), "OpenUp", "Share", "OpenUp", about="is_opened")

    assert (RULES_DO_NOT_FAIL, 2) == (story.property, len(story.steps))


def test_nothing_fails_where_everything_has_an_answer() -> None:
    bounded = GROWING.at()

    assert find_failure(bounded, bounded.initial[0], bounded.model.properties) is None


@pytest.mark.parametrize("name", list(PROMISES))
def test_no_property_bears_the_name_of_a_promise(name: str) -> None:
    (prop,) = GROWING.properties

    with pytest.raises(ModelError, match=f"cannot be named {name}"):
        replace(GROWING, properties=(replace(prop, name=name),))
