"""The steps that are taken in a world."""

from dataclasses import replace

from nomadspec.checkers.explore.explorer import explore
from nomadspec.checkers.explore.partial_order.partial_order import PartialOrder
from nomadspec.checkers.pycode.stepper import Stepper
from nomadspec.checkers.stepper.layout import Layout
from nomadspec.checkers.verdict import Verdict
from tests.checkers.explore.partial_order.errands import ABOVE, ERRANDS, FIRST, RIGHT, SECOND

BOUNDED = ERRANDS.at()
LAYOUT = Layout(BOUNDED)
STEPPER = Stepper(BOUNDED, LAYOUT)
FIRST_WORLD = LAYOUT.pack(BOUNDED.initial[0])
STEPS = STEPPER.successors(FIRST_WORLD)
TURNED = next(after for position, after in STEPS if position == RIGHT)
"""The world in which the right dial was turned."""


def choose(names: set[str]) -> list[int]:
    asked = [prop for prop in ERRANDS.properties if prop.name in names]
    steps = STEPPER.successors(TURNED)
    chosen = PartialOrder(BOUNDED, LAYOUT, asked).choose(TURNED, steps)
    return [position for position, _ in chosen]


def test_three_are_possible() -> None:
    assert [FIRST, SECOND, ABOVE] == [position for position, _ in STEPPER.successors(TURNED)]


def test_a_step_apart_is_enough() -> None:
    assert [ABOVE] == choose({"is_above", "left_is_low"})


def test_a_step_whose_place_in_the_order_is_asked_about_brings_the_others() -> None:
    assert [FIRST, SECOND, ABOVE] == choose({"left_before_above"})


def test_nothing_waits_for_a_step_that_changes_nothing_or_can_be_undone() -> None:
    order = PartialOrder(BOUNDED, LAYOUT, ())
    steps = STEPPER.successors(TURNED)
    still = [(position, TURNED if position == ABOVE else after) for position, after in steps]
    unranked = PartialOrder(BOUNDED, LAYOUT, ())
    unranked.choices = replace(unranked.choices, ranked=unranked.choices.ranked & ~(1 << ABOVE))

    assert [ABOVE] == [position for position, _ in order.choose(TURNED, steps)]
    assert [FIRST, SECOND] == [position for position, _ in order.choose(TURNED, still)]
    assert [FIRST, SECOND] == [position for position, _ in unranked.choose(TURNED, steps)]


def test_a_single_step_is_taken() -> None:
    order = PartialOrder(BOUNDED, LAYOUT, ())

    assert STEPS[:1] == order.choose(FIRST_WORLD, STEPS[:1])


def test_a_smaller_search_finds_the_same() -> None:
    full = explore(BOUNDED, stop_at_first=False)
    fewer = explore(BOUNDED, stop_at_first=False, properties=["left_is_low"], reduction="partial-order")

    assert Verdict.VIOLATED is fewer.verdict is full.verdict
    assert fewer.distinct < full.distinct
