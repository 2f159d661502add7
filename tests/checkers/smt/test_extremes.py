"""Of numbers that are asked about, one is the first and one the last."""

from collections.abc import Callable
from dataclasses import replace

import pytest
import z3

from nomadspec.checkers.smt import prove
from nomadspec.checkers.smt.extremes import is_compared
from nomadspec.checkers.smt.open_world import OpenWorld
from nomadspec.checkers.verdict import ProofResult
from nomadspec.model.language.logic import all_of, exists, not_
from tests.checkers.smt.agreement import assert_step_agrees
from tests.checkers.smt.depot import Depot, call_first, depot, exchange, fall_due, someone_is_called
from tests.checkers.smt.walks import list_reachable


def call_last(s: Depot, t: Depot) -> None:
    """Of the boxes that are due, the newest is called."""
    for box in s.boxes:
        is_last = not_(exists(all_of(other > box, s.is_due[other]) for other in s.boxes))
        t.is_called[box] = all_of(s.is_due[box], is_last)


def call_the_only_one(s: Depot, t: Depot) -> None:
    """A box is called when no other one is due."""
    for box in s.boxes:
        is_only = not_(exists(all_of(other != box, s.is_due[other]) for other in s.boxes))
        t.is_called[box] = all_of(s.is_due[box], is_only)


def call_with_text(text: Callable[..., None]) -> ProofResult:
    """Say what comes of the proof that someone is called."""
    rules = exchange, fall_due, replace(call_first, text=text)
    bounded = depot(*rules).at(profile="intended")
    proof, *_ = prove(bounded, properties=[someone_is_called], bmc_steps=6).proofs
    return proof.result


@pytest.mark.parametrize("text", [call_first.text, call_last])
def test_someone_is_the_first_and_someone_the_last(text: Callable[..., None]) -> None:
    assert ProofResult.PROVED_UNBOUNDED is call_with_text(text)


def test_nobody_need_be_the_only_one() -> None:
    assert call_with_text(call_the_only_one) is not ProofResult.PROVED_UNBOUNDED


def test_rules_that_ask_about_order_agree_with_the_interpreter() -> None:
    bounded = depot().at(profile="intended")
    world = OpenWorld(bounded)

    for cells in list_reachable(bounded, 8):
        for instance in bounded.instances:
            if instance.rule is not exchange:
                assert_step_agrees(bounded, world, cells, instance)


def test_what_is_compared_is_seen_inside_other_terms() -> None:
    one, other = z3.Ints("one other")

    assert is_compared(z3.And(other == 1, z3.Not(one < other)), one)
    assert not is_compared(z3.And(one == other, other < 2), one)
    assert not is_compared(True, one)
