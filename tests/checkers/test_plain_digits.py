"""Numbers in plain digits."""

import pytest

from nomadspec.checkers.durations import read_duration_ns
from nomadspec.checkers.plain_digits import is_decimal, is_whole, write_decimal
from nomadspec.checkers.scenario.language import WordError
from nomadspec.checkers.scenario.option_values import read_amount
from nomadspec.checkers.scenario.slots import fits


@pytest.mark.parametrize("text", ["0", "007", "12"])
def test_digits_are_whole_and_decimal(text: str) -> None:
    assert is_whole(text)
    assert is_decimal(text)


@pytest.mark.parametrize("text", ["", "1_0", "+1", "-1", " 1", "\u0661", "\u00b2", "1e3", "nan"])
def test_nothing_else_is(text: str) -> None:
    assert not is_whole(text)
    assert not is_decimal(text)


@pytest.mark.parametrize(("text", "holds"), [("0.5", True), (".5", True), ("5.", False), ("1.2.3", False)])
def test_some_digits_may_stand_behind_a_point(text: str, *, holds: bool) -> None:
    assert holds == is_decimal(text)
    assert not is_whole(text)


@pytest.mark.parametrize(
    ("number", "text"), [(10, "10"), (1.5, "1.5"), (10.0, "10"), (1e-05, "0.00001"), (1e17, f"1{17 * '0'}")]
)
def test_a_number_is_written_so_that_it_can_be_read_again(number: float, text: str) -> None:
    assert text == write_decimal(number)
    assert is_decimal(text)
    assert number == float(text)


def test_scenarios_take_plain_digits_alone() -> None:
    assert fits("COUNT", "2")
    assert not fits("COUNT", "\u0662")
    assert 30 * 10**9 == read_duration_ns("30s")
    assert read_duration_ns("\u0663\u0660s") is None
    with pytest.raises(WordError, match="write digits only"):
        read_amount({"cpu": "\u0665"}, "cpu", 500)
