"""What the interpreter insists on after each step."""

import z3

from nomadspec.checkers.smt.limits import list_limits, state_limits
from nomadspec.checkers.smt.translate import SolverState
from nomadspec.invariants.catalogue import find_model
from tests.checkers.mutants.jar import JAR

TWO = JAR.at("two")


def test_each_field_has_a_domain_and_each_queue_an_order() -> None:
    assert {"domain of sweets", "domain of lid"} <= set(list_limits(TWO))
    assert {"order of plans", "order of in_flight"} <= set(list_limits(find_model("kernel").at()))


def test_only_what_could_be_left_is_stated() -> None:
    state = SolverState(TWO, "before", z3.Context())
    fill, take = (state_limits(TWO, state, traced) for traced in TWO.traced[:2])

    assert {"domain of sweets"} <= fill.keys()
    assert {"domain of sweets"} <= take.keys()
    assert "domain of happy" not in take


def test_a_queue_that_is_written_must_stay_one() -> None:
    bounded = find_model("kernel").at(profile="intended")
    state = SolverState(bounded, "before", z3.Context())
    submit = next(traced for traced in bounded.traced if traced.instance.rule.name == "Submit")

    assert "order of plans" in state_limits(bounded, state, submit)
