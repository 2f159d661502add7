"""Stories as sequence diagrams."""

from dataclasses import replace

import pytest

from nomadspec.checkers.diagrams.sequence import write_sequence
from nomadspec.invariants.catalogue import find_model
from nomadspec.model.bounded import BoundedModel
from nomadspec.model.claim import judge
from nomadspec.model.story import Application, Story, replay
from tests.checkers.explore.models import ROOMS
from tests.checkers.shop import hasty


def lines_of(story: Story, bounded: BoundedModel) -> list[str]:
    run = replay(story, bounded)
    text = write_sequence(story, run, judge(story, run)).decode()
    return [line.strip() for line in text.splitlines()]


def core_story(*steps: Application) -> tuple[Story, BoundedModel]:
    bounded = find_model("core").at("small")
    return Story("core", "small", bounded.sizes, bounded.profile.name, steps), bounded


def test_actors_and_the_ids_of_a_story_are_its_lifelines() -> None:
    lines = lines_of(*hasty())

    assert ["sequenceDiagram", "autonumber"] == lines[:2]
    assert ["participant rm1", "participant manager", "participant rm2"] == lines[2:5]
    assert "rm1->>rm1: Prepare" in lines
    assert "manager->>rm1: CountPrepared" in lines
    assert "manager->>manager: DecideCommit" in lines
    assert lines[-1].startswith("Note over rm1,rm2: managers_agree does not hold")


def test_a_step_goes_from_the_first_id_to_the_next() -> None:
    lines = lines_of(*core_story(Application("Dequeue", {"worker": "worker1", "job": "job2"})))

    assert "worker1->>job2: Dequeue" in lines


def test_a_story_without_ids_has_one_lifeline() -> None:
    story, bounded = core_story()

    assert "participant world" in lines_of(story, bounded)


@pytest.mark.parametrize(("loop", "first"), [(0, 6), (4, 10)])
def test_a_loop_is_drawn_as_one(loop: int, first: int) -> None:
    story, bounded = hasty()
    lines = lines_of(replace(story, loop=loop, property=None), bounded)

    assert first == lines.index("loop for ever")
    assert "end" == lines[-2]


def test_what_mermaid_would_misread_is_left_out() -> None:
    assert not {";", "#", "<", '"'} & set("".join(lines_of(*hasty())[5:]))


def test_what_nobody_does_stands_across_all() -> None:
    bounded = ROOMS.at()
    steps = (Application("Visit", {"room": 2}), Application("Leave", {}))
    story = Story("rooms", "default", bounded.sizes, bounded.profile.name, steps)

    assert "Note over world: Leave" in lines_of(story, bounded)
