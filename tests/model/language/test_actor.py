"""Who does a step."""

from dataclasses import replace

import pytest

from nomadspec.invariants.catalogue import find_model
from nomadspec.model.language.actor import find_actor, list_named
from nomadspec.model.language.bounded import BoundedModel
from nomadspec.model.language.trace import Instance
from tests.checkers.explore.models import CLUB, DIAL


def find_first(bounded: BoundedModel, rule: str) -> Instance:
    return next(one for one in bounded.instances if one.rule.name == rule)


@pytest.mark.parametrize(
    ("model", "rule", "actor"),
    [
        pytest.param("core", "Dequeue", "worker1", id="the first id"),
        pytest.param("core", "ApplyPlan", "applier", id="who is declared"),
        pytest.param("2pc", "DecideAbort", "manager", id="who is declared, without any id"),
        pytest.param("kernel", "Plan", "worker1", id="the kernel"),
    ],
)
def test_somebody_does_a_step(model: str, rule: str, actor: str) -> None:
    whole = find_model(model)
    bounded = replace(whole, rules=(whole.find_rule(rule),), properties=()).at(profile="nomad-2.0")

    assert actor == find_actor(bounded, find_first(bounded, rule))


def test_nobody_does_what_names_nobody() -> None:
    bounded = DIAL.at()

    assert "world" == find_actor(bounded, find_first(bounded, "RunDown"))


def test_ids_are_named_once_and_places_of_an_index_are_not() -> None:
    bounded = CLUB.at("small")

    assert ["guest1", "person1"] == list_named(bounded, find_first(bounded, "NameInLetter"))
    assert ["person1", "person2"] == list_named(bounded, find_first(bounded, "Meet"))
