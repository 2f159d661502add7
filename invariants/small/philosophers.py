"""What must be true of the dining philosophers; that nobody is stuck is asked of every model."""

import sys

from nomadspec.model.language.domain import Id
from nomadspec.model.language.logic import Flag, Value, all_of, exists, for_all, implies
from nomadspec.model.language.property import always, eventually, properties_in, sometimes
from nomadspec.model.small.philosophers import PHILOSOPHERS as RULES
from nomadspec.model.small.philosophers import Mood, Table, find_right


@always("Table!Eat", why="eating with one fork makes a mess")
def eating_philosopher_holds_both_forks(s: Table) -> Flag:
    """An eating philosopher holds the forks on both sides."""
    return for_all(
        implies(
            s.mood[seat] == Mood.EATING, all_of(s.holder[seat] == seat, s.holder[find_right(s, seat)] == seat)
        )
        for seat in s.seats
    )


@sometimes("Table!Second", why="forks only matter where somebody eats")
def somebody_eats(s: Table) -> Flag:
    """Somebody eats."""
    return exists(s.mood[seat] == Mood.EATING for seat in s.seats)


@eventually(
    "Table!Eat",
    why="nobody may starve",
    given=lambda s, seat: s.mood[seat] == Mood.HUNGRY,
    seat=Table.seats,
)
def hungry_philosopher_eats(s: Table, seat: Id) -> Value:
    """The philosopher on a seat eats."""
    return s.mood[seat] == Mood.EATING


PHILOSOPHERS = RULES.with_properties(properties_in(sys.modules[__name__]))
