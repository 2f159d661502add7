from dataclasses import replace
from typing import Any

import pytest

from nomadspec.invariants.catalogue import find_model
from nomadspec.model.errors import DisabledError, UnknownNameError, UsageError
from nomadspec.model.language.story import DEADLOCK, Application, Story, label_instance, replay
from nomadspec.model.small.two_phase_commit import prepare
from tests.model.language.toys import Shop, compile_text, idle, rule_of, shop_of

pytestmark = pytest.mark.usefixtures("ids_may_be_numbers")

PAIR = find_model("2pc").at("small", sizes={"rms": 2}, profile="intended")
COMMIT = Story(
    model="2pc",
    scope="small",
    sizes={"rms": 2},
    profile="intended",
    steps=(
        Application("Prepare", {"rm": "rm2"}),
        Application("Prepare", {"rm": "rm1"}),
        Application("CountPrepared", {"rm": "rm1"}),
        Application("CountPrepared", {"rm": "rm2"}),
        Application("DecideCommit", {}),
        Application("ObeyCommit", {"rm": "rm2"}),
    ),
)


def test_a_story_is_run_again_world_by_world() -> None:
    again = replay(COMMIT, PAIR)

    assert PAIR.initial[0] == again.first == again.worlds[0]
    assert [application.rule for application in COMMIT.steps] == [
        moment.instance.rule.name for moment in again.moments
    ]
    assert again.worlds[-1] == again.last == again.moments[-1].cells
    assert ("prepared", "committed", "commit") == (
        PAIR.describe(again.last)["state[rm1]"],
        PAIR.describe(again.last)["state[rm2]"],
        PAIR.describe(again.last)["decision"],
    )


def test_a_story_without_steps_stays_where_it_begins() -> None:
    again = replay(replace(COMMIT, steps=()), PAIR)

    assert (PAIR.initial[0], (PAIR.initial[0],), ()) == (again.last, again.worlds, again.moments)


def test_a_step_that_is_not_possible_is_named() -> None:
    wrong = replace(COMMIT, steps=(*COMMIT.steps[:2], Application("ObeyCommit", {"rm": "rm1"})))
    with pytest.raises(DisabledError) as caught:
        replay(wrong, PAIR)

    assert "Step 3 of the story, ObeyCommit(rm1), is not possible in the world before it." == str(
        caught.value
    )


def test_a_step_that_no_world_allows_is_named() -> None:
    core = find_model("core").at("small", profile="intended")
    flip = Story("core", "small", core.sizes, "intended", (Application("FlipNode", {"node": "node1"}),))
    with pytest.raises(DisabledError, match=r"Step 1 of the story, FlipNode\(node1\), is not possible"):
        replay(flip, core)


@pytest.mark.parametrize(
    ("application", "problem"),
    [
        (Application("Prepair", {"rm": "rm1"}), "no rule of 2pc named 'Prepair'; did you mean Prepare"),
        (Application("Prepare", {"rm": "rm3"}), "no value named 'rm3'"),
        (Application("Prepare", {}), "The rule Prepare takes rm, but was given none"),
    ],
    ids=["rule", "value", "argument"],
)
def test_a_step_that_makes_no_sense_is_refused(application: Application, problem: str) -> None:
    with pytest.raises(UsageError, match=problem):
        replay(replace(COMMIT, steps=(application,)), PAIR)


def test_a_story_may_begin_where_a_start_rule_says() -> None:
    sit = rule_of(compile_text("sit(s, t, d)", "t.desk[0] = d"), d=Shop.desks)
    bounded = shop_of(idle, starts=(sit,)).at()
    story = Story("shop", "default", bounded.sizes, "nomad-2.0", (), start=Application("Sit", {"d": "desk3"}))

    assert bounded.initial[2] == replay(story, bounded).first
    with pytest.raises(UnknownNameError, match="no rule of shop named 'Sitt'"):
        replay(replace(story, start=Application("Sitt", {})), bounded)


def test_a_start_rule_is_no_step() -> None:
    sit = rule_of(compile_text("sit(s, t)", "t.desk[0] = 1"))
    bounded = shop_of(idle, starts=(sit,)).at()
    story = Story("shop", "default", bounded.sizes, "nomad-2.0", (Application("Sit", {}),))
    with pytest.raises(DisabledError, match=r"Step 1 of the story, Sit\(\), is not possible"):
        replay(story, bounded)


@pytest.mark.parametrize(
    ("application", "text"),
    [
        (Application("DecideCommit", {}), "DecideCommit()"),
        (Application("Dequeue", {"worker": "worker1", "job": "job2"}), "Dequeue(worker1, job2)"),
        (Application("Hurry", {"times": 3, "loud": True}), "Hurry(3, True)"),
        (
            Application(
                "Schedule", {"worker": "worker1", "to": {"placement1": "NONE", "placement2": "node1"}}
            ),
            "Schedule(worker1, placement1:NONE placement2:node1)",
        ),
    ],
)
def test_an_application_is_written_as_a_call(application: Application, text: str) -> None:
    assert text == str(application)


def test_an_instance_is_written_as_an_application() -> None:
    instance: Any = PAIR.find_instance(prepare, (1,))

    assert Application("Prepare", {"rm": "rm2"}) == label_instance(PAIR, instance)


def test_no_property_can_be_taken_for_a_deadlock() -> None:
    assert "deadlock" == DEADLOCK
