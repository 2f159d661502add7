"""Readers and writers: many may read at once, but who writes is alone; all are let in in the order they came.

It teaches what a queue is for: without it a stream of readers keeps every writer out for ever.
"""

from enum import IntEnum

from nomadspec.model.language.domain import FLAG, Id
from nomadspec.model.language.logic import Flag, any_of, for_all, ite, not_
from nomadspec.model.language.model import Model
from nomadspec.model.language.rule import rule, weak
from nomadspec.model.language.scope import Scope
from nomadspec.model.language.world import World, field, ids, queue
from nomadspec.model.specification.mistakes import UNSEEN_READERS


class Doing(IntEnum):
    """What somebody is doing."""

    NOTHING = 0
    WAITING = 1
    READING = 2
    WRITING = 3


class Library(World):
    """People who read and write, and the queue before the door."""

    people = ids("person", 3, "who reads and writes")

    doing = field(people, Doing, init=Doing.NOTHING, about="what somebody is doing")
    writes = field(people, FLAG, init=False, about="somebody waits, or is inside, to write")
    line = queue(people, "who waits before the door")


@rule("Library!Ask", person=Library.people, writes=FLAG)
def come(s: Library, t: Library, person: Id, writes: Flag) -> None:
    """Somebody comes to read, or to write."""
    t.require(s.doing[person] == Doing.NOTHING)
    t.doing[person] = Doing.WAITING
    t.writes[person] = writes
    t.line.push(person)


@rule("Library!Begin", fair=weak(), person=Library.people)
def begin(s: Library, t: Library, person: Id) -> None:
    """The first in the queue begins, when nobody is in the way."""
    nobody_writes = for_all(s.doing[other] != Doing.WRITING for other in s.people)
    nobody_reads = for_all(s.doing[other] != Doing.READING for other in s.people)
    t.require(s.line.head(person), nobody_writes)
    if not s.has(UNSEEN_READERS):
        t.require(any_of(not_(s.writes[person]), nobody_reads))
    t.doing[person] = ite(s.writes[person], Doing.WRITING, Doing.READING)
    t.line.pop(person)


@rule("Library!Stop", fair=weak("person"), person=Library.people)
def leave(s: Library, t: Library, person: Id) -> None:
    """Somebody has read or written enough."""
    t.require(s.doing[person] >= Doing.READING)
    t.doing[person] = Doing.NOTHING
    t.writes[person] = False


READERS_WRITERS = Model(
    name="readers-writers",
    about="many read at once, and who writes is alone",
    world=Library,
    rules=(come, begin, leave),
    is_at_rest=lambda s: for_all(not_(s.line.has(person)) for person in s.people),
    scopes=(
        Scope("small", "three people"),
        Scope("blind", "a writer does not see who reads: must fail", {}, UNSEEN_READERS.id),
    ),
)
