"""Literals that a value can hold in no scope: what is compared with them holds always or never."""

from collections.abc import Callable
from enum import IntEnum
from typing import Final

import pytest

from nomadspec.checkers.explore import explore
from nomadspec.checkers.verdict import Verdict
from nomadspec.model.errors import NamingError
from nomadspec.model.language.domain import NONE, SKIP, Id, counter, opt, upto
from nomadspec.model.language.literals import Given
from nomadspec.model.language.logic import Value, all_of, for_all
from nomadspec.model.language.model import Model
from nomadspec.model.language.property import always
from nomadspec.model.language.rule import rule
from nomadspec.model.language.world import World, field, ids, index, size


class Mood(IntEnum):
    """How a guest is."""

    CALM = 0
    CROSS = 1


class Inn(World):
    """Guests, rooms in a row, and how much they drink."""

    many = size(3, "rooms")
    guests = ids("guest", 2, "guests")
    rooms = index("room", many, "rooms")
    owner = field(rooms, opt(guests), init=NONE, about="who has a room")
    asked = field(rooms, opt(guests, SKIP), init=SKIP, about="who asked for a room")
    last = field(guests, rooms, init=0, about="the room that a guest had last")
    mood = field(guests, Mood, init=Mood.CALM, about="how a guest is")
    wine = field(upto(2), init=0, about="glasses of wine")
    beer = field(upto(many), init=0, about="glasses of beer")
    water = field(counter(2), init=0, about="glasses of water")
    debt = field(counter(2, below=1), init=0, about="what a guest owes")


@rule("INN-1", g=Inn.guests, r=Inn.rooms)
def take(s: Inn, t: Inn, g: Id, r: Id) -> None:
    """A guest takes a room."""
    t.require(s.owner[r] == NONE)
    t.owner[r] = g
    t.last[g] = r


def model_of(text: Callable[[Inn], Value]) -> Model:
    def holds(s: Inn) -> Value:
        return text(s)

    properties = (always("INN-2", why="w")(holds),)
    return Model("inn", "An inn.", Inn, (take,), properties, is_at_rest=lambda s: s.wine == 0)


IN_VAIN: Final[dict[str, tuple[Callable[[Inn], Value], str]]] = {
    "an id": (lambda s: for_all(s.owner[r] != SKIP for r in s.rooms), "guest or NONE, is compared with SKIP"),
    "an id of an id": (
        lambda s: for_all(s.owner[s.last[g]] != SKIP for g in s.guests),
        "guest or NONE, is compared with SKIP",
    ),
    "a place": (lambda s: for_all(s.last[g] != NONE for g in s.guests), "is room, is compared with NONE"),
}

POSSIBLE: Final[dict[str, Callable[[Inn], Value]]] = {
    "SKIP": lambda s: for_all(s.asked[r] == SKIP for r in s.rooms),
    "more than SKIP": lambda s: for_all(s.owner[r] > SKIP for r in s.rooms),
    "a status": lambda s: for_all(s.mood[g] != 2 for g in s.guests),
    "a number": lambda s: all_of(s.wine != 3, s.beer != 9, s.water != 9, s.debt != -1, s.wine <= 2),
    "a size": lambda s: all_of(s.wine != s.many, s.wine != 2 * s.many - 1, s.wine != (s.many + 4) // 2 % 9),
    "a place": lambda s: for_all(s.wine != r + 5 for r in s.rooms),
    "before the first": lambda s: for_all(s.last[g] != s.many - 1 - s.many for g in s.guests),
}


@pytest.mark.parametrize("name", IN_VAIN)
def test_a_literal_that_a_value_never_is_is_refused(name: str) -> None:
    text, said = IN_VAIN[name]
    with pytest.raises(NamingError, match=rf"^Property holds \(.*test_literals.py:\d+\): .*{said}"):
        model_of(text).at()


@pytest.mark.parametrize("name", POSSIBLE)
def test_what_another_scope_may_hold_is_accepted(name: str) -> None:
    assert explore(model_of(POSSIBLE[name]).at()).verdict is Verdict.HOLDS


def test_what_is_computed_from_a_given_number_is_given() -> None:
    n = Given(5)
    found = [n + 1, 1 + n, n - 1, 9 - n, n * 2, 2 * n, n // 2, n % 2]

    assert [6, 6, 4, 4, 10, 10, 2, 1] == found
    assert {Given} == {type(each) for each in found}
