"""Statuses of two enums in one comparison: the numbers of one say nothing of the other."""

from collections.abc import Callable
from enum import IntEnum
from typing import Final

import pytest

from nomadspec.model.errors import NamingError
from nomadspec.model.language.bounded import BoundedModel
from nomadspec.model.language.domain import FLAG, Id
from nomadspec.model.language.logic import Value, ite, maximum, one_of
from nomadspec.model.language.model import Model
from nomadspec.model.language.property import always
from nomadspec.model.language.rule import rule
from nomadspec.model.language.world import World, field, ids


class Stage(IntEnum):
    """How a worker is."""

    IDLE = 0
    BUSY = 1
    BROKEN = 2


class Line(IntEnum):
    """How a telephone is: busy has another number."""

    BUSY = 0
    FREE = 1


class Office(World):
    """Workers and telephones."""

    workers = ids("worker", 2, "workers")
    stage = field(workers, Stage, init=Stage.IDLE, about="how a worker is")
    line = field(workers, Line, init=Line.FREE, about="how the telephone of a worker is")
    is_open = field(FLAG, init=False, about="the office is open")


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

ALIKE: Final[dict[str, Callable[[Office, Id], Value]]] = {
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


@pytest.mark.parametrize("name", ALIKE)
def test_choices_of_one_enum_are_accepted(name: str) -> None:
    assert load(ALIKE[name]).traced
