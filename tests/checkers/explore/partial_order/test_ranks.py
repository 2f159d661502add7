"""Which steps cannot go on for ever."""

from collections import Counter

import pytest

from nomadspec.checkers.explore.partial_order.facts import find_facts
from nomadspec.checkers.explore.partial_order.ranks import find_ranked
from nomadspec.invariants.catalogue import find_model
from nomadspec.model.language.bounded import BoundedModel
from nomadspec.model.language.domain import NONE, Id, opt, upto
from nomadspec.model.language.logic import all_of, ite
from nomadspec.model.language.model import Model
from nomadspec.model.language.rule import rule
from nomadspec.model.language.world import World, field, ids


class Yard(World):
    """Carts that go round, a gate, and who holds it."""

    carts = ids("cart", 2, "carts")
    at = field(carts, upto(2), init=0, about="where a cart is")
    rounds = field(carts, upto(2), init=0, about="how often it went round")
    holder = field(opt(carts), init=NONE, about="who holds the gate")


@rule("Y-1", cart=Yard.carts)
def go_on(s: Yard, t: Yard, cart: Id) -> None:
    """A cart goes one place further."""
    t.require(s.at[cart] <= 1)
    t.at[cart] = s.at[cart] + 1


@rule("Y-2", cart=Yard.carts)
def go_round(s: Yard, t: Yard, cart: Id) -> None:
    """A cart begins another round."""
    t.require(s.at[cart] == 2, s.rounds[cart] <= 1)
    t.at[cart] = 0
    t.rounds[cart] = s.rounds[cart] + 1


@rule("Y-3", cart=Yard.carts)
def go_back(s: Yard, t: Yard, cart: Id) -> None:
    """A cart goes one place back, which can be undone."""
    t.require(s.at[cart] >= 1)
    t.at[cart] = s.at[cart] - 1


@rule("Y-4", cart=Yard.carts)
def take(s: Yard, t: Yard, cart: Id) -> None:
    """A cart takes the gate from nobody."""
    t.require(s.holder == NONE)
    t.holder = cart


@rule("Y-5", cart=Yard.carts)
def snatch(s: Yard, t: Yard, cart: Id) -> None:
    """A cart takes the gate from another one, if somebody has it."""
    t.holder = ite(all_of(s.holder != NONE, s.holder != cart), cart, s.holder)


def yard(*rules: object) -> BoundedModel:
    return Model("yard", "a yard", Yard, rules).at()  # type: ignore[arg-type]  # rules are what is given


def list_ranked(bounded: BoundedModel, *, is_renamed: bool = False) -> list[str]:
    ranked = find_ranked(find_facts(bounded), is_renamed=is_renamed)
    counted = Counter(one.rule.name for one in bounded.instances if ranked >> one.number & 1)
    assert set(counted.values()) <= {2}
    return sorted(counted)


@pytest.mark.parametrize("is_renamed", [False, True])
def test_rounds_that_are_counted_end(*, is_renamed: bool) -> None:
    assert ["GoOn", "GoRound"] == list_ranked(yard(go_on, go_round), is_renamed=is_renamed)


def test_of_steps_that_undo_one_another_only_one_kind_is_ranked() -> None:
    assert ["GoOn", "GoRound"] == list_ranked(yard(go_on, go_round, go_back))
    assert ["GoOn"] == list_ranked(yard(go_on, go_back))


def test_among_names_that_are_exchanged_none_is_higher() -> None:
    assert ["Take"] == list_ranked(yard(take), is_renamed=True)
    assert ["Take"] == list_ranked(yard(take, snatch), is_renamed=True)


def test_a_rule_may_be_lost_for_the_sake_of_others() -> None:
    rules = (go_on, go_round, go_back, take, snatch)

    assert ["GoOn", "GoRound", "Take"] == list_ranked(yard(*rules), is_renamed=True)


def test_core_ends_whatever_happens() -> None:
    bounded = find_model("core").at("small", profile="nomad-2.0")

    for is_renamed in (False, True):
        assert (1 << len(bounded.instances)) - 1 == find_ranked(find_facts(bounded), is_renamed=is_renamed)
