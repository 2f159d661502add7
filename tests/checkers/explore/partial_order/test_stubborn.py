"""Sets of steps that nothing outside disturbs."""

from nomadspec.checkers.explore.partial_order.stubborn import Stubborn
from nomadspec.checkers.stepper.layout import Layout
from tests.checkers.explore.partial_order.errands import ABOVE, ERRANDS, FIRST, RIGHT, SECOND, relate

BOUNDED = ERRANDS.at()
LAYOUT = Layout(BOUNDED)
STUBBORN = Stubborn(BOUNDED.traced, relate(BOUNDED), LAYOUT)


def test_a_step_apart_is_a_set_of_its_own() -> None:
    view = STUBBORN.look_at(LAYOUT.pack(BOUNDED.initial[0]), 1 << FIRST | 1 << RIGHT | 1 << ABOVE)

    assert 1 << ABOVE == view.close(ABOVE)


def test_who_lets_a_disturber_happen_belongs_to_the_set() -> None:
    view = STUBBORN.look_at(LAYOUT.pack(BOUNDED.initial[0]), 1 << FIRST | 1 << RIGHT | 1 << ABOVE)

    assert 1 << FIRST | 1 << SECOND | 1 << RIGHT == view.close(FIRST)


def test_a_disturber_that_can_never_happen_again_brings_nobody() -> None:
    after = BOUNDED.step(BOUNDED.initial[0], BOUNDED.instances[SECOND])
    assert after is None
    turned = BOUNDED.step(BOUNDED.initial[0], BOUNDED.instances[FIRST])
    assert turned is not None

    view = STUBBORN.look_at(LAYOUT.pack(turned), 1 << RIGHT | 1 << ABOVE)

    assert 1 << RIGHT == view.close(RIGHT)
