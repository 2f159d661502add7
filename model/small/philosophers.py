"""The dining philosophers: everyone at a round table needs both forks beside the plate to eat.

It teaches what a deadlock is, and what strong fairness is for: a fork may be free again and again, and each
time somebody else takes it.
"""

from enum import IntEnum

from nomadspec.model.language.domain import NONE, Id, opt
from nomadspec.model.language.logic import Flag, all_of
from nomadspec.model.language.model import Model
from nomadspec.model.language.rule import rule, strong, weak
from nomadspec.model.language.scope import Scope
from nomadspec.model.language.world import World, field, index, size
from nomadspec.model.specification.mistakes import LEFT_FORK_FIRST


class Mood(IntEnum):
    """What a philosopher is doing."""

    THINKING = 0
    HUNGRY = 1
    EATING = 2


class Table(World):
    """Seats around a table, and a fork to the left of each."""

    count = size(3, "how many philosophers there are", least=2)
    seats = index("seat", count, "the seats, in their order around the table")

    mood = field(seats, Mood, init=Mood.THINKING, about="what the philosopher on a seat is doing")
    holder = field(seats, opt(seats), init=NONE, about="who has the fork to the left of a seat")


def find_right(s: Table, seat: Id) -> Id:
    """Find the fork to the right of a seat: the one to the left of the next seat."""
    return (seat + 1) % int(s.count)


def find_order(s: Table, seat: Id) -> tuple[Id, Id]:
    """Find the forks of a seat in the order in which they are taken."""
    right = find_right(s, seat)
    return (seat, right) if s.has(LEFT_FORK_FIRST) else (min(seat, right), max(seat, right))


@rule("Table!Hunger", seat=Table.seats)
def get_hungry(s: Table, t: Table, seat: Id) -> None:
    """A philosopher stops thinking."""
    t.require(s.mood[seat] == Mood.THINKING)
    t.mood[seat] = Mood.HUNGRY


@rule("Table!First", fair=strong("seat"), seat=Table.seats)
def take_first(s: Table, t: Table, seat: Id) -> None:
    """A hungry philosopher takes a first fork."""
    first, _ = find_order(s, seat)
    t.require(s.mood[seat] == Mood.HUNGRY, s.holder[first] == NONE)
    t.holder[first] = seat


@rule("Table!Second", fair=strong("seat"), seat=Table.seats)
def take_second(s: Table, t: Table, seat: Id) -> None:
    """Who has a first fork takes the second one, and eats."""
    first, second = find_order(s, seat)
    t.require(s.holder[first] == seat, s.holder[second] == NONE)
    t.holder[second] = seat
    t.mood[seat] = Mood.EATING


@rule("Table!Sated", fair=weak("seat"), seat=Table.seats)
def put_down(s: Table, t: Table, seat: Id) -> None:
    """Who has eaten puts both forks back, and thinks."""
    t.require(s.mood[seat] == Mood.EATING)
    t.holder[seat] = NONE
    t.holder[find_right(s, seat)] = NONE
    t.mood[seat] = Mood.THINKING


def is_at_rest(s: Table) -> Flag:
    """True while a world may be the last one: none may."""
    return all_of(s.count < 0)


PHILOSOPHERS = Model(
    name="philosophers",
    about="philosophers around a table share forks",
    world=Table,
    rules=(get_hungry, take_first, take_second, put_down),
    is_at_rest=is_at_rest,
    scopes=(
        Scope("small", "three philosophers"),
        Scope("five", "five philosophers", {"count": 5}),
        Scope("stubborn", "everyone takes the left fork first: must fail", {}, LEFT_FORK_FIRST.id),
    ),
)
