"""Who disturbs whom, and who lets whom happen."""

from tests.checkers.explore.models import FORKS
from tests.checkers.explore.partial_order.errands import ABOVE, ERRANDS, FIRST, RIGHT, SECOND, relate

BOUNDED = ERRANDS.at()


def test_steps_that_write_what_others_read_disturb_them() -> None:
    disturbing = relate(BOUNDED).disturbing

    assert 1 << SECOND == disturbing[FIRST]
    assert 0 == disturbing[ABOVE]


def test_steps_that_are_never_possible_together_do_not() -> None:
    assert 1 << FIRST == relate(BOUNDED).disturbing[SECOND]
    assert 0 == relate(BOUNDED).disturbing[RIGHT]


def test_those_that_write_a_wanted_value_let_a_step_happen() -> None:
    relations = relate(BOUNDED)
    wants_right, wants_left = sorted(BOUNDED.traced[SECOND].guard, key=relations.find_enablers, reverse=True)

    assert 1 << RIGHT == relations.find_enablers(wants_right)
    assert 0 == relations.find_enablers(wants_left)


def test_a_flag_about_several_cells_is_enabled_by_all_who_write_there() -> None:
    forks = FORKS.at()
    both = (forks.cell_terms[0] > 0) == forks.cell_terms[1]

    assert both.reads == {0, 1}
    assert (1 << len(forks.instances)) - 1 == relate(forks).find_enablers(both)
