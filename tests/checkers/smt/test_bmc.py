"""Bounded search."""

import pytest

from nomadspec.checkers.progress import Silence
from nomadspec.checkers.smt.bmc import BoundedSearch
from nomadspec.checkers.smt.question import Patience
from nomadspec.checkers.usual_profile import bind_as_usual
from nomadspec.invariants.catalogue import find_model
from nomadspec.model.language.bounded import BoundedModel
from nomadspec.model.language.claim import judge
from nomadspec.model.language.domain import Id
from nomadspec.model.language.logic import Value, not_
from nomadspec.model.language.property import Property, always, step
from nomadspec.model.language.rule import rule
from nomadspec.model.language.story import Story, replay
from tests.checkers.smt.toys import Desk, begin, desk, finish


def search(bounded: BoundedModel, *properties: Property, steps: int = 8) -> dict[str, Story]:
    names = [prop.name for prop in properties]
    return BoundedSearch(bounded, Patience(None, 2.0)).find_stories(names, steps, Silence())


@always("X", why="for the test")
def office_is_open(s: Desk) -> Value:
    """The office is open."""
    return not_(s.closed)


@always("X", why="for the test")
def few_are_served(s: Desk) -> Value:
    """At most one was served."""
    return s.served <= 1


@step("X", why="for the test")
def nobody_finishes(s: Desk, n: Desk) -> Value:
    """No step serves anybody."""
    return n.served == s.served


@rule("X", clerk=Desk.clerks)
def close(s: Desk, t: Desk, clerk: Id) -> None:
    """A busy clerk closes the office."""
    t.require(s.busy[clerk])
    t.closed = True


@pytest.mark.parametrize(
    ("model", "scope", "name", "length"),
    [
        pytest.param("core", "unchecked", "no_node_is_oversubscribed", 6, marks=pytest.mark.deep),
        ("core", "reused", "no_token_is_shared", 3),
        ("2pc", "hasty", "managers_agree", 5),
    ],
)
def test_the_shortest_story_is_found_and_replays(model: str, scope: str, name: str, length: int) -> None:
    bounded = bind_as_usual(find_model(model), scope)
    story = search(bounded, bounded.model.find_property(name))[name]

    assert length == len(story.steps)
    assert judge(story, replay(story, bounded)).is_true


def test_a_search_that_is_too_short_finds_nothing() -> None:
    bounded = find_model("core").at("reused")

    assert {} == search(bounded, bounded.model.find_property("no_token_is_shared"), steps=2)


def test_an_initial_world_is_a_story_without_steps() -> None:
    @always("X", why="for the test")
    def office_is_closed(s: Desk) -> Value:
        """The office is closed."""
        return s.closed

    bounded = desk(begin, finish, properties=(office_is_closed,))

    assert () == search(bounded, office_is_closed)["office_is_closed"].steps


def test_a_step_property_is_broken_by_a_step() -> None:
    bounded = desk(begin, finish, properties=(nobody_finishes,))
    story = search(bounded, nobody_finishes)["nobody_finishes"]

    assert ["Begin", "Finish"] == [application.rule for application in story.steps]


def test_each_property_has_its_own_shortest_story() -> None:
    properties = (few_are_served, office_is_open, nobody_finishes)
    found = search(desk(begin, finish, close, properties=properties), *properties)
    lengths = {name: len(story.steps) for name, story in found.items()}

    assert {"few_are_served": 4, "office_is_open": 2, "nobody_finishes": 2} == lengths


def test_stories_begin_in_any_of_the_initial_worlds() -> None:
    @rule("X", clerk=Desk.clerks)
    def start(s: Desk, t: Desk, clerk: Id) -> None:
        """A clerk is there from the start."""
        t.busy[clerk] = True
        t.line.push(clerk)

    bounded = desk(finish, starts=(start,), properties=(nobody_finishes,))
    story = search(bounded, nobody_finishes)["nobody_finishes"]

    assert story.start is not None
    assert 1 == len(story.steps)


def test_a_model_without_rules_has_no_story() -> None:
    assert {} == search(desk(properties=(office_is_open,)), office_is_open)


def test_a_step_out_of_a_domain_is_no_step() -> None:
    @rule("X")
    def overfill(s: Desk, t: Desk) -> None:
        """The room fills, and no more than the interpreter allows."""
        t.level = s.level + 1

    @always("X", why="for the test")
    def room_is_kept(s: Desk) -> Value:
        """The room is not overfull."""
        return s.level <= s.room

    assert {} == search(desk(overfill, properties=(room_is_kept,)), room_is_kept, steps=3)


def test_a_search_repeats() -> None:
    bounded = find_model("2pc").at("hasty")
    agreement = bounded.model.find_property("managers_agree")

    assert search(bounded, agreement) == search(bounded, agreement)


def test_a_search_without_time_gives_up() -> None:
    bounded = find_model("2pc").at("hasty")
    agreement = bounded.model.find_property("managers_agree")

    assert {} == BoundedSearch(bounded, Patience(0.0, 2.0)).find_stories([agreement.name], 8, Silence())
