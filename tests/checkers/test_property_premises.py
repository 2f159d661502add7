"""Premises: where properties say something."""

from nomadspec.checkers.property_premises import Premises
from nomadspec.checkers.stepper.evaluate import evaluate
from nomadspec.model.language.domain import FLAG, Id
from nomadspec.model.language.logic import Value, for_all, implies
from nomadspec.model.language.model import Model
from nomadspec.model.language.property import By, always, eventually, step
from nomadspec.model.language.rule import rule
from nomadspec.model.language.world import World, field, ids


class Doors(World):
    """Doors that are open or shut."""

    doors = ids("door", 2, "doors")
    is_open = field(doors, FLAG, init=False, about="the door is open")
    is_lit = field(FLAG, init=False, about="there is light")


@rule("D-1", door=Doors.doors)
def enter(s: Doors, t: Doors, door: Id) -> None:
    """A door is opened."""
    t.is_open[door] = True


@rule("D-2")
def light(s: Doors, t: Doors) -> None:
    """Light is made."""
    t.is_lit = True


@always("D-1", why="two places")
def two_places(s: Doors) -> Value:
    """Say two things."""
    return implies(s.is_lit, for_all(implies(s.is_open[door], s.is_lit) for door in s.doors))


@step("D-1", why="only some rules")
def doors_stay_open(s: Doors, n: Doors, by: By) -> Value:
    """Say something of one rule."""
    return implies(by.is_(enter), for_all(n.is_open[door] == s.is_open[door] for door in s.doors))


@eventually("D-2", why="what is given", given=lambda s: s.is_lit)
def all_is_open(s: Doors) -> Value:
    """Say something of a path."""
    return for_all(s.is_open[door] for door in s.doors)


DOORS = Model("doors", "doors", Doors, (enter, light), (two_places, doors_stay_open, all_is_open))


def is_met(flag: Value, *cells: int) -> bool:
    """Evaluate a premise."""
    return bool(evaluate(flag, cells))


def test_premises_are_named_by_property_and_number() -> None:
    premises = Premises(DOORS.at(), DOORS.properties)

    assert {"two_places #1", "two_places #2", "doors_stay_open", "all_is_open"} == set(premises.names)


def test_a_premise_is_met_where_it_holds_for_some_member() -> None:
    inner, given = (
        dict(Premises(DOORS.at(), DOORS.properties).list_of_worlds())[name]
        for name in ("two_places #1", "all_is_open")
    )
    if is_met(inner, False, False, True):
        inner = dict(Premises(DOORS.at(), DOORS.properties).list_of_worlds())["two_places #2"]

    assert [False, True, True] == [
        is_met(inner, *cells) for cells in ((False, False, True), (False, True, False), (True, True, True))
    ]
    assert [False, True] == [is_met(given, False, False, is_lit) for is_lit in (False, True)]


def test_the_rule_of_a_step_may_settle_a_premise() -> None:
    bounded = DOORS.at()
    premises = Premises(bounded, DOORS.properties)
    found = {
        traced.instance.rule.name: premises.list_of_step(traced.instance.number)[1]
        for traced in bounded.traced
    }

    assert {"Enter": [("doors_stay_open", True)], "Light": []} == found


def test_what_cannot_be_met_is_no_premise() -> None:
    without = DOORS.at(sizes={"doors": 0})

    assert "doors_stay_open" not in Premises(without, DOORS.properties).names
