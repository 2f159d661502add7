"""Stories in the trace format of Apalache and Quint."""

import json
from dataclasses import replace
from typing import Any

from nomadspec.checkers.report.itf import write_itf
from nomadspec.model.language.bounded import BoundedModel
from nomadspec.model.language.story import Story, replay
from tests.checkers.shop import hasty


def written(told: Story, bounded: BoundedModel) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(write_itf(told, replay(told, bounded)))
    return found


def test_every_state_gives_every_variable() -> None:
    story, bounded = hasty()
    trace = written(story, bounded)

    assert "ITF" == trace["#meta"]["format"]
    assert story.property == trace["#meta"]["property"]
    assert len(story.steps) + 1 == len(trace["states"])
    assert all({"#meta", *trace["vars"]} == state.keys() for state in trace["states"])
    assert list(range(len(story.steps) + 1)) == [state["#meta"]["index"] for state in trace["states"]]


def test_a_state_says_what_happened_before_it() -> None:
    story, bounded = hasty()
    first, *others = (state["#meta"] for state in written(story, bounded)["states"])

    assert "action" not in first
    assert [(step.rule, dict(step.arguments)) for step in story.steps] == [
        (meta["action"], meta["arguments"]) for meta in others
    ]


def test_a_field_with_an_index_is_a_map_and_a_number_is_big() -> None:
    story, bounded = hasty()
    names = {place.field.name for place in bounded.frame.placed.values() if len(place.shape) == 1}
    last = written(story, bounded)["states"][-1]
    described = bounded.describe(replay(story, bounded).last)

    for name in names:
        for key, value in last[name]["#map"]:
            shown = int(value["#bigint"]) if isinstance(value, dict) else value
            assert described[f"{name}[{key}]"] == shown


def test_a_lasso_says_where_it_begins_again() -> None:
    story, bounded = hasty()

    assert "loop" not in written(story, bounded)
    assert 3 == written(replace(story, loop=3), bounded)["loop"]
