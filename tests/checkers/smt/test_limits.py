"""What the interpreter insists on after each step."""

from dataclasses import replace
from functools import cache

import z3

from nomadspec.checkers.smt.limits import list_limits, state_limits
from nomadspec.checkers.smt.translate import SolverState
from nomadspec.invariants.catalogue import find_model
from nomadspec.model.language.bounded import BoundedModel
from tests.checkers.mutants.jar import JAR

TWO = JAR.at("two")


@cache
def bind_queues() -> BoundedModel:
    """Bind the kernel with only one of its rules, which takes a tenth of the time."""
    kernel = find_model("kernel")
    rules = tuple(rule for rule in kernel.rules if rule.name == "Submit")
    return replace(kernel, rules=rules, properties=()).at(profile="intended")


def test_each_field_has_a_domain_and_each_queue_an_order() -> None:
    assert {"domain of sweets", "domain of lid"} <= set(list_limits(TWO))
    assert {"order of plans", "order of in_flight"} <= set(list_limits(bind_queues()))


def test_only_what_could_be_left_is_stated() -> None:
    state = SolverState(TWO, "before", z3.Context())
    fill, take = (state_limits(TWO, state, traced) for traced in TWO.traced[:2])

    assert {"domain of sweets"} <= fill.keys()
    assert {"domain of sweets"} <= take.keys()
    assert "domain of happy" not in take


def test_a_queue_that_is_written_must_stay_one() -> None:
    bounded = bind_queues()
    state = SolverState(bounded, "before", z3.Context())

    assert "order of plans" in state_limits(bounded, state, bounded.traced[0])
