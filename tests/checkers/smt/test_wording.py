"""Scopes in words."""

from dataclasses import replace

import pytest

from nomadspec.checkers.smt.open_frame import OpenFrame
from nomadspec.checkers.smt.wording import describe_open, describe_scope, join_words, read_open
from nomadspec.checkers.usual_profile import bind_as_usual
from nomadspec.invariants.catalogue import find_model


def test_an_open_world_says_what_may_be_any_number() -> None:
    told = {name: describe_open(OpenFrame(bind_as_usual(find_model(name)))) for name in ("core", "2pc")}

    assert (
        "any number of jobs, nodes and workers; any cap, deliveries and flips; 2 placements" == told["core"]
    )
    assert "any number of rms" == told["2pc"]


def test_an_open_world_says_which_features_it_has() -> None:
    kernel = replace(find_model("kernel"), rules=(), properties=())  # quickly bound
    off, on = (
        OpenFrame(kernel.at(sizes={"several_preempted": size}, profile="nomad-2.0")) for size in (0, 1)
    )

    assert "without several_preempted, in_place_updates and plan_statuses" in describe_open(off)
    told = "; with several_preempted; without in_place_updates and plan_statuses"
    assert describe_open(on).endswith(told)
    features = {"several_preempted": 1, "in_place_updates": 0, "plan_statuses": 0}
    assert {"placements": 1, "extras": 0, **features} == read_open(on).fixed


def test_a_scope_says_how_many_there_are() -> None:
    assert "rms 5" == describe_scope(find_model("2pc").at(profile="nomad-2.0"))


@pytest.mark.parametrize(
    ("words", "text"), [([], ""), (["a"], "a"), (["a", "b"], "a and b"), (["a", "b", "c"], "a, b and c")]
)
def test_words_are_joined(words: list[str], text: str) -> None:
    assert text == join_words(words)
