"""Missionaries and cannibals: all cross a river in one boat, and nowhere may missionaries be outnumbered.

It teaches that a guard has to look at all that a step changes: both banks, not only the one where one stands.
"""

from nomadspec.model.language.domain import FLAG, upto
from nomadspec.model.language.logic import Flag, all_of, any_of, ite, not_
from nomadspec.model.language.model import Model
from nomadspec.model.language.rule import rule
from nomadspec.model.language.scope import Scope
from nomadspec.model.language.world import World, field, size
from nomadspec.model.specification.mistakes import FORGOTTEN_BANK


class River(World):
    """Who is on the second bank, and where the boat is; all others are on the first bank."""

    pairs = size(3, "how many missionaries there are, and as many cannibals", least=1)
    seats = size(2, "how many the boat holds", least=1)

    missionaries = field(upto(pairs), init=0, about="missionaries on the second bank")
    cannibals = field(upto(pairs), init=0, about="cannibals on the second bank")
    is_over = field(FLAG, init=False, about="the boat is at the second bank")


def is_safe(missionaries: int, cannibals: int) -> Flag:
    """True while nobody is eaten where so many are together."""
    return any_of(missionaries == 0, missionaries >= cannibals)


@rule("River!Cross", missionaries=upto(River.seats), cannibals=upto(River.seats))
def cross(s: River, t: River, missionaries: int, cannibals: int) -> None:
    """Some cross the river, so that nobody is eaten on either bank."""
    t.require(missionaries + cannibals >= 1, missionaries + cannibals <= s.seats)
    there = ite(s.is_over, s.missionaries - missionaries, s.missionaries + missionaries)
    hungry = ite(s.is_over, s.cannibals - cannibals, s.cannibals + cannibals)
    t.require(there >= 0, there <= s.pairs, hungry >= 0, hungry <= s.pairs)
    is_arrival_safe = ite(s.is_over, is_safe(s.pairs - there, s.pairs - hungry), is_safe(there, hungry))
    is_rest_safe = ite(s.is_over, is_safe(there, hungry), is_safe(s.pairs - there, s.pairs - hungry))
    t.require(is_arrival_safe)
    if not s.has(FORGOTTEN_BANK):
        t.require(is_rest_safe)
    t.missionaries = there
    t.cannibals = hungry
    t.is_over = not_(s.is_over)


def is_across(s: River) -> Flag:
    """True while everyone is on the second bank."""
    return all_of(s.missionaries == s.pairs, s.cannibals == s.pairs, s.is_over)


MISSIONARIES = Model(
    name="missionaries",
    about="missionaries and cannibals cross a river in one boat",
    world=River,
    rules=(cross,),
    is_at_rest=is_across,
    scopes=(
        Scope("small", "three of each, eleven crossings"),
        Scope("forgetful", "nobody looks at who stays behind: must fail", {}, FORGOTTEN_BANK.id),
    ),
)
