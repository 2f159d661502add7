"""Slips of a rule: what the solver finds is one step away from what the rule does."""

from functools import cache

import pytest

from nomadspec.checkers.smt.single_steps import SingleSteps
from nomadspec.checkers.smt.slips import Slips
from nomadspec.invariants.catalogue import find_model
from nomadspec.model.language.bounded import BoundedModel
from nomadspec.model.language.logic import all_of
from nomadspec.model.language.property import Kind
from nomadspec.model.language.trace import TracedInstance
from tests.checkers.mutants.jar import JAR

TWO = JAR.at("two")


@cache
def slips_of(bounded: BoundedModel) -> Slips:
    """Weed out once what steps lose, in the process that wants it."""
    return Slips(bounded, SingleSteps(bounded))


def list_slips(bounded: BoundedModel, name: str) -> list[tuple[TracedInstance, int | None]]:
    """List how many cells differ from what each instance does; None where it could not happen."""
    prop = bounded.model.find_property(name)
    found: list[tuple[TracedInstance, int | None]] = []
    for traced in bounded.traced:
        refused = bounded.pairs.read_apart(prop, traced)
        slip = None if refused is True else slips_of(bounded).find(traced, refused, accepted=True)
        if slip is None:
            continue
        before, after = slip
        right = bounded.step(before, traced.instance)
        holds = (
            bounded.holds(prop, after)
            if prop.kind is Kind.ALWAYS
            else bounded.holds_step(prop, before, traced.instance, after)
        )
        assert not holds
        found.append((traced, None if right is None else sum(map(int.__ne__, right, after))))
    return found


@pytest.mark.parametrize("name", ["nobody_is_robbed", "joy_lasts"])
def test_a_slip_is_one_cell_or_one_condition_away_from_what_a_rule_does(name: str) -> None:
    found = list_slips(TWO, name)

    assert found
    assert {None, 1} >= {distance for _, distance in found}


def test_what_lies_in_a_queue_stays_in_some_order() -> None:
    assert list_slips(find_model("core").at(profile="nomad-2.0"), "queued_workers_wait")


def test_what_two_statements_agree_about_is_no_slip() -> None:
    prop = TWO.model.find_property("joy_lasts")
    (traced, *_) = TWO.traced
    said = TWO.pairs.read_apart(prop, traced)

    assert slips_of(TWO).find(traced, said, said) is None
    assert slips_of(TWO).find(traced, all_of(said, said), accepted=False) is None
