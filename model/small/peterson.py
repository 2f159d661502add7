"""Peterson's algorithm: two processes share a critical section with a flag for each and one turn.

It teaches that the order of two assignments decides, and that fairness is needed only of those who want to
enter.
"""

from enum import IntEnum

from nomadspec.model.language.domain import FLAG, Id
from nomadspec.model.language.logic import any_of, not_
from nomadspec.model.language.model import Model
from nomadspec.model.language.rule import rule, weak
from nomadspec.model.language.scope import Scope
from nomadspec.model.language.world import World, field, index, size
from nomadspec.model.specification.mistakes import TURN_FIRST


class At(IntEnum):
    """Where a process is in its text."""

    OUTSIDE = 0
    ENTERING = 1
    WAITING = 2
    INSIDE = 3


class Peterson(World):
    """Two processes, what they say, and whose turn it is."""

    count = size(2, "two processes", least=2)
    processes = index("process", count, "the processes")

    at = field(processes, At, init=At.OUTSIDE, about="where a process is")
    wants = field(processes, FLAG, init=False, about="a process says that it wants to enter")
    turn = field(processes, init=0, about="who goes first if both want to enter")


@rule("Peterson!Ask", process=Peterson.processes)
def ask(s: Peterson, t: Peterson, process: Id) -> None:
    """A process says that it wants to enter."""
    t.require(s.at[process] == At.OUTSIDE)
    t.at[process] = At.ENTERING
    if s.has(TURN_FIRST):
        t.turn = 1 - process
    else:
        t.wants[process] = True


@rule("Peterson!Yield", fair=weak("process"), process=Peterson.processes)
def give_turn(s: Peterson, t: Peterson, process: Id) -> None:
    """A process lets the other one go first."""
    t.require(s.at[process] == At.ENTERING)
    t.at[process] = At.WAITING
    if s.has(TURN_FIRST):
        t.wants[process] = True
    else:
        t.turn = 1 - process


@rule("Peterson!Enter", fair=weak("process"), process=Peterson.processes)
def enter(s: Peterson, t: Peterson, process: Id) -> None:
    """A process enters when the other does not want to, or has let it go first."""
    t.require(s.at[process] == At.WAITING)
    t.require(any_of(not_(s.wants[1 - process]), s.turn == process))
    t.at[process] = At.INSIDE


@rule("Peterson!Leave", fair=weak("process"), process=Peterson.processes)
def leave(s: Peterson, t: Peterson, process: Id) -> None:
    """A process leaves, and wants nothing any more."""
    t.require(s.at[process] == At.INSIDE)
    t.at[process] = At.OUTSIDE
    t.wants[process] = False


PETERSON = Model(
    name="peterson",
    about="two processes exclude each other",
    world=Peterson,
    rules=(ask, give_turn, enter, leave),
    is_at_rest=lambda s: s.count < 0,
    scopes=(
        Scope("small", "two processes"),
        Scope("hasty", "the turn is given away too early: must fail", {}, TURN_FIRST.id),
    ),
)
