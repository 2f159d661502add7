"""What the solver is told of counts, sums and order is true in worlds that can be looked at one by one.

A fact that no world has proves anything. So all facts are asked in reachable worlds and in random ones, with
every table as it is there and every sum added up.
"""

import pytest
import z3

from nomadspec.checkers.smt import symbols
from nomadspec.invariants.catalogue import find_model
from nomadspec.model.language.bounded import BoundedModel
from tests.checkers.smt.depot import depot
from tests.checkers.smt.grounded import Grounded, list_random, write_out
from tests.checkers.smt.named import Names, make_model
from tests.checkers.smt.walks import list_reachable


def bind(name: str) -> BoundedModel:
    """Bound one of the models, the last with names that the engine once used itself."""
    if name == "depot":
        return depot().at(profile="intended")
    if name == "core":
        return find_model(name).at(profile="intended")
    names = Names() if name == "named" else Names(aim=name, scalar="place1", table="sum!0", label="some")
    return make_model(names).at(sizes={"most": 2, names.aim: 1}, profile="intended")


@pytest.mark.parametrize(
    "name",
    [
        "depot",
        "named",
        *(pytest.param(name, marks=pytest.mark.deep) for name in ("counted", "place0", "asked0")),
    ],
)
def test_all_facts_are_true_in_worlds(name: str) -> None:
    """More worlds of each kind are looked at by the deep test below."""
    bounded = bind(name)
    grounded = Grounded(bounded)

    for cells in (*list_reachable(bounded, 3), *list_random(bounded, 3)):
        assert [] == grounded.list_faults(cells), bounded.describe(cells)


@pytest.mark.deep
@pytest.mark.parametrize("name", ["depot", "named", "counted", "place0", "asked0", "core"])
def test_all_facts_are_true_in_many_worlds(name: str) -> None:
    bounded = bind(name)
    grounded = Grounded(bounded)

    for cells in (*list_reachable(bounded, 60), *list_random(bounded, 60)):
        assert [] == grounded.list_faults(cells), bounded.describe(cells)


@pytest.mark.parametrize(
    "name", ["asked0", *(pytest.param(name, marks=pytest.mark.deep) for name in ("counted", "place0"))]
)
def test_a_name_that_is_taken_for_another_is_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    usual = symbols.name_symbol
    old = {symbols.Role.OWN: "counted", symbols.Role.PLACE: "place", symbols.Role.ASKED: "asked"}

    def name_as_before(role: symbols.Role, *parts: object) -> str:
        if role is symbols.Role.SIZE and parts == (name,):
            return name
        return old[role] + "".join(map(str, parts)) if role in old else usual(role, *parts)

    monkeypatch.setattr(symbols, "name_symbol", name_as_before)
    grounded = Grounded(bind(name))
    worlds = [*list_reachable(grounded.bounded, 6), *list_random(grounded.bounded, 20)]

    assert any(grounded.list_faults(cells) for cells in worlds)


def test_a_fact_that_is_not_true_is_found() -> None:
    grounded = Grounded(bind("depot"))
    box = z3.Int("own")
    wrong = z3.ForAll([box], z3.Implies(z3.And(box >= 0, box < 2), box > 0))

    assert grounded.is_possible(grounded.bounded.initial[0], [], [])
    assert not grounded.is_possible(grounded.bounded.initial[0], [wrong], [])


def test_quantifiers_are_written_out_within_each_other() -> None:
    one, other = z3.Ints("one other")
    nested = z3.ForAll([one], z3.Not(z3.ForAll([other], one != other)))

    assert z3.is_true(z3.simplify(write_out(nested, range(-1, 3))))
