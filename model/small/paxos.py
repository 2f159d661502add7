"""Paxos: acceptors choose one value, though anybody may begin a ballot at any time.

It teaches that two majorities share a member, who tells the later ballot what may have been chosen before;
with quorums of one nobody does. Messages are never removed, so a message is a flag, or a value, that stays.
"""

from nomadspec.model.language.domain import FLAG, NONE, Id, opt
from nomadspec.model.language.logic import Flag, all_of, any_of, count, exists, ite, not_
from nomadspec.model.language.model import Model
from nomadspec.model.language.rule import rule
from nomadspec.model.language.scope import Scope
from nomadspec.model.language.world import World, field, ids, index, size
from nomadspec.model.specification.mistakes import QUORUM_OF_ONE


class Paxos(World):
    """What was sent for each ballot, and what each acceptor remembers."""

    acceptors = ids("acceptor", 3, "acceptors, two of which are a majority")
    values = ids("value", 2, "what can be chosen")
    ballot_count = size(2, "how many ballots there are")
    ballots = index("ballot", ballot_count, "the ballots, in their order")

    asked = field(ballots, FLAG, init=False, about="promises were asked for (1a)")
    promised = field(acceptors, ballots, FLAG, init=False, about="an acceptor has promised (1b)")
    told_ballot = field(
        acceptors, ballots, opt(ballots), init=NONE, about="with it: the last ballot voted in"
    )
    told_value = field(acceptors, ballots, opt(values), init=NONE, about="with it: the value voted for there")
    proposed = field(ballots, opt(values), init=NONE, about="the value that is proposed (2a)")
    voted = field(acceptors, ballots, FLAG, init=False, about="an acceptor has voted for that (2b)")

    highest = field(acceptors, opt(ballots), init=NONE, about="the highest ballot that an acceptor has met")
    last_ballot = field(acceptors, opt(ballots), init=NONE, about="the last ballot that it voted in")
    last_value = field(acceptors, opt(values), init=NONE, about="the value that it voted for there")


@rule("Paxos!Phase1a", ballot=Paxos.ballots)
def ask(s: Paxos, t: Paxos, ballot: Id) -> None:
    """The leader of a ballot asks for promises."""
    t.require(not_(s.asked[ballot]))
    t.asked[ballot] = True


@rule("Paxos!Phase1b", acceptor=Paxos.acceptors, ballot=Paxos.ballots)
def promise(s: Paxos, t: Paxos, acceptor: Id, ballot: Id) -> None:
    """An acceptor promises to vote in no earlier ballot, and tells how it voted last."""
    t.require(s.asked[ballot], s.highest[acceptor] < ballot)
    t.highest[acceptor] = ballot
    t.promised[acceptor, ballot] = True
    t.told_ballot[acceptor, ballot] = s.last_ballot[acceptor]
    t.told_value[acceptor, ballot] = s.last_value[acceptor]


@rule("Paxos!Phase2a", ballot=Paxos.ballots, value=Paxos.values, one=Paxos.acceptors, other=Paxos.acceptors)
def propose(s: Paxos, t: Paxos, ballot: Id, value: Id, one: Id, other: Id) -> None:
    """With the promises of two acceptors a leader proposes what the later of their votes was for, if any."""
    t.require(s.proposed[ballot] == NONE)
    t.require(s.promised[one, ballot], s.promised[other, ballot])
    if not s.has(QUORUM_OF_ONE):
        t.require(one != other)
    is_later = s.told_ballot[one, ballot] >= s.told_ballot[other, ballot]
    last = ite(is_later, s.told_value[one, ballot], s.told_value[other, ballot])
    t.require(any_of(last == NONE, last == value))
    t.proposed[ballot] = value


@rule("Paxos!Phase2b", acceptor=Paxos.acceptors, ballot=Paxos.ballots)
def vote(s: Paxos, t: Paxos, acceptor: Id, ballot: Id) -> None:
    """An acceptor that has met no later ballot votes for what is proposed."""
    t.require(s.proposed[ballot] != NONE, s.highest[acceptor] <= ballot)
    t.highest[acceptor] = ballot
    t.last_ballot[acceptor] = ballot
    t.last_value[acceptor] = s.proposed[ballot]
    t.voted[acceptor, ballot] = True


def is_chosen(s: Paxos, value: Id) -> Flag:
    """True while a majority has voted for a value in one ballot."""
    return exists(
        all_of(s.proposed[ballot] == value, count(s.voted[acceptor, ballot] for acceptor in s.acceptors) > 1)
        for ballot in s.ballots
    )


PAXOS = Model(
    name="paxos",
    about="acceptors choose one value by ballots",
    world=Paxos,
    rules=(ask, promise, propose, vote),
    is_at_rest=lambda s: exists(is_chosen(s, value) for value in s.values),
    scopes=(
        Scope("small", "three acceptors, two values, two ballots"),
        Scope("quorum-of-one", "one promise is enough: must fail", {}, QUORUM_OF_ONE.id),
    ),
)
