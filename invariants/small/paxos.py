"""What must be true of Paxos."""

import sys

from nomadspec.model.language.logic import Flag, all_of, exists, for_all, implies
from nomadspec.model.language.property import always, properties_in, sometimes
from nomadspec.model.small.paxos import PAXOS as RULES
from nomadspec.model.small.paxos import Paxos, is_chosen


@always("Paxos!Consistency", why="two who learn different values disagree for ever")
def one_value_is_chosen(s: Paxos) -> Flag:
    """No two values are chosen."""
    return for_all(
        implies(all_of(is_chosen(s, one), is_chosen(s, other)), one == other)
        for one in s.values
        for other in s.values
    )


@sometimes("Paxos!Chosen", why="who never chooses is consistent and useless")
def a_value_is_chosen(s: Paxos) -> Flag:
    """Some value is chosen."""
    return exists(is_chosen(s, value) for value in s.values)


@sometimes("Paxos!Phase1b", why="a ballot only matters where an acceptor has voted in one before")
def an_earlier_vote_is_told(s: Paxos) -> Flag:
    """A promise tells of a vote."""
    return exists(s.told_ballot[acceptor, ballot] >= 0 for acceptor in s.acceptors for ballot in s.ballots)


PAXOS = RULES.with_properties(properties_in(sys.modules[__name__]))
