"""What must be true of readers and writers."""

import sys

from nomadspec.model.language.domain import Id
from nomadspec.model.language.logic import Flag, Value, all_of, count, exists, for_all, implies
from nomadspec.model.language.property import always, eventually, properties_in, sometimes
from nomadspec.model.small.readers_writers import READERS_WRITERS as RULES
from nomadspec.model.small.readers_writers import Doing, Library


@always("Library!Exclusion", why="reading during a write gives nonsense")
def writer_is_alone(s: Library) -> Flag:
    """Nobody else is inside while a writer is."""
    return for_all(
        implies(
            s.doing[person] == Doing.WRITING,
            for_all(implies(other != person, s.doing[other] < Doing.READING) for other in s.people),
        )
        for person in s.people
    )


@sometimes("Library!Readers", why="readers need not exclude each other")
def two_read_at_once(s: Library) -> Flag:
    """Two people read."""
    return count(s.doing[person] == Doing.READING for person in s.people) > 1


@sometimes("Library!Wait", why="a queue only matters where a writer has to wait for readers")
def a_writer_waits_for_a_reader(s: Library) -> Flag:
    """The first in the queue wants to write while somebody reads."""
    return all_of(
        exists(all_of(s.line.head(person), s.writes[person]) for person in s.people),
        exists(s.doing[person] == Doing.READING for person in s.people),
    )


@eventually(
    "Library!Live",
    why="nobody may wait for ever",
    given=lambda s, person: s.doing[person] == Doing.WAITING,
    person=Library.people,
)
def everyone_gets_in(s: Library, person: Id) -> Value:
    """Somebody is inside."""
    return s.doing[person] >= Doing.READING


READERS_WRITERS = RULES.with_properties(properties_in(sys.modules[__name__]))
