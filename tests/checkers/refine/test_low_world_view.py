"""What a mapping may do with ids: name them and compare them, with those of their own set."""

from collections.abc import Callable
from typing import Final

import pytest

from nomadspec.checkers.refine import refine
from nomadspec.checkers.verdict import Verdict
from nomadspec.model.errors import NamingError
from nomadspec.model.language.domain import FLAG, NONE, SKIP, Id, opt
from nomadspec.model.language.logic import exists, for_all, not_
from nomadspec.model.language.model import Model
from nomadspec.model.language.refinement import refines
from nomadspec.model.language.rule import rule
from nomadspec.model.language.world import World, field, ids


class High(World):
    guests = ids("guest", 2, "guests")
    lodged = field(guests, FLAG, init=False, about="the guest has a room")


class Low(World):
    guests = ids("guest", 2, "guests")
    rooms = ids("room", 2, "rooms")
    owner = field(rooms, opt(guests), init=NONE, about="who has the room")


@rule("High-1", guest=High.guests)
def lodge(s: High, t: High, guest: Id) -> None:
    """A guest finds a room."""
    t.require(not_(s.lodged[guest]))
    t.lodged[guest] = True


@rule("Low-1", guest=Low.guests, room=Low.rooms)
def take(s: Low, t: Low, guest: Id, room: Id) -> None:
    """A guest takes a room."""
    t.require(s.owner[room] == NONE, for_all(s.owner[other] != guest for other in s.rooms))
    t.owner[room] = guest


HIGH = Model("high", "guests with rooms", High, (lodge,))
LOW = Model("low", "rooms of guests", Low, (take,))


def compare_ids(s: Low, t: High) -> None:
    for guest in s.guests:
        t.lodged[guest] = exists(s.owner[room] == guest for room in s.rooms)


def name_an_id(s: Low, t: High) -> None:
    for guest in s.guests:
        t.lodged[guest] = s.owner[0] == guest


def compare_sets(s: Low, t: High) -> None:
    for guest in s.guests:
        t.lodged[guest] = exists(s.owner[room] == room for room in s.rooms)


def take_the_other_set(s: Low, t: High) -> None:
    for guest in s.guests:
        t.lodged[guest] = s.owner[guest] != NONE


def ask_in_vain(s: Low, t: High) -> None:
    for guest in s.guests:
        t.lodged[guest] = exists(s.owner[room] == SKIP for room in s.rooms)


MISTAKEN: Final[dict[Callable[[Low, High], None], str]] = {
    compare_sets: "One of the guests is compared with one of the rooms",
    take_the_other_set: "owner is read or written at one of its rooms that is one of the guests",
    ask_in_vain: "which is guest or NONE, is compared with SKIP",
}


@pytest.mark.parametrize("text", [compare_ids, name_an_id])
def test_ids_of_one_set_are_compared_and_named(text: Callable[[Low, High], None]) -> None:
    assert refine(LOW.at(), refines(HIGH)(text)).verdict is Verdict.HOLDS


@pytest.mark.parametrize("text", MISTAKEN)
def test_ids_of_two_sets_are_not_mixed_up(text: Callable[[Low, High], None]) -> None:
    said = rf"^Mapping {text.__name__} \(.*test_low_world_view.py:\d+\): .*{MISTAKEN[text]}"
    with pytest.raises(NamingError, match=said):
        refine(LOW.at(), refines(HIGH)(text))
