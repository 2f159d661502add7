"""Walks: what is chosen, where they end, and what they keep."""

from collections import Counter

from nomadspec.checkers.requested_properties import find_asked
from nomadspec.checkers.simulate.walker import Walker
from nomadspec.invariants.catalogue import find_model
from nomadspec.model.language.bounded import BoundedModel
from tests.checkers.simulate.models import LEVELS, RESTING, STARTS


def walk(bounded: BoundedModel, walks: int, max_steps: int, *asked: str) -> Walker:
    walker = Walker(bounded, find_asked(bounded, asked), seed=1, max_steps=max_steps)
    for _ in range(walks):
        walker.walk(stops_at_first=False)
    return walker


def test_a_rule_with_many_arguments_does_not_crowd_out_another() -> None:
    fired = walk(LEVELS.at(sizes={"lamps": 50}), 1000, 1).fired

    assert 1000 == sum(fired.values())
    assert all(200 < times < 300 for times in fired.values())


def test_every_argument_has_its_turn() -> None:
    walker = walk(LEVELS.at(), 600, 1)

    assert 6 == sum(1 for times in walker._fired.values() if times > 30)


def test_a_walk_ends_where_nothing_leads_elsewhere() -> None:
    walker = walk(find_model("2pc").at(sizes={"rms": 1}, profile="nomad-2.0"), 50, 10_000)

    assert 50 == walker.walks
    assert walker.steps < 50 * 10


def test_a_walk_ends_where_nothing_can_happen() -> None:
    assert 0 == walk(RESTING.at(), 3, 10).steps


def test_a_walk_is_as_long_as_it_may() -> None:
    assert 3 * 7 == walk(LEVELS.at(), 3, 7).steps


def test_walks_begin_in_all_initial_worlds() -> None:
    bounded = STARTS.at()
    walker = Walker(bounded, find_asked(bounded, None), seed=1, max_steps=1)
    begun = Counter(_first_of(walker) for _ in range(60))

    assert 3 == len(bounded.initial)
    assert set(bounded.initial) == set(begun)


def _first_of(walker: Walker) -> tuple[int, ...]:
    walker.walk(stops_at_first=False)
    return walker.layout.unpack(walker._first)


def test_a_walk_does_not_depend_on_those_before_it() -> None:
    bounded = find_model("core").at("full", profile="nomad-2.0")
    long = Walker(bounded, find_asked(bounded, None), seed=1, max_steps=20)
    late = Walker(bounded, find_asked(bounded, None), seed=1, max_steps=20)
    for _ in range(3):
        long.walk(stops_at_first=True)
    late.walks = 2
    late.walk(stops_at_first=True)

    assert long._path == late._path


def test_each_property_is_noted_once() -> None:
    walker = walk(LEVELS.at(), 20, 20, "level_is_low", "level_never_falls", "level_is_zero", "level_is_one")

    assert ["level_is_low", "level_is_zero", "level_never_falls"] == sorted(
        found.property for found in walker.found
    )
    assert {"level_is_one"} == set(walker.reached)
    assert walker.is_decided


def test_a_lemma_decides_nothing() -> None:
    walker = walk(LEVELS.at(), 1, 20, "level_is_zero")

    assert ["level_is_zero"] == [found.property for found in walker.found]
    assert not walker.is_decided
