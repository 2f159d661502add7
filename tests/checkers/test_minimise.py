"""Stories lose what they do not need, and nothing else."""

from dataclasses import replace

import pytest

from nomadspec.checkers.minimise import minimise
from nomadspec.invariants.catalogue import find_model
from nomadspec.model.errors import DisabledError
from nomadspec.model.language.bounded import BoundedModel
from nomadspec.model.language.claim import judge, tell
from nomadspec.model.language.story import DEADLOCK, Story, replay
from nomadspec.model.language.trace import Instance
from tests.checkers.shop import instances_of
from tests.checkers.simulate.models import LEVELS, STARTS

LONG_WAY = (
    "Prepare rm3",
    "Prepare rm1",
    "CountPrepared rm3",
    "CountPrepared rm3",
    "ChooseAbort rm2",
    "CountPrepared rm1",
    "DecideCommit",
    "ObeyCommit rm3",
    "ObeyCommit rm1",
)


def tell_steps(bounded: BoundedModel, steps: tuple[str, ...], about: str) -> Story:
    return tell(bounded, bounded.initial[0], instances_of(bounded, steps), about=about, seed=4)


def is_true(bounded: BoundedModel, story: Story) -> bool:
    try:
        told = replay(story, bounded)
    except DisabledError:
        return False
    return judge(story, told).is_true


def list_droppable(bounded: BoundedModel, story: Story) -> list[int]:
    """List the steps without which the story still ends as it claims."""
    return [
        at
        for at in range(len(story.steps))
        if is_true(bounded, replace(story, steps=story.steps[:at] + story.steps[at + 1 :]))
    ]


def test_needless_steps_are_dropped() -> None:
    bounded = find_model("2pc").at("hasty")
    story = tell_steps(bounded, LONG_WAY, "managers_agree")
    short = minimise(bounded, story)

    assert list_droppable(bounded, story)
    assert [] == list_droppable(bounded, short)
    assert 5 == len(short.steps)
    assert ("managers_agree", 4) == (short.property, short.seed)
    assert short.witnesses
    assert is_true(bounded, short)


def test_a_minimal_story_stays_as_it_is() -> None:
    bounded = find_model("2pc").at("hasty")
    short = minimise(bounded, tell_steps(bounded, LONG_WAY, "managers_agree"))

    assert short == minimise(bounded, short)


def test_what_comes_true_earlier_ends_the_story() -> None:
    bounded = LEVELS.at()
    story = tell_steps(bounded, ("TurnTwice", "TurnUp", "TurnUp"), "level_is_low")

    assert ("TurnTwice()", "TurnUp()") == tuple(map(str, minimise(bounded, story).steps))


def test_the_way_round_is_cut_before_a_step_that_is_wrong() -> None:
    bounded = LEVELS.at()
    round_trip = ("TurnUp", "TurnUp", "TurnOff", "Light lamp2", "TurnUp", "TurnOff")
    story = tell_steps(bounded, round_trip, "level_never_falls")

    assert ("TurnUp()", "TurnOff()") == tuple(map(str, minimise(bounded, story).steps))


def test_there_and_back_is_dropped_together() -> None:
    bounded = find_model("core").at("unchecked", sizes={"flips": 4})
    steps = (
        "Dequeue worker1 job1",
        "FlipNode node2",
        "Dequeue worker2 job2",
        "FlipNode node2",
        "Schedule worker1 job1 node1 node1",
        "Schedule worker2 job2 node1 node1",
        "ApplyPlan worker1 job1",
        "ApplyPlan worker2 job2",
    )
    instances = {" ".join(_words(bounded, one)): one for one in bounded.instances}
    story = tell(
        bounded, bounded.initial[0], [instances[step] for step in steps], about="no_node_is_oversubscribed"
    )

    assert 8 == len(story.steps)
    assert 6 == len(minimise(bounded, story).steps)


def _words(bounded: BoundedModel, instance: Instance) -> list[str]:
    labels = bounded.label_arguments(instance).values()
    flat = [each for label in labels for each in (label.values() if isinstance(label, dict) else [label])]
    return [instance.rule.name, *map(str, flat)]


def test_one_step_replaces_the_way_to_a_later_world() -> None:
    bounded = LEVELS.at()
    story = tell_steps(bounded, ("TurnUp",) * 3, "level_is_low")

    assert ("TurnTwice()", "TurnUp()") == tuple(map(str, minimise(bounded, story).steps))


def test_the_way_to_a_stuck_world_is_shortened() -> None:
    bounded = STARTS.at()
    story = tell_steps(bounded, ("Light lamp2", "Light lamp3"), DEADLOCK)

    assert story == minimise(bounded, story)


def test_a_story_that_claims_nothing_stays_as_it_is() -> None:
    bounded = LEVELS.at()
    story = replace(tell_steps(bounded, ("TurnUp", "TurnOff"), "level_never_falls"), property=None)

    assert story == minimise(bounded, story)


@pytest.mark.parametrize("about", ["level_is_one", "level_is_zero"])
def test_a_story_may_end_where_it_reaches_something(about: str) -> None:
    bounded = LEVELS.at()
    story = tell_steps(bounded, ("Light lamp1", "TurnUp"), about)

    assert ("TurnUp()",) == tuple(map(str, minimise(bounded, story).steps))
