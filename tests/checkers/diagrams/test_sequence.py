"""Stories as sequence diagrams."""

from dataclasses import replace

import pytest

from nomadspec.checkers.diagrams.components import list_touched
from nomadspec.checkers.diagrams.sequence import write_sequence
from nomadspec.checkers.explore import explore
from nomadspec.invariants.catalogue import find_model
from nomadspec.model.language.bounded import BoundedModel
from nomadspec.model.language.claim import judge
from nomadspec.model.language.story import Application, Story, replay
from tests.checkers.explore.models import ROOMS
from tests.checkers.shop import hasty


def lines_of(story: Story, bounded: BoundedModel) -> list[str]:
    run = replay(story, bounded)
    text = write_sequence(story, run, judge(story, run)).decode()
    return [line.strip() for line in text.splitlines()]


def core_story(*steps: Application) -> tuple[Story, BoundedModel]:
    bounded = find_model("core").at("small", profile="nomad-2.0")
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


def test_the_step_that_breaks_a_promise_says_what_it_changed() -> None:
    lines = lines_of(*hasty())

    assert "rm1->>rm1: ObeyCommit<br/>state[rm1] from prepared to committed" in lines


def test_stories_of_the_kernel_go_from_component_to_component() -> None:
    bounded = find_model("kernel").at("update", profile="nomad-2.0")
    (finding,) = explore(bounded, properties=["alloc_gets_the_version_it_was_planned_for"]).findings
    assert finding.story is not None
    lines = lines_of(finding.story, bounded)

    lives = ("worker1", "broker", "node1", "operator", "store", "plan queue")
    assert {f"participant {name}" for name in lives} >= {
        line for line in lines if line.startswith("participant")
    }
    assert "worker1->>broker: Dequeue (job1, eval1)" in lines
    assert "operator->>store: UpdateJob (job1) with broker" in lines
    assert lines[-2].startswith("worker1->>plan queue: Submit (job1)<br/>")
    assert "plan[worker1].version from 0 to 1" in lines[-2]


def test_every_field_that_a_component_holds_is_one_of_the_kernel() -> None:
    fields = {
        name.partition(".")[0] for name in find_model("kernel").at("update", profile="nomad-2.0").frame.placed
    }

    assert [] == [name for name in fields if len(list_touched("kernel", [name])) > 1]
    assert {"eval_record", "in_broker", "plans", "snapshot", "entry", "leading"} <= {
        name for name in fields if list_touched("kernel", [name])
    }
    assert {"stage", "plan", "seen"} <= {name for name in fields if not list_touched("kernel", [name])}


@pytest.mark.parametrize(("loop", "first"), [(0, 6), (4, 10)])
def test_a_loop_is_drawn_as_one(loop: int, first: int) -> None:
    story, bounded = hasty()
    lines = lines_of(replace(story, loop=loop, property=None), bounded)

    assert first == lines.index("loop for ever")
    assert "end" == lines[-2]


def test_what_mermaid_would_misread_is_left_out() -> None:
    texts = "".join(lines_of(*hasty())[5:]).replace("<br/>", "")

    assert not {";", "#", "<", '"'} & set(texts)


def test_what_nobody_does_stands_across_all() -> None:
    bounded = ROOMS.at()
    steps = (Application("Visit", {"room": 2}), Application("Leave", {}))
    story = Story("rooms", "default", bounded.sizes, bounded.profile.name, steps)

    assert "Note over world: Leave" in lines_of(story, bounded)
