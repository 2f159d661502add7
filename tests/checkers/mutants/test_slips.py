from functools import cache

import pytest

from nomadspec.checkers.mutants.mutant import Mutant
from nomadspec.checkers.mutants.slips import SlipJudge
from nomadspec.checkers.smt.single_steps import SingleSteps
from tests.checkers.mutants.jar import JAR, mutant_of

TWO = JAR.at("two")


@cache
def judge() -> SlipJudge:
    """Weed out once what steps lose, in the process that wants it."""
    return SlipJudge(TWO, SingleSteps(TWO))


def find_overlooked(mutant: Mutant) -> str | None:
    (name,) = mutant.part.properties
    return judge().find_overlooked(mutant, JAR.find_property(name))


@pytest.mark.parametrize(
    ("mutant", "slips"),
    [
        (mutant_of("nobody_is_robbed", "property made true"), ("Take", "Fill")),
        (mutant_of("joy_lasts", "property made true"), ("Take that writes False to happy", "Fill")),
        (mutant_of("joy_lasts", "quantifier turned"), ("Take that writes False to happy", "Fill")),
    ],
    ids=lambda one: one.name if isinstance(one, Mutant) else None,
)
def test_a_slip_that_only_the_whole_property_shows_is_described(
    mutant: Mutant, slips: tuple[str, ...]
) -> None:
    found = find_overlooked(mutant)

    assert found is not None
    assert found.startswith(slips)


def test_a_property_that_nothing_can_break_overlooks_no_slip() -> None:
    assert find_overlooked(mutant_of("too_many_sweets_are_labelled", "property made true")) is None


def test_a_property_that_says_more_overlooks_no_slip() -> None:
    assert find_overlooked(mutant_of("nobody_is_robbed", "off by one")) is not None
    assert find_overlooked(mutant_of("nobody_is_robbed", "comparison turned", "s.sweets == 0")) is not None
