"""Raft's election of a leader: a server that hears of none stands for election in a new term.

It teaches that what was promised must outlive a restart: a server that forgets its vote gives it twice.
Requests and votes are never lost, only late, so they are flags that stay.
"""

from enum import IntEnum

from nomadspec.model.language.domain import FLAG, NONE, Id, counter, opt
from nomadspec.model.language.logic import all_of, any_of, count, not_, one_of
from nomadspec.model.language.model import Model
from nomadspec.model.language.rule import rule
from nomadspec.model.language.scope import Scope
from nomadspec.model.language.world import World, field, ids, index, size
from nomadspec.model.specification.mistakes import FORGOTTEN_VOTE


class Role(IntEnum):
    """What a server is."""

    FOLLOWER = 0
    CANDIDATE = 1
    LEADER = 2


class Raft(World):
    """Servers, each with its term, its role and its vote, and the messages that were sent."""

    servers = ids("server", 3, "the servers")
    term_count = size(2, "how many terms there are")
    terms = index("term", term_count, "the terms, in their order")
    restarts = size(1, "how often a server restarts, in all")

    term = field(servers, opt(terms), init=NONE, about="the term that a server is in")
    role = field(servers, Role, init=Role.FOLLOWER, about="what a server is")
    voted_for = field(servers, opt(servers), init=NONE, about="to whom a server gave its vote in its term")
    asked = field(servers, terms, FLAG, init=False, about="a server has asked for votes in a term")
    vote = field(servers, servers, terms, FLAG, init=False, about="the first server votes for the second")
    restarted = field(counter(restarts), init=0, about="restarts so far", budget=True)


@rule("Raft!Timeout", server=Raft.servers, term=Raft.terms)
def stand(s: Raft, t: Raft, server: Id, term: Id) -> None:
    """A server that is no leader stands for election in the next term, and votes for itself."""
    t.require(s.role[server] != Role.LEADER, s.term[server] == term - 1)
    t.term[server] = term
    t.role[server] = Role.CANDIDATE
    t.voted_for[server] = server
    t.asked[server, term] = True
    t.vote[server, server, term] = True


@rule("Raft!HandleRequestVote", voter=Raft.servers, candidate=Raft.servers, term=Raft.terms)
def give_vote(s: Raft, t: Raft, voter: Id, candidate: Id, term: Id) -> None:
    """A server votes for who asks first in a term that is not over for it."""
    is_new = s.term[voter] < term
    is_free = all_of(s.term[voter] == term, one_of(s.voted_for[voter], NONE, candidate))
    t.require(voter != candidate, s.asked[candidate, term], not_(s.vote[voter, candidate, term]))
    t.require(any_of(is_new, is_free))
    t.term[voter] = term
    t.when(is_new).role[voter] = Role.FOLLOWER
    t.voted_for[voter] = candidate
    t.vote[voter, candidate, term] = True


@rule("Raft!BecomeLeader", server=Raft.servers, term=Raft.terms)
def lead(s: Raft, t: Raft, server: Id, term: Id) -> None:
    """A candidate with the votes of a majority leads."""
    t.require(s.role[server] == Role.CANDIDATE, s.term[server] == term)
    votes = count(s.vote[voter, server, term] for voter in s.servers)
    t.require(votes > count(not_(s.vote[voter, server, term]) for voter in s.servers))
    t.role[server] = Role.LEADER


@rule("Raft!Restart", spends=Raft.restarted, server=Raft.servers)
def restart(s: Raft, t: Raft, server: Id) -> None:
    """A server restarts, and is a follower in the term that it was in."""
    t.role[server] = Role.FOLLOWER
    if s.has(FORGOTTEN_VOTE):
        t.voted_for[server] = NONE


RAFT = Model(
    name="raft",
    about="servers elect a leader for each term",
    world=Raft,
    rules=(stand, give_vote, lead, restart),
    is_at_rest=lambda s: s.restarted == s.restarts,
    scopes=(
        Scope("small", "three servers and one term", {"term_count": 1}),
        Scope("two-terms", "three servers and two terms"),
        Scope(
            "forgetful", "a vote does not outlive a restart: must fail", {"term_count": 1}, FORGOTTEN_VOTE.id
        ),
    ),
)
