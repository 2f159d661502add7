"""Sets of steps that nothing outside disturbs."""

from nomadspec.checkers.explore.partial_order.partial_order import PartialOrder
from nomadspec.checkers.explore.partial_order.stubborn import Stubborn
from nomadspec.checkers.stepper.layout import Layout
from tests.checkers.explore.partial_order.errands import ABOVE, ERRANDS, FIRST, RIGHT, SECOND

BOUNDED = ERRANDS.at()
LAYOUT = Layout(BOUNDED)
STUBBORN = Stubborn(PartialOrder(BOUNDED, LAYOUT, ()).choices, LAYOUT)
MANY = 100


def test_a_step_apart_is_a_set_of_its_own() -> None:
    view = STUBBORN.look_at(LAYOUT.pack(BOUNDED.initial[0]), 1 << FIRST | 1 << RIGHT | 1 << ABOVE)

    assert 1 << ABOVE == view.close(ABOVE, MANY)


def test_who_lets_a_disturber_happen_belongs_to_the_set() -> None:
    view = STUBBORN.look_at(LAYOUT.pack(BOUNDED.initial[0]), 1 << FIRST | 1 << RIGHT | 1 << ABOVE)

    assert 1 << FIRST | 1 << SECOND | 1 << RIGHT == view.close(FIRST, MANY)


def test_a_disturber_that_can_never_happen_again_brings_nobody() -> None:
    after = BOUNDED.step(BOUNDED.initial[0], BOUNDED.instances[SECOND])
    assert after is None
    turned = BOUNDED.step(BOUNDED.initial[0], BOUNDED.instances[FIRST])
    assert turned is not None

    view = STUBBORN.look_at(LAYOUT.pack(turned), 1 << RIGHT | 1 << ABOVE)

    assert 1 << RIGHT == view.close(RIGHT, MANY)


def test_a_set_with_too_many_possible_steps_is_given_up() -> None:
    view = STUBBORN.look_at(LAYOUT.pack(BOUNDED.initial[0]), 1 << FIRST | 1 << RIGHT | 1 << ABOVE)

    assert [None, None, True] == [view.close(FIRST, most) and True for most in (1, 2, 3)]
