"""Statuses of two enums, or a status and a number: the numbers of one say nothing of the other."""

from collections.abc import Callable
from enum import IntEnum
from typing import Final

import pytest

from nomadspec.model.errors import NamingError
from nomadspec.model.language.bounded import BoundedModel
from nomadspec.model.language.domain import FLAG, NONE, Id, StatusEnum, opt, upto
from nomadspec.model.language.logic import Value, ite, maximum, one_of
from nomadspec.model.language.model import Model
from nomadspec.model.language.property import always
from nomadspec.model.language.record import Record, record
from nomadspec.model.language.rule import rule
from nomadspec.model.language.world import World, field, ids


class Stage(IntEnum):
    """How a worker is."""

    IDLE = 0
    BUSY = 1
    BROKEN = 2


class Grade(StatusEnum):
    """What a worker has come to: no number says it."""

    NEW = 0
    CHIEF = 1


class Line(IntEnum):
    """How a telephone is: busy has another number."""

    BUSY = 0
    FREE = 1


class Rooms(World):
    """Who there is."""

    workers = ids("worker", 2, "workers")


class Desk(Record):
    """What a desk shows of a worker."""

    grade = field(Grade, init=Grade.NEW, about="what the worker has come to")
    grades = field(Rooms.workers, Grade, init=Grade.NEW, about="what the others have come to")
    calls = field(upto(9), init=0, about="calls that the worker has taken")


class Office(Rooms):
    """Workers and telephones."""

    stage = field(Rooms.workers, Stage, init=Stage.IDLE, about="how a worker is")
    line = field(Rooms.workers, Line, init=Line.FREE, about="how the telephone of a worker is")
    is_open = field(FLAG, init=False, about="the office is open")
    grade = field(Rooms.workers, Grade, init=Grade.NEW, about="what a worker has come to")
    calls = field(Rooms.workers, upto(9), init=0, about="calls that a worker has taken")
    helper = field(opt(Rooms.workers), init=NONE, about="who helps the others")
    desk = record(Desk, Rooms.workers, about="on a desk")


@rule("OFFICE-1", w=Office.workers)
def work(s: Office, t: Office, w: Id) -> None:
    """Somebody works."""
    t.require(s.stage[w] == Stage.IDLE)
    t.stage[w] = Stage.BUSY


def load(text: Callable[[Office, Id], Value]) -> BoundedModel:
    def holds(s: Office) -> Value:
        return one_of(True, *(text(s, w) for w in s.workers))

    return Model("office", "An office.", Office, (work,), (always("OFFICE-2", why="w")(holds),)).at()


MIXED: Final[dict[str, tuple[Callable[[Office, Id], Value], str]]] = {
    "member of one": (lambda s, w: _either(s, w) == Line.BUSY, "is compared with Line.BUSY"),
    "member of the other": (lambda s, w: _either(s, w) == Stage.IDLE, "is compared with Stage.IDLE"),
    "number": (lambda s, w: _either(s, w) == 1, "is chosen from a value that is one of"),
    "order": (
        lambda s, w: _either(s, w) < Stage.BROKEN,
        "is chosen from a value that is one of idle, busy, broken",
    ),
    "status": (lambda s, w: _either(s, w) == s.stage[w], "is compared with one that is one of idle"),
    "maximum": (lambda s, w: maximum(s.line[w], s.stage[w]) == 2, "is compared with one that is one of idle"),
    "status or member": (
        lambda s, w: ite(s.is_open, s.line[w], Line.FREE) == Stage.BUSY,
        "is compared with Stage.BUSY",
    ),
    "member or status": (
        lambda s, w: ite(s.is_open, Line.BUSY, s.stage[w]) == Stage.BUSY,
        "may be Line.BUSY, is compared with Stage.BUSY",
    ),
    "two members": (
        lambda s, _: ite(s.is_open, Line.BUSY, Stage.IDLE) != Stage.BUSY,
        "may be Line.BUSY, is compared with Stage.BUSY",
    ),
    "two members and a status": (
        lambda s, w: ite(s.is_open, Line.BUSY, Stage.BUSY) == s.stage[w],
        "may be Line.BUSY, is compared with one that is one of idle",
    ),
}
NUMBERS: Final[dict[str, tuple[Callable[[Office, Id], Value], str]]] = {
    "equal": (lambda s, w: s.grade[w] == s.calls[w], "one of new, chief, .* one that is 0 .. 9"),
    "order": (lambda s, w: s.calls[w] < s.grade[w], "one of new, chief, .* one that is 0 .. 9"),
    "id": (lambda s, w: s.grade[w] == s.helper, "one of new, chief, .* one that is worker or NONE"),
    "choice": (lambda s, w: ite(s.is_open, s.calls[w], 1) == s.grade[w], "one that is 0 .. 9"),
}
"""Statuses that are compared with numbers and ids."""

GIVEN: Final[dict[str, tuple[Callable[[Office, Office, Id], None], str]]] = {
    "a number": (lambda s, t, w: _set(t.grade, w, s.calls[w]), "grade, .* chief, is given .* 0 .. 9"),
    "an id": (lambda s, t, w: _set(t.grade, w, s.helper), "grade, .* is given .* worker or NONE"),
    "a choice": (lambda s, t, w: _set(t.grade, w, ite(s.is_open, s.calls[w], 1)), "is given .* 0 .. 9"),
    "a status": (lambda s, t, w: _set(t.calls, w, s.grade[w]), "calls, .* 0 .. 9, is given .* one of new"),
    "part of a record": (
        lambda s, t, w: _set(t.desk, w, Desk(grade=s.calls[w], grades=s.grade, calls=0)),
        "desk.grade, which is one of new, chief, is given a value that is 0 .. 9, and",
    ),
    "table of a record": (
        lambda s, t, w: _set(t.desk, w, Desk(grade=s.grade[w], grades=s.calls, calls=0)),
        "desk.grades, .* is given a value that is 0 .. 9",
    ),
    "formula of a record": (
        lambda s, t, w: _set(t.desk, w, Desk(grade=s.grade[w], grades=lambda o: s.calls[o], calls=0)),
        "desk.grades, .* is given a value that is 0 .. 9",
    ),
    "number of a record": (
        lambda s, t, w: _set(t.desk, w, Desk(grade=s.grade[w], grades=s.grade, calls=s.grade[w])),
        "desk.calls, which is 0 .. 9, is given a value that is one of new",
    ),
}
"""What is written where something else belongs."""

ALIKE: Final[dict[str, Callable[[Office, Id], Value]]] = {
    "number of an enum": lambda s, w: s.stage[w] <= s.calls[w],
    "statuses": lambda s, w: ite(s.is_open, Grade.CHIEF, s.grade[w]) > Grade.NEW,
    "member or status": lambda s, w: ite(s.is_open, Stage.BROKEN, s.stage[w]) == Stage.BUSY,
    "chosen answers": lambda s, w: ite(s.is_open, s.line[w] == Line.BUSY, s.stage[w] == Stage.BUSY),
    "two members": lambda s, w: s.stage[w] == ite(s.line[w] == Line.BUSY, Stage.BUSY, Stage.IDLE),
}


def _either(s: Office, w: Id) -> Value:
    return ite(s.is_open, s.line[w], s.stage[w])


@pytest.mark.parametrize("name", MIXED)
def test_each_value_that_is_chosen_from_is_of_the_enum(name: str) -> None:
    """One branch of the right enum had let the other one pass, and a false property held."""
    text, said = MIXED[name]
    with pytest.raises(NamingError, match=rf"^Property holds \(.*\): .*{said}.*two enums are mixed up"):
        load(text)


def _set(table: Value, w: Id, value: Value) -> None:
    table[w] = value


@pytest.mark.parametrize("name", NUMBERS)
def test_a_status_is_compared_with_no_number(name: str) -> None:
    text, said = NUMBERS[name]
    with pytest.raises(NamingError, match=rf"^Property holds \(.*\): .*{said}.*, and so none of these"):
        load(text)


@pytest.mark.parametrize("name", GIVEN)
def test_a_status_is_given_where_one_belongs(name: str) -> None:
    text, said = GIVEN[name]

    def put(s: Office, t: Office, w: Id) -> None:
        """Something is written."""
        text(s, t, w)

    office = Model("office", "An office.", Office, (rule("OFFICE-1", w=Office.workers)(put),))
    with pytest.raises(NamingError, match=rf"^Rule Put \(.*\): .*{said}"):
        office.at()


@pytest.mark.parametrize("name", ALIKE)
def test_choices_of_one_enum_are_accepted(name: str) -> None:
    assert load(ALIKE[name]).traced
