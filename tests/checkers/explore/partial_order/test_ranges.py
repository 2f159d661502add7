"""Values that terms can have."""

from nomadspec.checkers.explore.partial_order.ranges import EITHER, FALSE, TRUE, Ranges, Values
from nomadspec.model.language.logic import Value, all_of, any_of, ite, not_
from nomadspec.model.language.term import TermTable, times

TABLE = TermTable()
NUMBER: Value = TABLE.cell(0, 0, 9, is_flag=False)
OTHER: Value = TABLE.cell(1, -3, 3, is_flag=False)
FLAG: Value = TABLE.cell(2, 0, 1, is_flag=True)
WIDE: Value = TABLE.cell(3, 0, 1000, is_flag=False)
RANGES = Ranges([frozenset({1, 2}), frozenset({0}), EITHER, None])


def find(value: Value) -> Values:
    return RANGES.find(value)


def test_numbers_are_computed_from_all_pairs() -> None:
    assert frozenset({-2, -1}) == find(-(NUMBER + OTHER))
    assert frozenset({3, 6}) == find(times(NUMBER, 3))
    assert frozenset({7}) == find(7)


def test_comparisons_are_decided_where_the_values_decide() -> None:
    assert FALSE == find(NUMBER == 3)
    assert TRUE == find(OTHER <= NUMBER - 1)
    assert EITHER == find(NUMBER <= 1)
    assert EITHER == find(WIDE == NUMBER)


def test_one_part_may_decide() -> None:
    assert FALSE == find(all_of(FLAG, NUMBER == 3))
    assert TRUE == find(any_of(FLAG, NUMBER >= 1))
    assert EITHER == find(all_of(FLAG, NUMBER >= 1))
    assert EITHER == find(not_(FLAG))


def test_branches_are_left_out_where_the_condition_is_decided() -> None:
    assert frozenset({1, 2}) == find(ite(NUMBER >= 1, NUMBER, 8))
    assert frozenset({1, 2, 8}) == find(ite(FLAG, NUMBER, 8))


def test_what_has_many_values_is_not_followed() -> None:
    assert find(WIDE) is None
    assert find(WIDE + 1) is None
    assert find(ite(FLAG, WIDE, 1)) is None
    assert frozenset({0, 1}) == find((WIDE <= 3) + 0)
