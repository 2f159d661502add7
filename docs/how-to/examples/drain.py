"""Nodes are drained one after another, and what runs on them moves."""

import sys

from nomadspec.model.language.domain import FLAG, NONE, Id, counter, opt
from nomadspec.model.language.logic import Value, any_of, exists, for_all, implies, not_
from nomadspec.model.language.model import Model
from nomadspec.model.language.property import always, eventually, lemma, properties_in, sometimes
from nomadspec.model.language.rule import rule, rules_in, weak
from nomadspec.model.language.scope import Scope
from nomadspec.model.language.world import World, field, ids, size


class Drain(World):
    """Where allocs run, and which nodes are on their way out."""

    allocs = ids("alloc", 2, "what has to run somewhere")
    nodes = ids("node", 3, "where it can run")
    drains = size(2, "how many nodes the operator drains")
    place = field(allocs, opt(nodes), init=NONE, about="the node that an alloc runs on")
    draining = field(nodes, FLAG, init=False, about="the operator wants the node empty")
    gone = field(nodes, FLAG, init=False, about="the node was taken away")
    drained = field(counter(drains), init=0, about="drains so far", budget=True)


def is_unsettled(s: Drain, alloc: Id) -> Value:
    return any_of(s.place[alloc] == NONE, s.draining[s.place[alloc]])


@rule("Drain-1", fair=weak("alloc"), alloc=Drain.allocs, node=Drain.nodes)
def place(s: Drain, t: Drain, alloc: Id, node: Id) -> None:
    """An alloc that is not settled starts on a node that is not draining."""
    t.require(is_unsettled(s, alloc), not_(s.draining[node]))
    t.place[alloc] = node


@rule("Drain-2", spends=Drain.drained, node=Drain.nodes)
def drain(s: Drain, t: Drain, node: Id) -> None:
    """The operator begins to drain a node."""
    t.require(not_(s.draining[node]))
    t.draining[node] = True


@rule("Drain-3", fair=weak("node"), node=Drain.nodes)
def remove(s: Drain, t: Drain, node: Id) -> None:
    """A draining node on which nothing runs is taken away."""
    t.require(s.draining[node], not_(s.gone[node]), for_all(s.place[alloc] != node for alloc in s.allocs))
    t.gone[node] = True


@always("Drain-3", why="what is placed on a node that is gone does not run")
def nothing_is_on_a_gone_node(s: Drain) -> Value:
    return for_all(implies(s.gone[n], s.place[alloc] != n) for alloc in s.allocs for n in s.nodes)


@lemma("Drain-3", why="only a node that drains is taken away")
def gone_nodes_drain(s: Drain) -> Value:
    return for_all(implies(s.gone[node], s.draining[node]) for node in s.nodes)


@sometimes("Drain-3", why="where nothing is ever taken away, the rest says nothing")
def a_node_is_gone(s: Drain) -> Value:
    return exists(s.gone[node] for node in s.nodes)


@eventually("Drain-1", why="an operator waits for it", given=is_unsettled, alloc=Drain.allocs)
def alloc_settles(s: Drain, alloc: Id) -> Value:
    return not_(is_unsettled(s, alloc))


DRAIN = Model(
    name="drain",
    about="nodes are drained one after another, and what runs on them moves",
    world=Drain,
    rules=rules_in(sys.modules[__name__]),
    properties=properties_in(sys.modules[__name__]),
    scopes=(
        Scope("small", "the defaults"),
        Scope("large", "too large to search", {"allocs": 8, "nodes": 12, "drains": 11}),
    ),
    is_at_rest=lambda s: for_all(not_(is_unsettled(s, alloc)) for alloc in s.allocs),
)
