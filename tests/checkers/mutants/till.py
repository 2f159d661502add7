"""A model whose rule counts by a condition that stands in no other text: a till, emptied now and then."""

from nomadspec.model.language.domain import counter, upto
from nomadspec.model.language.logic import Value, implies
from nomadspec.model.language.model import Model
from nomadspec.model.language.property import sometimes, step
from nomadspec.model.language.rule import rule, where
from nomadspec.model.language.scope import Scope
from nomadspec.model.language.world import World, field, size


class Till(World):
    room = size(2, "how many coins fit")
    most = size(1, "how often it is emptied when it is full")
    coins = field(upto(room), init=0, about="coins in the till")
    rounds = field(counter(most), init=0, about="how often it was full", budget=True)


def is_full(s: Till) -> Value:
    """True while no coin fits."""
    return s.coins == s.room


@rule("TILL-1")
def pay(s: Till, t: Till) -> None:
    """Somebody pays."""
    t.require(s.coins < s.room)
    t.coins = s.coins + 1


@rule("TILL-2", makes=where(is_full, Till.rounds))
def empty(s: Till, t: Till) -> None:
    """The till is emptied."""
    t.require(s.coins > 0)
    t.coins = 0


@step("TILL-2", why="a round is paid by a full till")
def only_full_tills_make_rounds(s: Till, n: Till) -> Value:
    """A round is counted where the till was full."""
    return implies(n.rounds > s.rounds, s.coins == s.room)


@sometimes("TILL-2", why="rounds are made")
def a_round_is_made(s: Till) -> Value:
    """A round was counted."""
    return s.rounds > 0


TILL = Model(
    name="till",
    about="a till",
    world=Till,
    rules=(pay, empty),
    properties=(only_full_tills_make_rounds, a_round_is_made),
    is_at_rest=lambda s: s.rounds == s.most,
    scopes=(Scope("two", "room for two"),),
)
