"""Four errands on a board: two on the left dial, one that lets the second of them happen, and one apart."""

from operator import eq

from nomadspec.checkers.explore.partial_order.facts import take_as_written
from nomadspec.checkers.explore.partial_order.footprints import find_footprints
from nomadspec.checkers.explore.partial_order.relations import Relations
from nomadspec.model.language.bounded import BoundedModel
from nomadspec.model.language.logic import Value, any_of
from nomadspec.model.language.model import Model
from nomadspec.model.language.property import always, sometimes, step
from tests.checkers.explore.boards import Board, Look, Move, Write


def move_on(place: str, old: int, new: int, *more: Look) -> Move:
    return Move(is_for_each=False, looks=(Look(place, eq, old), *more), writes=(Write(place, new),), fair="")


FIRST, SECOND, RIGHT, ABOVE = range(4)
"""The positions of the instances."""

_MOVES = (
    move_on("left", 0, 1),
    move_on("left", 0, 2, Look("right", eq, 1)),
    move_on("right", 0, 1),
    move_on("above", 0, 1),
)


@always("B-1", why="it breaks on purpose")
def left_is_low(s: Board) -> Value:
    """The left dial is not at its top."""
    return s.left < 2


@sometimes("B-1", why="it happens")
def is_above(s: Board) -> Value:
    """The upper dial was turned."""
    return s.above == 1


@step("B-1", why="it breaks on purpose")
def left_before_above(s: Board, n: Board) -> Value:
    """The upper dial is turned after the left one."""
    return any_of(s.left > 0, n.above == s.above)


ERRANDS = Model(
    "errands",
    "four errands",
    Board,
    tuple(move.make(number) for number, move in enumerate(_MOVES)),
    (left_is_low, is_above, left_before_above),
)


def relate(bounded: BoundedModel) -> Relations:
    facts = take_as_written(bounded)
    return Relations(facts, find_footprints(facts, ()))
