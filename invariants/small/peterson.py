"""What must be true of Peterson's algorithm."""

import sys

from nomadspec.model.language.domain import Id
from nomadspec.model.language.logic import Flag, Value, all_of, count, exists
from nomadspec.model.language.property import always, eventually, properties_in, sometimes
from nomadspec.model.small.peterson import PETERSON as RULES
from nomadspec.model.small.peterson import At, Peterson


@always("Peterson!Mutex", why="two processes inside overwrite each other's work")
def one_is_inside(s: Peterson) -> Flag:
    """At most one process is inside."""
    return count(s.at[process] == At.INSIDE for process in s.processes) <= 1


@sometimes("Peterson!Wait", why="a lock only matters where somebody has to wait for it")
def one_waits_for_the_other(s: Peterson) -> Flag:
    """One process is inside, and another waits."""
    return all_of(
        exists(s.at[process] == At.INSIDE for process in s.processes),
        exists(s.at[process] == At.WAITING for process in s.processes),
    )


@eventually(
    "Peterson!Live",
    why="no process may wait for ever",
    given=lambda s, process: s.at[process] == At.WAITING,
    process=Peterson.processes,
)
def waiting_process_enters(s: Peterson, process: Id) -> Value:
    """A process is inside."""
    return s.at[process] == At.INSIDE


PETERSON = RULES.with_properties(properties_in(sys.modules[__name__]))
