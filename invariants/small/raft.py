"""What must be true of Raft's elections."""

import sys

from nomadspec.model.language.logic import Flag, all_of, exists, for_all, not_
from nomadspec.model.language.property import always, properties_in, sometimes, step
from nomadspec.model.small.raft import RAFT as RULES
from nomadspec.model.small.raft import Raft, Role


@always("Raft!ElectionSafety", why="two leaders of a term would write different logs")
def one_leader_in_a_term(s: Raft) -> Flag:
    """No two servers lead in the same term."""
    return for_all(
        not_(all_of(x != y, s.role[x] == Role.LEADER, s.role[y] == Role.LEADER, s.term[x] == s.term[y]))
        for x in s.servers
        for y in s.servers
    )


@step("Raft!Term", why="a term that comes back would make an old vote count again")
def terms_never_shrink(s: Raft, n: Raft) -> Flag:
    """The term of a server only grows."""
    return for_all(s.term[server] <= n.term[server] for server in s.servers)


@sometimes("Raft!BecomeLeader", why="who never leads is safe and useless")
def a_server_leads(s: Raft) -> Flag:
    """Some server leads."""
    return exists(s.role[server] == Role.LEADER for server in s.servers)


@sometimes("Raft!SplitVote", why="votes only matter where they are split")
def two_stand_in_a_term(s: Raft) -> Flag:
    """Two servers stand for election in the same term."""
    return exists(
        all_of(x != y, s.role[x] == Role.CANDIDATE, s.role[y] == Role.CANDIDATE, s.term[x] == s.term[y])
        for x in s.servers
        for y in s.servers
    )


RAFT = RULES.with_properties(properties_in(sys.modules[__name__]))
