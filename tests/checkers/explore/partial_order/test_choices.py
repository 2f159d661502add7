"""Values that guards admit, and values that steps write."""

from nomadspec.checkers.explore.partial_order.choices import (
    can_write,
    find_admitted,
    find_demands,
    is_certain,
    list_cases,
    list_values,
)
from nomadspec.checkers.explore.partial_order.facts import take_as_written
from nomadspec.model.language.logic import Value, any_of, ite, not_
from tests.checkers.explore.models import LAMPS
from tests.checkers.explore.partial_order.errands import ERRANDS, SECOND
from tests.checkers.native.models import SHELF

BOUNDED = ERRANDS.at()
FACTS = take_as_written(BOUNDED)
LEFT, RIGHT = (BOUNDED.frame.cell_names.index(name) for name in ("left", "right"))


def test_a_flag_about_one_cell_admits_some_of_its_values() -> None:
    assert frozenset({1, 2}) == find_admitted(BOUNDED.cell_terms[LEFT] > 0, LEFT, FACTS)


def test_flags_have_two_values() -> None:
    lamps = LAMPS.at()
    facts = take_as_written(lamps)

    assert (False, True) == list_values(0, facts)
    is_out: Value = not_(lamps.cell_terms[0])
    assert frozenset({0}) == find_admitted(is_out, 0, facts)


def test_wide_cells_are_not_tried() -> None:
    bounded = SHELF.at("wide")
    facts = take_as_written(bounded)
    cell = bounded.frame.placed["content"].base

    assert list_values(cell, facts) is None
    assert list_cases([cell], facts) is None
    assert find_admitted(bounded.cell_terms[cell] == 0, cell, facts) is None


def test_a_guard_demands_values_of_single_cells() -> None:
    assert {LEFT: {0}, RIGHT: {1}} == find_demands(BOUNDED.traced[SECOND], FACTS)


def test_what_can_be_written_is_known_from_the_value() -> None:
    left, right = BOUNDED.cell_terms[LEFT], BOUNDED.cell_terms[RIGHT]

    assert can_write(2, LEFT, frozenset({2}))
    assert not can_write(1, LEFT, frozenset({2}))
    assert can_write(right, LEFT, frozenset({2}))
    assert not can_write(left, LEFT, frozenset({2}))
    assert not can_write(ite(right > 0, 1, left), LEFT, frozenset({2}))
    assert can_write(ite(right > 0, 2, left), LEFT, frozenset({2}))


def test_few_cells_are_tried_in_all_their_values() -> None:
    cases = list_cases([LEFT, RIGHT], FACTS)

    assert cases is not None
    assert [(one, other) for one in range(3) for other in range(3)] == [
        (case[LEFT], case[RIGHT]) for case in cases
    ]
    assert list_cases(range(len(BOUNDED.cell_terms)), FACTS) is None


def test_what_is_true_in_any_case_is_certain() -> None:
    left, right = BOUNDED.cell_terms[LEFT], BOUNDED.cell_terms[RIGHT]

    surely: Value = any_of(left > 0, left == 0, right == 1)
    perhaps: Value = any_of(left > 1, left == 0, right == 1)

    assert is_certain(surely, FACTS)
    assert not is_certain(perhaps, FACTS)
