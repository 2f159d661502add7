"""What can happen, and what is wrong, as the interpreter says."""

import pytest
from hypothesis.vendor.pretty import pretty

from nomadspec.checkers.requested_properties import find_asked
from nomadspec.checkers.stateful.moves import Choice, Guide
from nomadspec.invariants.catalogue import find_model
from nomadspec.model.errors import UnknownNameError
from nomadspec.model.language.bounded import BoundedModel
from nomadspec.model.language.story import DEADLOCK
from tests.checkers.simulate.models import LEVELS, RESTING, STARTS, STUCK


def guide_of(bounded: BoundedModel, *asked: str) -> Guide:
    return Guide(bounded, find_asked(bounded, asked))


def test_what_can_happen_is_what_the_interpreter_says() -> None:
    bounded = find_model("core").at("small", profile="nomad-2.0")
    guide = guide_of(bounded)
    first = guide.initial[0]
    possible = guide.list_possible(first)
    after = [guide.layout.unpack(guide.take(first, position)) for position in possible]

    assert list(bounded.successors(bounded.initial[0])) == [
        (bounded.instances[position], cells) for position, cells in zip(possible, after, strict=True)
    ]
    assert {"Dequeue": 4} == guide.fired


def test_a_step_is_found_by_its_text() -> None:
    guide = guide_of(LEVELS.at())

    assert guide.choices[0] is guide.find_choice("Light(lamp1)")
    assert guide.initial[0] == guide.find_beginning("")
    with pytest.raises(UnknownNameError, match="Light"):
        guide.find_choice("Light(lamp9)")
    with pytest.raises(UnknownNameError, match="initial world"):
        guide.find_beginning("Begin(lamp9)")


def test_an_initial_world_is_named_by_its_start() -> None:
    guide = guide_of(STARTS.at())

    assert "Begin(lamp2)" == guide.name_beginning(guide.find_beginning("Begin(lamp2)"))


def test_a_choice_is_shown_as_in_a_story_and_hashed_by_its_place() -> None:
    choice = Choice(3, "Ack(worker1, job1)")

    assert ["Ack(worker1, job1)"] * 2 == [repr(choice), pretty(choice)]
    assert (3, Choice(3, "")) == (hash(choice), choice)
    assert Choice(4, choice.text) != choice


def test_beginnings_are_named_by_their_start_rules() -> None:
    assert ["Begin(lamp1)", "Begin(lamp2)", "Begin(lamp3)"] == [
        choice.text for choice in guide_of(STARTS.at()).beginnings
    ]
    assert [""] == [choice.text for choice in guide_of(LEVELS.at()).beginnings]


def test_what_is_wrong_has_a_name() -> None:
    guide = guide_of(LEVELS.at(), "level_is_zero", "level_never_falls", "level_is_one")
    first = guide.initial[0]
    up, off = (guide.find_choice(f"{rule}()").position for rule in ("TurnUp", "TurnOff"))
    after = guide.take(first, up)

    assert None is guide.find_wrong(first, None, [up])
    assert "level_is_zero" == guide.find_wrong(after, up, [off])
    assert {"level_is_one"} == guide.reached
    assert None is guide.find_wrong_step(first, up, after)
    assert "level_never_falls" == guide.find_wrong_step(after, off, first)


def test_a_stuck_world_is_wrong_where_it_is_asked_about_and_not_at_rest() -> None:
    stuck = guide_of(STUCK.at(), DEADLOCK)
    resting = guide_of(RESTING.at(), DEADLOCK)

    assert DEADLOCK == stuck.find_wrong(stuck.initial[0], None, [])
    assert None is resting.find_wrong(resting.initial[0], None, [])
    assert None is guide_of(STUCK.at()).find_wrong(stuck.initial[0], None, [])


class _Listener:
    def __init__(self) -> None:
        self.heard: list[tuple[int, int | None]] = []

    def update(self, text: str, done: int, expected: int | None = None) -> None:
        assert "runs" == text
        self.heard.append((done, expected))


def test_runs_are_counted_beyond_what_was_expected() -> None:
    guide = guide_of(LEVELS.at())
    listener = _Listener()
    guide.progress = listener
    for _ in range(3):
        guide.begin_run(2)

    assert [(1, 2), (2, 2), (3, 3)] == listener.heard
