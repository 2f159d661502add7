"""All ways through a function."""

from collections.abc import Iterator
from itertools import count
from typing import Any

import pytest
import z3

from nomadspec.checkers.smt.question import Patience
from nomadspec.checkers.smt.resources.paths import PathSearch
from nomadspec.invariants.cluster.resources.claims import CLAIMS
from nomadspec.model.errors import ImpossibleError
from nomadspec.model.language.logic import implies
from nomadspec.model.specification.profiles import INTENDED
from tests.checkers.smt.resources.claims import list_ways
from tests.invariants.cluster.resources.drawing import RandomValues

QUICK = [
    (claim.name, part)
    for claim in CLAIMS
    for part in claim.parts
    if part.name in {"accepted is free", "one allocation of two devices"}
]


def classify(draw: Any) -> str:
    number = draw.number("n")
    if number < 0:
        return "negative"
    return "none" if number == 0 else "some"


def test_every_way_is_gone_once() -> None:
    _, ways = list_ways(classify)

    assert ["negative", "none", "some"] == [way.outcome for way in ways]


def test_ways_that_cannot_be_are_left_out_and_noted() -> None:
    search, ways = list_ways(lambda d: d.number("n") > 5 and bool(d.number("n") < 3))
    solver = z3.Solver(ctx=search.context)
    solver.add(*search.impossible[0])

    assert 2 == len(ways)
    assert 1 == len(search.impossible)
    assert z3.unsat == solver.check()


def test_bounds_of_numbers_are_conditions() -> None:
    search, ways = list_ways(lambda d: bool(d.number("n", least=1, most=4) == d.number("m", least=9)))

    assert [False] == [way.outcome for way in ways]
    assert ["drawn.n >= 1", "drawn.n <= 4", "drawn.m >= 9"] == [
        str(condition) for condition in ways[0].conditions[:3]
    ]
    assert search.impossible


def test_options_are_picked_in_turn() -> None:
    _, ways = list_ways(lambda d: d.pick("x", "abc") + d.pick("y", "de"))

    assert ["ad", "ae", "bd", "be", "cd", "ce"] == [way.outcome for way in ways]
    assert {"x": 2, "y": 1} == ways[-1].picked


def test_premises_are_told() -> None:
    _, ways = list_ways(lambda d: implies(d.number("n") > 3, d.flag("f")))

    assert [1] == [len(way.premises) for way in ways]


def test_a_function_that_asks_otherwise_the_next_time_is_refused() -> None:
    numbers: Iterator[int] = count()
    with pytest.raises(ImpossibleError, match="asked about"):
        list_ways(lambda d: d.pick(f"x{next(numbers)}", "ab"))


def test_time_ends_it() -> None:
    assert [] == list(PathSearch(Patience(0.0, 1.0)).list_ways(classify))


def test_nothing_is_shown() -> None:
    search, _ = list_ways(classify)
    search.show("node", object())

    assert ["n"] == list(search.unknowns.scalars)


@pytest.mark.parametrize(("claim", "part"), QUICK, ids=lambda one: getattr(one, "name", one))
def test_plain_values_go_exactly_one_of_the_ways_to_the_same_end(claim: str, part: Any) -> None:
    """The functions give for plain values what the ways say of them."""
    assert claim
    search, ways = list_ways(lambda draw: part.state(draw, INTENDED))
    for seed in range(3):
        values = RandomValues(seed)
        outcome = part.state(values, INTENDED)
        gone = [way for way in ways if is_gone(search, way, values.drawn)]
        (way,) = gone

        assert bool(outcome) is is_true(search, way.outcome, values.drawn)


def is_gone(search: PathSearch, way: Any, drawn: dict[str, Any]) -> bool:
    is_picked = all(drawn[name] == place for name, place in way.picked.items())
    return is_picked and all(is_true(search, condition, drawn) for condition in way.conditions)


def is_true(search: PathSearch, term: Any, drawn: dict[str, Any]) -> bool:
    """Evaluate a term for values that were drawn."""
    if isinstance(term, bool):
        return term
    solver = z3.Solver(ctx=search.context)
    for name, known in search.unknowns.scalars.items():
        solver.add(known == drawn.get(name, 0))
    anyone = z3.Int("anyone", search.context)
    for name, function in search.unknowns.sets.items():
        inside = z3.Or(*[anyone == number for number in drawn[name]], z3.BoolVal(False, search.context))
        solver.add(z3.ForAll([anyone], function(anyone) == inside))
    solver.add(z3.Not(term))
    return bool(solver.check() == z3.unsat)
