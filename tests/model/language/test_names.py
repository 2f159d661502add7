"""Ids of two sets are told apart, in keys and in values."""

from collections.abc import Callable
from enum import IntEnum

import pytest

from nomadspec.model.errors import NamingError, StyleError
from nomadspec.model.language import names
from nomadspec.model.language.domain import FLAG, NONE, Id, opt, upto
from nomadspec.model.language.logic import Value, any_of, exists, for_all, ite, not_
from nomadspec.model.language.model import Model
from nomadspec.model.language.names import Name, NameFrame
from nomadspec.model.language.property import By, always, step
from nomadspec.model.language.rule import rule
from nomadspec.model.language.world import World, field, ids, index, queue, size, tally


class Yard(World):
    """Cars on lots, and who drives them."""

    cars = ids("car", 2, "cars")
    lots = ids("lot", 2, "lots")
    stands = field(cars, opt(lots), init=NONE, about="where the car is")
    keeper = field(lots, opt(cars), init=NONE, about="who was there first")
    leaving = queue(cars, "cars that want to leave")
    parked = tally(stands, "cars on the lot")


def model_of(text: Callable[[Yard, Yard, Id, Id], None]) -> Model:
    return Model("yard", "A yard.", Yard, (rule("YARD-1", car=Yard.cars, lot=Yard.lots)(text),))


def park(s: Yard, t: Yard, car: Id, lot: Id) -> None:
    """A car takes a place."""
    t.require(s.stands[car] == NONE, s.parked[lot] == 0, not_waiting(s, car))
    t.stands[car] = lot
    t.keeper[lot] = ite(s.keeper[lot] == NONE, car, s.keeper[lot])
    t.leaving.push(car)


def not_waiting(s: Yard, car: Id) -> Value:
    return exists(s.stands[other] == NONE for other in s.cars if other == car)


def test_ids_of_the_right_sets_are_accepted() -> None:
    assert model_of(park).at().traced


def give_wrong_value(s: Yard, t: Yard, car: Id, lot: Id) -> None:
    """A car stands on a car."""
    t.require(s.stands[car] == NONE, s.keeper[lot] == NONE)
    t.stands[car] = car


def give_wrong_key(s: Yard, t: Yard, car: Id, lot: Id) -> None:
    """A lot stands somewhere."""
    t.require(s.keeper[lot] == NONE)
    t.stands[lot] = s.stands[car]


def read_wrong_key(s: Yard, t: Yard, car: Id, lot: Id) -> None:
    """A lot is asked where it stands."""
    t.require(s.stands[lot] == NONE)
    t.stands[car] = NONE


def read_at_wrong_value(s: Yard, t: Yard, car: Id, lot: Id) -> None:
    """The keeper of a lot is asked for a keeper."""
    t.require(s.keeper[s.keeper[lot]] == NONE)
    t.stands[car] = NONE


def push_other(s: Yard, t: Yard, car: Id, lot: Id) -> None:
    """A lot wants to leave."""
    t.require(s.stands[car] == NONE)
    t.leaving.push(lot)


def count_other(s: Yard, t: Yard, car: Id, lot: Id) -> None:
    """What is parked on a car is counted."""
    t.require(s.parked[car] == 0, s.keeper[lot] == NONE)
    t.stands[car] = NONE


def copy_other(s: Yard, t: Yard, car: Id, lot: Id) -> None:
    """A choice between two keepers is where a car stands."""
    t.stands[car] = ite(s.stands[car] == NONE, s.keeper[lot], NONE)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (give_wrong_value, "stands holds some of the lots, and is given one of the cars"),
        (give_wrong_key, "stands is read or written at one of its cars that is one of the lots"),
        (read_wrong_key, "stands is read or written at one of its cars that is one of the lots"),
        (read_at_wrong_value, "keeper is read or written at one of its lots that is one of the cars"),
        (push_other, "leaving is read or written at one of its cars that is one of the lots"),
        (count_other, "stands holds some of the lots, and is given one of the cars"),
        (copy_other, "stands holds some of the lots, and is given one of the cars"),
    ],
)
def test_ids_of_another_set_are_refused_by_rule_and_line(
    text: Callable[[Yard, Yard, Id, Id], None], said: str
) -> None:
    model = model_of(text)

    for _ in range(2):
        with pytest.raises(StyleError, match=said) as caught:
            model.at()
        assert "Rule " in str(caught.value)
        assert "test_names.py:" in str(caught.value)


def test_properties_of_a_world_are_looked_at() -> None:
    @always("YARD-1", why="a test")
    def nobody_stands_on_cars(s: Yard) -> Value:
        """Say something about the wrong table."""
        return for_all(s.keeper[car] == NONE for car in s.cars)

    with pytest.raises(
        StyleError, match="keeper is read or written at one of its lots that is one of the cars"
    ):
        model_of(park).with_properties((nobody_stands_on_cars,)).at()


def test_ids_of_two_sets_are_not_compared() -> None:
    """As numbers they could be equal, so that a text would say something by chance."""

    @always("YARD-1", why="a test")
    def nobody_stands_on_itself(s: Yard) -> Value:
        """Compare a car with where it stands."""
        return for_all(any_of(s.stands[car] == NONE, s.stands[car] != car) for car in s.cars)

    @always("YARD-1", why="a test")
    def is_mixed(s: Yard) -> Value:
        """Compare a choice between two cars with a lot."""
        return exists(
            ite(s.stands[car] == NONE, car, s.keeper[lot]) == lot for car in s.cars for lot in s.lots
        )

    with pytest.raises(StyleError, match="One of the lots is compared with one of the cars: the ids of two"):
        model_of(park).with_properties((nobody_stands_on_itself,)).at()
    with pytest.raises(StyleError, match="One of the cars is compared with one of the lots: the ids of two"):
        model_of(park).with_properties((is_mixed,)).at()


class Rail(World):
    """A rail with stops in their order."""

    length = size(2, "how many stops there are")
    stops = index("stop", length, "the stops in their order")
    lit = field(stops, FLAG, init=False, about="the lamp of the stop is on")


@rule("RAIL-1", stop=Rail.stops)
def switch(s: Rail, t: Rail, stop: Id) -> None:
    """A lamp is switched."""
    t.lit[stop] = not_(s.lit[stop])


def test_an_id_of_an_index_is_a_number_that_knows_its_set() -> None:
    frame = NameFrame(Model("rail", "A rail.", Rail, (switch,)).at().frame)
    one = frame.name(1, Rail.stops)

    assert one == 1
    assert "b" == {0: "a", 1: "b"}[one]
    assert {Rail.stops} == frame.list_sets(one)
    assert frame.name(NONE, Rail.stops) == NONE
    assert frame.name(1, None) == 1
    assert not isinstance(frame.name(1, None), Name)


@always("YARD-1", why="a test")
def nobody_waits(s: Yard) -> Value:
    """No car is in the queue."""
    return for_all(not_(s.leaving.has(car)) for car in s.cars)


@pytest.mark.parametrize(
    ("sizes", "looks"),
    [
        ([{"cars": 1, "lots": 1}, {"cars": 1, "lots": 2}, {"cars": 1, "lots": 5}], 1),
        ([{"cars": 1, "lots": 1}, {"cars": 2, "lots": 1}, {"cars": 4, "lots": 3}], 2),
    ],
    ids=["of a set that it does not ask for", "of its own set"],
)
def test_a_text_is_looked_at_again_only_where_it_is_told_something_else(
    monkeypatch: pytest.MonkeyPatch, sizes: list[dict[str, int]], looks: int
) -> None:
    known: dict[tuple[object, ...], list[object]] = {}
    monkeypatch.setattr(names, "_LOOKS", known)
    for each in sizes:
        model_of(park).with_properties((nobody_waits,)).at(sizes=each)

    assert looks == len(known[Yard, nobody_waits, ()])


def name_first(s: Yard, t: Yard, car: Id, lot: Id) -> None:
    """The last car that stands somewhere takes the place, where there are several."""
    t.require(s.stands[car] == NONE)
    for other in s.cars:
        t.keeper[lot] = ite(s.stands[other] != NONE, other, s.keeper[lot])


def test_what_shows_in_a_larger_scope_only_is_looked_for_there() -> None:
    model = model_of(name_first)

    assert model.at(sizes={"cars": 1}).traced
    with pytest.raises(StyleError):
        model.at(sizes={"cars": 2})


class Lamp(IntEnum):
    """How a lamp is."""

    OFF = 0
    ON = 1


class Door(IntEnum):
    """How a door is."""

    SHUT = 0
    OPEN = 1


class Half(IntEnum):
    """How a lamp is, in fewer words."""

    OFF = 0


class Hall(World):
    """A hall with a lamp and a door."""

    lamp = field(Lamp, init=Lamp.OFF, about="the lamp")
    door = field(Door, init=Door.SHUT, about="the door")
    steps = field(upto(3), init=0, about="how often somebody came")


def enter(s: Hall, t: Hall) -> None:
    """Somebody enters."""
    t.require(s.lamp == Half.OFF, s.door != Door.OPEN, s.steps < Lamp.ON)
    t.lamp = Lamp.ON
    t.steps = Door.OPEN


def enter_by_the_lamp(s: Hall, t: Hall) -> None:
    """Somebody takes the lamp for a door."""
    t.require(s.lamp == Door.SHUT)
    t.door = Door.OPEN


def switch_the_door(s: Hall, t: Hall) -> None:
    """Somebody takes the door for a lamp."""
    t.door = Lamp.ON


def choose_wrongly(s: Hall, t: Hall) -> None:
    """Somebody compares a choice of two."""
    t.require(ite(s.steps == 0, s.lamp, s.lamp) <= Lamp.ON)
    t.require(Door.OPEN != s.lamp)
    t.lamp = Lamp.ON


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            enter_by_the_lamp,
            "which is one of off, on, is compared with Door.SHUT: two enums are mixed up",
        ),
        (switch_the_door, "door, which is one of shut, open, is given Lamp.ON: two enums are mixed up"),
        (
            choose_wrongly,
            "which is one of off, on, is compared with Door.OPEN: two enums are mixed up",
        ),
    ],
)
def test_members_of_another_enum_are_refused(text: Callable[[Hall, Hall], None], said: str) -> None:
    """Their numbers may be equal, so that a text would say something by chance."""
    with pytest.raises(StyleError, match=said):
        Model("hall", "A hall.", Hall, (rule("HALL-1")(text),)).at()


def test_members_of_the_same_name_and_number_are_accepted() -> None:
    assert Model("hall", "A hall.", Hall, (rule("HALL-1")(enter),)).at().traced


def leave(s: Yard, t: Yard, car: Id, lot: Id) -> None:
    """A car leaves its lot."""
    t.require(s.stands[car] == lot)
    t.stands[car] = NONE


def ask_first_keeper(n: Yard, car: Id) -> Value:
    return n.keeper[0] == car


def ask_first_lot(n: Yard, car: Id) -> Value:
    return n.stands[car] == n.parked[0]


@pytest.mark.parametrize("ask", [ask_first_keeper, ask_first_lot])
def test_what_is_asked_only_where_a_write_is_known_is_looked_at(ask: Callable[[Yard, Id], Value]) -> None:
    """The text branches on what the rule writes, so that it is read where this is known."""

    def tells(s: Yard, n: Yard, by: By) -> Value:
        return n.stands[by["car"]] != NONE or not_(ask(n, by["car"]))

    model = model_of(leave).with_properties((step("YARD-2", why="a test")(tells),))
    with pytest.raises(NamingError, match=r"^Property tells .* named by the number 0"):
        model.at()
