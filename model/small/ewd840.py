"""Detection of termination in a ring (Dijkstra's EWD840): a token goes round and asks who is active.

It teaches that who was asked may be woken behind the token's back, and that a colour is enough to know. As
in Merz's TLA+ module, nodes begin in any state, and the token, black, begins anywhere: with three nodes there
are 302 worlds, with four 1,566.
"""

from nomadspec.model.language.domain import FLAG, Id, Map
from nomadspec.model.language.logic import Flag, Value, all_of, any_of, not_
from nomadspec.model.language.model import Model
from nomadspec.model.language.rule import rule, weak
from nomadspec.model.language.scope import Scope
from nomadspec.model.language.world import World, field, index, size
from nomadspec.model.specification.mistakes import UNMARKED_SENDER


class Ring(World):
    """Nodes in a ring, which are active or passive, black or white, and a token with a colour."""

    count = size(3, "how many nodes there are", least=2)
    nodes = index("node", count, "the nodes; the token goes from the last to the first")

    active = field(nodes, FLAG, init=False, about="a node works, and may wake others")
    black = field(nodes, FLAG, init=False, about="a node may have woken one behind the token")
    token_at = field(nodes, init=0, about="who has the token")
    token_black = field(FLAG, init=True, about="the token has met a black node, or was not round yet")


@rule("EWD840!Init", active=Map(Ring.nodes, FLAG), black=Map(Ring.nodes, FLAG), token_at=Ring.nodes)
def begin(s: Ring, t: Ring, active: Value, black: Value, token_at: Id) -> None:
    """Any nodes are active, any are black, and any has the token."""
    t.token_at = token_at
    for node in s.nodes:
        t.active[node] = active[node]
        t.black[node] = black[node]


@rule("EWD840!InitiateProbe", fair=weak())
def send_token(s: Ring, t: Ring) -> None:
    """The first node sends the token round once more, if it has learned nothing from it."""
    t.require(s.token_at == 0, any_of(s.token_black, s.black[0]))
    t.token_at = s.count - 1
    t.token_black = False
    t.black[0] = False


@rule("EWD840!PassToken", fair=weak("node"), node=Ring.nodes)
def pass_token(s: Ring, t: Ring, node: Id) -> None:
    """A node that is passive, or black, or has a black token, passes that on."""
    t.require(node > 0, s.token_at == node)
    t.require(any_of(not_(s.active[node]), s.black[node], s.token_black))
    t.token_at = node - 1
    t.token_black = any_of(s.token_black, s.black[node])
    t.black[node] = False


@rule("EWD840!SendMsg", node=Ring.nodes, other=Ring.nodes)
def wake(s: Ring, t: Ring, node: Id, other: Id) -> None:
    """An active node wakes another; if that has been asked already, it turns black."""
    t.require(node != other, s.active[node])
    t.active[other] = True
    if not s.has(UNMARKED_SENDER):
        t.when(other > node).black[node] = True


@rule("EWD840!Deactivate", fair=weak("node"), node=Ring.nodes)
def fall_asleep(s: Ring, t: Ring, node: Id) -> None:
    """An active node has nothing more to do."""
    t.require(s.active[node])
    t.active[node] = False


def is_detected(s: Ring) -> Flag:
    """True while the first node may conclude that all are passive."""
    return all_of(s.token_at == 0, not_(s.token_black), not_(s.black[0]), not_(s.active[0]))


EWD840 = Model(
    name="ewd840",
    about="a token goes round a ring to detect that nobody works any more",
    world=Ring,
    rules=(send_token, pass_token, wake, fall_asleep),
    starts=(begin,),
    is_at_rest=is_detected,
    scopes=(
        Scope("small", "three nodes"),
        Scope("four", "four nodes", {"count": 4}),
        Scope("unmarked", "who wakes another stays white: must fail", {}, UNMARKED_SENDER.id),
    ),
)
