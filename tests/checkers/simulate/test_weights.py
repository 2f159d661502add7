"""Weights: what is chosen how often."""

from collections import Counter

import pytest

from nomadspec.checkers.simulate.splitmix import SplitMix64
from nomadspec.checkers.simulate.weights import Weights
from nomadspec.invariants.catalogue import find_model
from nomadspec.model.errors import UnknownNameError, UsageError

RULES = find_model("core").rules
NAMES = [rule.name for rule in RULES]
EVENTS = {"ExpireDelivery", "FlipNode"}


def count(weights: Weights, names: list[str], times: int = 4000) -> Counter[str]:
    """Choose often among some rules."""
    random = SplitMix64(1)
    weights.begin_walk(random)
    places = [NAMES.index(name) for name in names]
    return Counter(names[weights.choose(random, places)] for _ in range(times))


def test_without_a_wish_all_are_alike() -> None:
    weights = Weights(RULES)
    chosen = count(weights, ["Ack", "Nack", "FlipNode", "Dequeue"])

    assert weights.is_even
    assert all(900 < times < 1100 for times in chosen.values())


def test_a_weight_is_so_many_times_as_often() -> None:
    chosen = count(Weights(RULES, fixed={"Ack": 3, "Nack": 0}), ["Ack", "Nack", "Dequeue"])

    assert 0 == chosen["Nack"]
    assert 2.6 < chosen["Ack"] / chosen["Dequeue"] < 3.4


def test_what_has_no_weight_happens_where_nothing_else_can() -> None:
    assert {"Nack": 10} == count(Weights(RULES, fixed={"Nack": 0}), ["Nack"], 10)


def test_a_rate_of_faults_is_their_share() -> None:
    chosen = count(Weights(RULES, faults=0.25), ["Ack", "Nack", "Dequeue", "FlipNode", "ExpireDelivery"])

    assert 900 < sum(chosen[name] for name in EVENTS) < 1100


@pytest.mark.parametrize("names", [["Ack", "Nack"], ["FlipNode", "ExpireDelivery"]])
def test_a_rate_says_nothing_where_there_is_one_kind(names: list[str]) -> None:
    assert set(names) == count(Weights(RULES, faults=0.0), names).keys()


def test_a_swarm_draws_for_each_walk() -> None:
    weights, random = Weights(RULES, is_swarm=True), SplitMix64(1)
    drawn = set()
    for _ in range(20):
        weights.begin_walk(random)
        drawn.add(tuple(weights._current))

    assert len(drawn) > 15
    assert all(
        weight for each in drawn for name, weight in zip(NAMES, each, strict=True) if name not in EVENTS
    )


def test_wrong_wishes_are_refused() -> None:
    with pytest.raises(UsageError, match="from 0 to 1, not 2"):
        Weights(RULES, faults=2)
    with pytest.raises(UnknownNameError, match="Fil"):
        Weights(RULES, fixed={"Fil": 1})
    with pytest.raises(UsageError, match="0 or more"):
        Weights(RULES, fixed={"Ack": -1})
